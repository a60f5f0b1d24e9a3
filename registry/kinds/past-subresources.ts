import { z } from 'zod';
import { arrayOf } from '../../pkg/kube/meta/bounded.js';
import type { Parameter } from '../openapi/parameters.js';
import type { DescribedMessage } from '../openapi/schemas.js';
import type { Subresource } from './subresource.js';

/** The subresource with the versions of an object. */
export const HISTORY = 'history';
/** The subresource that brings back a version, or a deleted object. */
export const RESTORE = 'restore';

/** The most versions on a page. A version may have megabytes. */
export const LARGEST_PAGE = 100;

const Deleted = z
  .strictObject({ by: z.string().describe('The author of the deletion.'), at: z.string().describe('Its time.') })
  .meta({ id: 'VersionDeletion', description: 'How the object was deleted.' });

const Version = z
  .strictObject({
    version: z.int().describe('The generation of the object in this version.'),
    author: z.string().describe('The author of the last write of this version, as in updatedBy.'),
    time: z.string().describe('When that was.'),
    message: z.string().optional().describe('What the author wrote about the version.'),
    isCurrent: z.boolean().describe('Whether the object has this version now.'),
    deleted: Deleted.optional().describe('The object was deleted in this version.'),
    object: z.looseObject({}).optional().describe('The whole object. Only with the parameter version.'),
  })
  .meta({ id: 'ObjectVersion', description: 'A version of an object.' });

const RestoreSpec = z
  .strictObject({
    version: z
      .int()
      .min(1)
      .optional()
      .describe('The version to bring back. A deleted object comes back in its last version, so it may be left out.'),
    formerPlace: z
      .boolean()
      .optional()
      .describe(
        'Whether the object also goes back to the folder that it was in. Otherwise only its content comes back, and it stays where it is. A deleted object always goes back to its folder; if it was private and would not be private there now, only with true.',
      ),
    folder: z
      .string()
      .max(253)
      .optional()
      .describe(
        'The folder into which a deleted object comes in place of its own, for example because that is gone, too. Empty: it comes to the root.',
      ),
  })
  .meta({ id: 'RestoreSpec', description: 'What is to come back.' });

const RestoredObject = z
  .strictObject({
    apiVersion: z.string().describe('The group and version of the object.'),
    kind: z.string().describe('Its kind.'),
    name: z.string().describe('Its name.'),
    title: z.string().optional().describe('What people call it, if its spec says so.'),
  })
  .meta({ id: 'RestoredObject', description: 'An object that was written. All are in one namespace.' });

const RestoreStatus = z
  .strictObject({
    version: z.int().describe('The version that the object has now.'),
    objects: z.int().describe('How many objects were written.'),
    restored: arrayOf(RestoredObject, 10_000).describe(
      'Those of them that the caller may view. Containers come before their contents.',
    ),
    leftOut: arrayOf(z.string(), 10_000).describe('What was deleted with the object and does not come back, and why.'),
  })
  .meta({ id: 'RestoreStatus', description: 'What has come back.' });

/** The kinds of the bodies and answers. */
interface PastMessages {
  readonly history: DescribedMessage;
  readonly restore: DescribedMessage;
}

/** The API group of the bodies and answers. */
export function pastGroup(domain: string): string {
  return `history.${domain}`;
}

function messagesOf(domain: string): PastMessages {
  const common = { group: pastGroup(domain), version: 'v1beta1' };
  return {
    history: {
      ...common,
      kind: 'History',
      description: 'History has the versions of an object.',
      answer: z.object({
        versions: arrayOf(Version, LARGEST_PAGE).describe('The newest first.'),
        continue: z.string().optional().describe('Token of the next page. Absent on the last page.'),
      }),
    },
    restore: {
      ...common,
      kind: 'Restore',
      description: 'Restore brings back a version of an object, or a deleted object with all that was deleted with it.',
      body: z.object({ spec: RestoreSpec.default({}) }),
      answer: z.object({ spec: RestoreSpec, status: RestoreStatus }),
    },
  };
}

const query = (name: string, description: string, type: 'string' | 'integer'): Parameter => ({
  name,
  in: 'query',
  description,
  schema: { type },
});

const PARAMETERS: readonly Parameter[] = [
  query('version', 'The only version in the answer, which then has the whole object.', 'integer'),
  query('limit', `Maximum number of versions in one page, at most ${LARGEST_PAGE}.`, 'integer'),
  query('continue', 'Token of the next page, from the answer with the page before.', 'string'),
];

interface Past {
  readonly history?: unknown;
  readonly trash?: boolean;
  readonly conversion?: unknown;
}

/**
 * The subresources of a kind that declares `history` or `trash`. The server itself provides them. The past is that of
 * the stored objects.
 */
export function pastSubresources({ history, trash, conversion }: Past, domain: string): readonly Subresource[] {
  if (conversion !== undefined || (history === undefined && trash !== true)) return [];
  const messages = messagesOf(domain);
  return [
    { name: HISTORY, kind: messages.history, verbs: ['get'], handlers: {}, parameters: PARAMETERS },
    { name: RESTORE, kind: messages.restore, verbs: ['create'], handlers: {} },
  ];
}
