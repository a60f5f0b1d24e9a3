import { z } from 'zod';
import { arrayOf } from '../../pkg/kube/meta/bounded.js';
import type { Subresource } from '../kinds/subresource.js';
import { FORCE } from '../openapi/parameters.js';
import type { DescribedMessage } from '../openapi/schemas.js';
import { APPLY, MEMBERS } from './names.js';

/** The most objects of one request. */
export const MOST_OBJECTS = 10_000;

const Prune = z
  .strictObject({
    enabled: z.boolean().default(false).describe('Whether members of the set that the request leaves out are deleted.'),
    selector: z
      .string()
      .max(4096)
      .optional()
      .describe(
        'A label selector. Objects that match it, that the field manager of the request has applied, and that the request leaves out are deleted, too. Only kinds and namespaces are searched that the request or the set has.',
      ),
  })
  .meta({ id: 'ApplyPrune', description: 'Which objects are deleted because the request leaves them out.' });

const ApplySpec = z
  .strictObject({
    objects: arrayOf(z.looseObject({}), MOST_OBJECTS).describe(
      'The objects, in any order. Each is applied as by a server-side apply. Objects without a namespace are in the namespace of the set.',
    ),
    prune: Prune.optional().describe('Without it, nothing is deleted.'),
  })
  .meta({ id: 'ApplySpec', description: 'What is to be applied, all or nothing.' });

export type ApplySpec = z.infer<typeof ApplySpec>;

const FieldDifference = z
  .strictObject({
    path: z.string().describe('The path of the field, such as spec.title.'),
    from: z.unknown().optional().describe('The value before. Absent if the field is new.'),
    to: z.unknown().optional().describe('The value after. Absent if the field is removed.'),
  })
  .meta({ id: 'FieldDifference', description: 'A field that the request changes.' });

const ACTIONS = ['created', 'configured', 'unchanged', 'pruned', 'conflict'] as const;
export type Action = (typeof ACTIONS)[number];

const PlannedObject = z
  .strictObject({
    apiVersion: z.string().describe('The group and version of the object.'),
    kind: z.string().describe('Its kind.'),
    namespace: z.string().optional().describe('Its namespace. Absent for kinds of cluster scope.'),
    name: z.string().describe('Its name.'),
    action: z.enum(ACTIONS).describe('What the request does to the object.'),
    diff: arrayOf(FieldDifference, 100)
      .optional()
      .describe(
        'The fields that differ, as far as a read of the object shows them. Long values and long lists are cut.',
      ),
    message: z.string().optional().describe('More about it, such as the fields of other managers.'),
  })
  .meta({ id: 'PlannedObject', description: 'What the request does to one object.' });

export type PlannedObject = z.infer<typeof PlannedObject>;

const count = (what: string) => z.int().describe(`How many objects ${what}.`);

const ApplySummary = z
  .strictObject({
    created: count('are new'),
    configured: count('change'),
    unchanged: count('stay as they are'),
    pruned: count('are deleted'),
    conflicts: count('have fields that other managers own'),
  })
  .meta({ id: 'ApplySummary', description: 'The plan in numbers.' });

export type ApplySummary = z.infer<typeof ApplySummary>;

const ApplyStatus = z
  .strictObject({
    resourceVersion: z.string().optional().describe('The revision of the commit. Absent after a dry run.'),
    summary: ApplySummary.describe('The plan in numbers.'),
    plan: arrayOf(PlannedObject, 2 * MOST_OBJECTS).describe(
      'The objects of the request in its order, then those that are deleted.',
    ),
  })
  .meta({ id: 'ApplyStatus', description: 'What was done, or would be done.' });

const Member = z
  .strictObject({
    group: z.string().describe('The API group of the member.'),
    kind: z.string().describe('Its kind.'),
    namespace: z.string().optional().describe('Its namespace. Absent for kinds of cluster scope.'),
    name: z.string().describe('Its name.'),
    drift: z
      .string()
      .optional()
      .describe('In which fields the member is no longer as it was applied. Absent if it is.'),
    since: z.string().optional().describe('Since when the member differs.'),
  })
  .meta({ id: 'ApplySetMember', description: 'An object that the set has applied.' });

export type Member = z.infer<typeof Member>;

/** The kinds of the bodies and answers. */
function applyMessages(group: string): { readonly apply: DescribedMessage; readonly members: DescribedMessage } {
  return {
    apply: {
      group,
      version: 'v1beta1',
      kind: 'ApplyRequest',
      description: 'ApplyRequest applies many objects of any kinds in one commit: all of them or none.',
      body: z.object({ spec: ApplySpec }),
      answer: z.object({ status: ApplyStatus }),
    },
    members: {
      group,
      version: 'v1beta1',
      kind: 'ApplySetMembers',
      description: 'ApplySetMembers has the members of an ApplySet.',
      answer: z.object({
        members: arrayOf(Member, MOST_OBJECTS).describe('The members that the caller may view, in order.'),
      }),
    },
  };
}

/** The subresources of the kind of apply sets. The server itself provides them. */
export function applySubresources(group: string): readonly Subresource[] {
  const messages = applyMessages(group);
  return [
    { name: APPLY, kind: messages.apply, verbs: ['create'], postParameters: [FORCE], handlers: {} },
    {
      name: MEMBERS,
      kind: messages.members,
      verbs: ['get'],
      handlers: {},
    },
  ];
}
