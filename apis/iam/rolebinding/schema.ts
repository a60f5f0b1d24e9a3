import { z } from 'zod';
import { objectName } from '../../../registry/kinds/fields.js';
import { DEFAULT_ORGANIZATION } from '../names.js';

const Subject = z
  .strictObject({
    kind: z.enum(['User', 'Team', 'ServiceAccount', 'BasicRole']).describe('BasicRole: every member with that role.'),
    name: objectName().describe('metadata.name of the subject, or Viewer, Editor, Admin of a BasicRole.'),
  })
  .meta({ id: 'RoleBindingSubject' });

const RoleRef = z
  .strictObject({
    kind: z
      .enum(['Role', 'BuiltIn', 'GlobalRole'])
      .describe('BuiltIn: a set of the server. GlobalRole: a Role of the first organization that is global.'),
    name: objectName().describe(
      'metadata.name of the Role or GlobalRole; of BuiltIn View, Edit or Admin with a scope (Edit or Admin for a service account), Viewer, Editor or Admin without.',
    ),
  })
  .meta({ id: 'RoleBindingRoleRef' });

const Scope = z
  .strictObject({
    folder: objectName(40).optional().describe('Only in this folder and what lies in it.'),
    dashboard: objectName(40).optional().describe('Only on this dashboard. Not together with another place.'),
    serviceAccount: objectName(40)
      .optional()
      .describe('Who may manage this service account. Not together with another place.'),
  })
  .meta({ id: 'RoleBindingScope' });

export const RoleBindingSpec = z
  .strictObject({
    subject: Subject.describe('Who gets the permissions.'),
    roleRef: RoleRef.describe('What they get.'),
    scope: Scope.optional().describe('Where they get it; everywhere in the organization if left out.'),
  })
  .meta({ id: 'RoleBindingSpec', description: 'Who has which role, and where.' });
export type RoleBindingSpec = z.infer<typeof RoleBindingSpec>;
export type BindingSubject = RoleBindingSpec['subject'];

/**
 * Role bindings by subject (`[namespace, kind, name]`), and by what they are on (`[namespace, name]`): a folder, a
 * dashboard, a service account.
 */
export const BY_SUBJECT = 'bySubject';
export const BY_FOLDER = 'byFolder';
export const BY_DASHBOARD = 'byDashboard';
export const BY_SERVICE_ACCOUNT = 'byServiceAccount';
/** Those without a scope, which hold in the whole organization: `[namespace]`. */
export const BY_ORGANIZATION = 'byOrganization';
/** Bindings of custom roles by role: `[namespace, role]`. The namespace is that of the binding. */
export const BY_ROLE = 'byRole';
/** Bindings of global roles, in all organizations: `[role]`. */
export const BY_GLOBAL_ROLE = 'byGlobalRole';

/** The namespace of the custom role that a binding in a namespace names. */
export function roleNamespace({ kind }: RoleBindingSpec['roleRef'], namespace: string): string {
  return kind === 'GlobalRole' ? DEFAULT_ORGANIZATION : namespace;
}
