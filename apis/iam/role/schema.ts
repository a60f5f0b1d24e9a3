import { z } from 'zod';
import { arrayOf } from '../../../pkg/kube/meta/bounded.js';
import { line, shownName } from '../../../registry/kinds/fields.js';

// Names of custom kinds, such as disk-sizes.my-team.example.com, may have 253 characters, and so may those of their
// objects.
const Permission = z
  .strictObject({
    action: z
      .string()
      .max(270)
      .regex(/^(\*|[a-z][a-zA-Z0-9.-]*:(\*|[a-zA-Z][a-zA-Z0-9.]*))$/, 'must be an action such as folders:read')
      .describe('What may be done, such as folders:read.'),
    scope: z
      .string()
      .max(520)
      .regex(
        /^(\*|[a-z][a-zA-Z0-9.-]*:(\*|[a-z][a-z0-9._-]*:[^\s:]+))?$/,
        'must be a scope such as folders:uid:ops or folders:*',
      )
      .default('')
      .describe('On what, such as folders:uid:ops or folders:*; empty for actions without objects.'),
  })
  .meta({ id: 'RolePermission' });

/** The most permissions of a role. */
export const MOST_PERMISSIONS = 1000;

export const RoleSpec = z
  .strictObject({
    title: shownName(190).optional().describe('Name shown to people.'),
    description: line(5000).optional().describe('What the role is for.'),
    permissions: arrayOf(Permission, MOST_PERMISSIONS)
      .default([])
      .meta({ default: [], description: 'What the role allows.' }),
    name: shownName(190)
      .min(1, 'must not be empty')
      .optional()
      .describe('Its name in the legacy API, such as custom:reports; metadata.name if left out.'),
    group: line(190).optional().describe('Under which heading people find it.'),
    hidden: z.boolean().optional().describe('Lists of the legacy API leave it out, unless they ask for hidden roles.'),
    global: z
      .boolean()
      .optional()
      .describe(
        'Bindings in all organizations may name it, as GlobalRole. Only server administrators make, change and delete such roles, in the first organization. It cannot be changed.',
      ),
    version: z.int().min(0).optional().describe('The version that callers of the legacy API count.'),
  })
  .meta({ id: 'RoleSpec', description: 'What a role allows.' });
export type RoleSpec = z.infer<typeof RoleSpec>;

/** Global roles: `[metadata.name]`. */
export const BY_GLOBAL = 'byGlobal';

/** Roles by their names in the legacy API: `[namespace, name]`. */
export const BY_NAME = 'byName';
