import { z } from 'zod';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { authorsOf } from '../../registry/history/authors.js';
import { groupName } from '../../registry/kinds/kind.js';
import type { Registry } from '../../registry/kinds/registry.js';
import type { DescribedResource } from '../../registry/openapi/schemas.js';
import { authorTitles } from '../iam/access/words.js';
import type { GrantOptions } from './grant-inputs.js';

/** The most objects of one review, and the most of them whose versions are read. */
const MOST_OBJECTS = 100;
const MOST_HISTORIES = 5;

const ReviewedObject = z
  .strictObject({
    group: z.string().max(253).describe('The API group of the object.'),
    resource: z.string().max(63).describe('The plural name of its kind.'),
    name: z.string().max(253).describe('metadata.name. The object may be deleted.'),
    versionsBelow: z
      .int()
      .min(1)
      .optional()
      .describe('Also the authors of the 50 versions below this one, which is no part of them.'),
  })
  .meta({ id: 'AuthorReviewObject', description: 'An object whose authors are asked for.' });

export const AuthorSpec = z
  .strictObject({
    objects: z
      .array(ReviewedObject)
      .min(1)
      .max(MOST_OBJECTS)
      .refine(
        (all) => all.filter(({ versionsBelow }) => versionsBelow !== undefined).length <= MOST_HISTORIES,
        `versionsBelow may be set for at most ${MOST_HISTORIES} objects`,
      )
      .describe(`The objects. At most ${MOST_HISTORIES} of them may have versionsBelow.`),
  })
  .meta({ id: 'AuthorReviewSpec', description: 'What is asked about.' });
export type AuthorSpec = z.infer<typeof AuthorSpec>;

const Author = z
  .strictObject({
    author: z.string().describe('The value of createdBy, updatedBy or another member that names an author.'),
    title: z.string().optional().describe('What people call them. Absent if there is no such account any more.'),
    login: z.string().optional().describe('The login of a user.'),
  })
  .meta({ id: 'AuthorReviewAuthor', description: 'An author of one of the objects.' });

export const AuthorStatus = z
  .strictObject({ authors: z.array(Author).describe('The authors, each once.') })
  .meta({ id: 'AuthorReviewStatus', description: 'Who has written the objects that the caller may view.' });
export type AuthorStatus = z.infer<typeof AuthorStatus>;

export function authorReview(domain: string): DescribedResource {
  return {
    group: groupName('iam', domain),
    version: 'v1beta1',
    kind: 'AuthorReview',
    resource: 'authorreviews',
    singular: 'authorreview',
    scope: 'Namespaced',
    verbs: ['create'],
    description:
      'AuthorReview asks for the names of the authors of objects that the caller may view, of their versions and deletions. Other objects are left out.',
    spec: AuthorSpec,
    status: AuthorStatus,
  };
}

/** Names only those authors whom the caller can read in one of the objects, so that nobody learns who else exists. */
export function* authorsIn(
  registry: Registry,
  options: GrantOptions,
  user: UserInfo,
  namespace: string,
  { objects }: AuthorSpec,
): Steps<AuthorStatus> {
  const found = new Set<string>();
  for (const { group, resource, name, versionsBelow } of objects) {
    yield;
    const kind = registry.kinds.find((one) => one.group === group && one.resource === resource);
    if (kind === undefined) continue;
    for (const author of authorsOf(registry, user, { kind, namespace, name, below: versionsBelow })) found.add(author);
  }
  const context = { reader: registry.reader, namespace, environment: options };
  return { authors: [...found].map((author) => ({ author, ...authorTitles(author, context) })) };
}
