import { z } from 'zod';
import { arrayOf } from '../../pkg/kube/meta/bounded.js';

const text = (description: string) => z.string().max(1000).default('').describe(description);
const texts = (description: string) => arrayOf(z.string().max(1000), 1000).optional().describe(description);

export const ResourceAttributes = z
  .object({
    namespace: text('Namespace of the objects; empty for cluster-scoped kinds, or for all namespaces.'),
    verb: text('get, list, watch, create, update, patch, delete or deletecollection; * is all of them.'),
    group: text('API group of the resource; empty is the core group.'),
    version: text('Version of the API group. It decides nothing.'),
    resource: text('Plural of the resource, such as folders.'),
    subresource: text('Part below an object, such as token.'),
    name: text('Name of the object; empty is any.'),
  })
  .meta({ id: 'ResourceAttributes', description: 'Something done to objects.' });
export type ResourceAttributes = z.infer<typeof ResourceAttributes>;

const NonResourceAttributes = z
  .object({ path: text('Path of the request.'), verb: text('HTTP method, in lower case.') })
  .meta({ id: 'NonResourceAttributes', description: 'A request for a path that is no resource.' });

const attributes = {
  resourceAttributes: ResourceAttributes.optional().describe(
    'What is to be done to objects. Either this or nonResourceAttributes.',
  ),
  nonResourceAttributes: NonResourceAttributes.optional().describe(
    'What is to be asked of a path that is no resource. Either this or resourceAttributes.',
  ),
};

export const SelfAccessSpec = z
  .object(attributes)
  .meta({ id: 'SelfSubjectAccessReviewSpec', description: 'What the caller asks to be allowed.' });
export type SelfAccessSpec = z.infer<typeof SelfAccessSpec>;

export const AccessSpec = z
  .object({
    ...attributes,
    user: text('Name of the user who is asked about.'),
    uid: text('UID of the user.'),
    groups: texts('Groups of the user.'),
    extra: z
      .record(z.string(), arrayOf(z.string().max(1000), 1000))
      .optional()
      .describe('What else is known of the user, by key.'),
  })
  .meta({ id: 'SubjectAccessReviewSpec', description: 'Who asks to be allowed what.' });

export type AccessSpec = z.infer<typeof AccessSpec>;

export const AccessStatus = z
  .strictObject({
    allowed: z.boolean().describe('Whether it is allowed.'),
    reason: z.string().optional().describe('Why it is not, for people.'),
  })
  .meta({ id: 'SubjectAccessReviewStatus', description: 'Whether it is allowed.' });

export const RulesSpec = z
  .object({ namespace: text('Namespace that is asked about.') })
  .meta({ id: 'SelfSubjectRulesReviewSpec', description: 'Where the caller asks what is allowed.' });

const verbs = z.array(z.string()).describe('What may be done; * is everything.');

const ResourceRule = z
  .strictObject({
    verbs,
    apiGroups: z.array(z.string()).describe('API groups of the resources; * is all.'),
    resources: z.array(z.string()).describe('Plurals of the resources; * is all.'),
    resourceNames: z.array(z.string()).optional().describe('Names of the objects; absent is all.'),
  })
  .meta({ id: 'ResourceRule', description: 'What the caller may do to objects.' });

const NonResourceRule = z
  .strictObject({ verbs, nonResourceURLs: z.array(z.string()).describe('Paths; a * at the end is anything.') })
  .meta({ id: 'NonResourceRule', description: 'What the caller may ask of paths that are no resources.' });

export const RulesStatus = z
  .strictObject({
    resourceRules: z.array(ResourceRule).describe('What the caller may do to objects.'),
    nonResourceRules: z.array(NonResourceRule).describe('What the caller may ask of paths that are no resources.'),
    incomplete: z.boolean().describe('The caller may do more than is listed.'),
    evaluationError: z.string().optional().describe('Why the list is incomplete, for people.'),
  })
  .meta({ id: 'SubjectRulesReviewStatus', description: 'What is allowed.' });

export const ReviewedUser = z
  .strictObject({
    username: z.string().describe('Name that is unique among all users.'),
    uid: z.string().optional().describe('UID that stays when the name is given to somebody else.'),
    groups: z.array(z.string()).describe('Groups that the user is in.'),
    extra: z.record(z.string(), z.array(z.string())).optional().describe('What else is known of the user, by key.'),
  })
  .meta({ id: 'UserInfo', description: 'Who somebody is.' });

export const SelfReviewStatus = z
  .strictObject({ userInfo: ReviewedUser.describe('Who the server takes the caller for.') })
  .meta({ id: 'SelfSubjectReviewStatus', description: 'Who the caller is.' });
