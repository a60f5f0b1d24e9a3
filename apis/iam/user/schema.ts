import { z } from 'zod';
import { isTerminating, type KubeObject } from '../../../pkg/kube/meta/types.js';
import { line, objectName } from '../../../registry/kinds/fields.js';

export const UserSpec = z
  .strictObject({
    login: line(190).default('').describe('Name to log in with; the e-mail address if left out.'),
    email: line(190).default('').describe('E-mail address; the login if left out.'),
    name: line(190).default('').describe('Name shown to people.'),
    givenName: line(190).optional().describe('Given name, as a provisioning system tells it.'),
    familyName: line(190).optional().describe('Family name, as a provisioning system tells it.'),
    disabled: z.boolean().default(false).describe('Nobody can log in as a disabled user.'),
    grafanaAdmin: z.boolean().default(false).describe('Administrator of the whole server.'),
    provisioned: z.boolean().optional().describe('Kept by a provisioning system.'),
    provisionedBy: objectName().optional().describe('The organization whose provisioning system keeps the user.'),
    emailVerified: z
      .boolean()
      .optional()
      .describe(
        'The e-mail address is known to be theirs: a provider verified it, or a server administrator set it. Only then does it find the account for somebody who signs in elsewhere. It ends when the user sets another address. Only server administrators may set it.',
      ),
    mustChangePassword: z
      .boolean()
      .optional()
      .describe(
        'The password opens nothing until the user has replaced it on the sign-in page. The server removes this then.',
      ),
    createdIn: objectName()
      .optional()
      .describe(
        'The organization whose administrators created the account. Until the e-mail address is verified, the login finds the account for nobody who signs in elsewhere. The server sets it, and its administrators may change it.',
      ),
    activeOrganization: objectName().optional().describe('Organization used where a call names none.'),
  })
  .meta({ id: 'UserSpec', description: 'What a user is.' });
export type UserSpec = z.infer<typeof UserSpec>;

/** Users by login and by e-mail address, both folded (`fold`). */
export const BY_LOGIN = 'byLogin';
export const BY_EMAIL = 'byEmail';
/** By the skeletons of login and e-mail address: which ones look alike. */
export const BY_SKELETON = 'bySkeleton';
/** Users by name and login (`[name, login]`, both folded), the order of lists. */
export const BY_NAME = 'byName';

/** Users by the organization whose administrators created them. */
export const BY_CREATED_IN = 'byCreatedIn';

/** Server administrators who are neither disabled nor being deleted. */
export const BY_ADMINISTRATOR = 'byAdministrator';

export function isAdministrator(user: KubeObject): boolean {
  const { grafanaAdmin, disabled } = user.spec as UserSpec;
  return grafanaAdmin && !disabled && !isTerminating(user);
}
