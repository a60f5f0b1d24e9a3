import { z } from 'zod';
import { LEVELS, STAGES } from './event.js';

/** YAML files have `users:` without a value, which is null. */
const list = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((items): z.output<T>[] => items ?? []);
const texts = () => list(z.string());
const stages = () => list(z.enum(STAGES));

const NonResourceUrl = z
  .string()
  .regex(/^(\*|\/[^*]*\*?)$/, 'expected a path that begins with a slash; a * may be at its end only');

const GroupResources = z
  .strictObject({
    group: z.string().default('').describe('API group; the core group is empty.'),
    resources: texts().describe('Resources: `users`, `users/status`, `users/*`, `*/status` or `*`. Empty: all.'),
    resourceNames: texts().describe('Names of objects. Empty: all.'),
  })
  .refine(({ resources, resourceNames }) => resourceNames.length === 0 || resources.length > 0, {
    message: 'resourceNames needs resources',
  });

const Rule = z
  .strictObject({
    level: z.enum(LEVELS),
    users: texts(),
    userGroups: texts(),
    verbs: texts(),
    resources: list(GroupResources),
    namespaces: texts().describe('The empty text stands for objects without a namespace.'),
    nonResourceURLs: list(NonResourceUrl),
    omitStages: stages(),
    omitManagedFields: z.boolean().nullish(),
  })
  .refine(
    ({ nonResourceURLs, resources, namespaces }) =>
      nonResourceURLs.length === 0 || (resources.length === 0 && namespaces.length === 0),
    { message: 'a rule has either nonResourceURLs or resources and namespaces' },
  );

/**
 * audit.k8s.io/v1 Policy. `omitRefusals` is an extension: without it, refused requests and sign-ins that no rule asks
 * for are recorded at the level Metadata.
 */
export const Policy = z.strictObject({
  apiVersion: z.literal('audit.k8s.io/v1'),
  kind: z.literal('Policy'),
  metadata: z.looseObject({}).nullish(),
  rules: z.array(Rule).min(1, 'expected at least one rule'),
  omitStages: stages(),
  omitManagedFields: z.boolean().nullish(),
  omitRefusals: z.boolean().default(false),
});
export type Policy = z.output<typeof Policy>;
export type PolicyRule = Policy['rules'][number];
