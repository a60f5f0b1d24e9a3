import { z } from 'zod';
import { arrayOf } from '../../../pkg/kube/meta/bounded.js';
import { line, objectName } from '../../../registry/kinds/fields.js';
import { DURATION, secondsOf } from '../../alerting/duration.js';

const MOST_FOLDERS = 1000;
const isFilled = (list: readonly unknown[]): boolean => list.length > 0;
/** The most errors that a status shows. */
export const MOST_ERRORS = 20;

const Credential = z
  .strictObject({
    secret: objectName().describe(
      'Name of a Secret of the namespace. It has the key token, or the keys login (or username) and password.',
    ),
  })
  .meta({ id: 'MirrorCredential', description: 'With what the other server is asked.' });

const Folders = z
  .strictObject({
    names: arrayOf(objectName(40), MOST_FOLDERS)
      .refine(isFilled, 'must not be empty')
      .optional()
      .describe('Folders by metadata.name.'),
    labels: line(2000).min(1, 'must not be empty').optional().describe('A label selector such as site=north.'),
  })
  .refine(({ names, labels }) => names !== undefined || labels !== undefined, 'must have names or labels')
  .meta({
    id: 'MirrorFolders',
    description: 'The folders that are mirrored, by name or by label, with everything below them.',
  });

const Provenance = z
  .strictObject({
    message: line(500).optional().describe('What each version of a dashboard says there about the change.'),
    tag: line(50).min(1, 'must not be empty').optional().describe('A tag that each dashboard has there.'),
  })
  .meta({ id: 'MirrorProvenance', description: 'A message and a tag of what is mirrored.' });

const NO_INTERVAL = 'must be a duration of at least 10s, such as 30m';
const Check = z
  .strictObject({
    interval: z
      .string()
      .max(100)
      .regex(DURATION, NO_INTERVAL)
      .refine((text) => secondsOf(text) >= 10, NO_INTERVAL)
      .default('1h')
      .describe('How often everything that was sent is read there: one or two requests for each object.'),
    drift: z
      .enum(['PutBack', 'Report'])
      .default('PutBack')
      .describe(
        'What becomes of what somebody has changed there. Report leaves it as it is, also if it changes here, until it moves here. What was deleted there is sent again when it changes here, and when the mirror starts again. A team is put back when it changes here.',
      ),
  })
  .meta({ id: 'MirrorCheck', description: 'Whether what was sent is still there as it was sent.' });

/** What lies in folders and can go along with them. */
export const CONTENT_KINDS = ['Dashboard', 'LibraryElement'] as const;
export type ContentKind = (typeof CONTENT_KINDS)[number];

export const MirrorSpec = z
  .strictObject({
    address: z
      .string()
      .min(1, 'must not be empty')
      .max(2000)
      .describe('Address of the other server, such as https://dashboards.example.org. It may have a path.'),
    credential: Credential.describe('With what the other server is asked: for an administrator of its organization.'),
    organization: z
      .int()
      .min(1)
      .max(2 ** 31 - 1)
      .optional()
      .describe('Number of the organization there. Absent: the one that the credential belongs to.'),
    folders: Folders.optional().describe('The folders that are mirrored. Absent: everything in the namespace.'),
    kinds: arrayOf(z.enum(CONTENT_KINDS), CONTENT_KINDS.length)
      .refine(isFilled, 'must not be empty')
      .optional()
      .describe('What goes along with the folders. Absent: all of these kinds.'),
    permissions: z
      .boolean()
      .default(true)
      .describe(
        'Whether what users, teams and roles have on folders and dashboards goes along. If not, what is private here is there for administrators only.',
      ),
    teams: z
      .boolean()
      .default(false)
      .describe(
        'Whether teams go along, with their members and the groups of providers: all of them, or with folders those that have a permission on one. Who is not there by login is left out.',
      ),
    preferences: z
      .boolean()
      .default(false)
      .describe(
        'Whether the preferences of the organization and of teams go along, with their home dashboards. With folders: those of teams that have a permission on one.',
      ),
    existing: z
      .enum(['Adopt', 'Keep'])
      .default('Keep')
      .describe(
        'What becomes of an object that is there already: Adopt replaces it, Keep leaves it and what lies in it.',
      ),
    delete: z
      .boolean()
      .describe('Whether what is gone here, or is selected no more, is deleted there. What was adopted stays.'),
    maxDeletions: z
      .int()
      .min(1)
      .optional()
      .describe(
        'So many objects may be deleted there at once, also if they are more than half of at least 10 that were sent. Absent: a mirror that would delete more than half stops, and says so.',
      ),
    check: Check.optional().describe(
      'Looks for what was changed there. Absent: it is seen when the object changes here.',
    ),
    provenance: Provenance.optional().describe('How what is mirrored says where it comes from.'),
  })
  .meta({ id: 'MirrorSpec', description: 'What is sent to another server, and how.' });
export type MirrorSpec = z.infer<typeof MirrorSpec>;

const Condition = z
  .strictObject({
    type: z
      .enum(['Ready', 'Drifted'])
      .describe('Ready: everything that is selected has arrived. Drifted: somebody has changed there what was sent.'),
    status: z.enum(['True', 'False', 'Unknown']).describe('Whether the condition holds.'),
    reason: line(100).describe('One word for programs.'),
    message: z.string().max(2048).describe('The reason for people.'),
    lastTransitionTime: line(40).describe('When status changed.'),
    observedGeneration: z.int().optional().describe('The generation of the mirror that the condition is about.'),
  })
  .meta({ id: 'MirrorCondition', description: 'A condition of the mirror.' });
export type MirrorCondition = z.infer<typeof Condition>;

const MirroredKind = z
  .strictObject({
    kind: line(63).describe('The kind.'),
    count: z.int().min(0).describe('How many of its objects are there.'),
  })
  .meta({ id: 'MirroredKind', description: 'Objects of one kind.' });

const MirrorProblem = z
  .strictObject({
    kind: line(63).describe('The kind of the object.'),
    name: line(253).describe('metadata.name of the object.'),
    reason: z.string().max(500).describe('Why it has not arrived.'),
  })
  .meta({ id: 'MirrorError', description: 'An object that has not arrived.' });
export type MirrorProblem = z.infer<typeof MirrorProblem>;

export const MirrorStatus = z
  .strictObject({
    revision: line(30).optional().describe('Everything up to this resourceVersion has arrived.'),
    objects: arrayOf(MirroredKind, 20).describe('What is there, by kind.'),
    pending: z.int().min(0).describe('How many objects have not arrived.'),
    kept: z.int().min(0).describe('How many objects were there already, and are kept, with what lies in them.'),
    failed: z.int().min(0).describe('How many of them were refused.'),
    errors: arrayOf(MirrorProblem, MOST_ERRORS).describe('The first of these, with the reason.'),
    partial: z.int().min(0).optional().describe('How many objects name somebody or something that is not there.'),
    warnings: arrayOf(MirrorProblem, MOST_ERRORS).optional().describe('The first of these, with what is not there.'),
    conditions: arrayOf(Condition, 10).describe('Ready, and Drifted after a check.'),
  })
  .meta({ id: 'MirrorStatus' });
export type MirrorStatus = z.infer<typeof MirrorStatus>;

/** Mirrors by the Secret that they name: `[namespace, secret]`. */
export const BY_SECRET = 'bySecret';
