import { z } from 'zod';
import type { UserInfo } from '../../../../pkg/authn/user.js';
import type { KubeObject } from '../../../../pkg/meta/types.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { LegacyError, plainFailure, structured } from '../../../../registry/legacy/errors.js';
import type { Plan } from '../../../../registry/transact.js';
import type { PreferencesSpec } from '../../../preferences/preferences/schema.js';
import { activeMembership, membershipsOf, type User } from '../../legacy/people.js';
import { type IamServices, type Plans, plansOf } from '../../legacy/services.js';
import { USER_PREFERENCES } from '../../names.js';
import type { UserSpec } from '../schema.js';

export const UserBody = z.object({
  email: z.string().nullish(),
  name: z.string().nullish(),
  login: z.string().nullish(),
  theme: z.string().nullish(),
});
export type UserBody = z.infer<typeof UserBody>;

const EMPTY = structured(400, 'user.empty-username-and-email', 'Need to specify either username or email');
const NO_ORGANIZATION = 'The theme is a preference in an organization, and the user belongs to none';

/** Changes what a person says of themselves, or the server's administrator of them; the theme is among their preferences. */
export async function changeUser(
  services: IamServices,
  call: LegacyCall,
  user: User,
  body: UserBody,
  as: UserInfo,
): Promise<void> {
  const email = (body.email ?? '').trim();
  const login = (body.login ?? '').trim() || email;
  if (login === '') throw new LegacyError(400, EMPTY);
  const plans = plansOf(services, call);
  const change = ({ spec, ...old }: KubeObject<UserSpec>): KubeObject<UserSpec> => ({
    ...old,
    spec: {
      ...(spec as UserSpec),
      login,
      ...(email && { email }),
      ...(body.name != null && { name: body.name.trim() }),
    },
  });
  await plans.commit([
    plans.update<UserSpec>('User', user.metadata.name, change, { as }),
    ...themePlans(plans, call, user, body.theme, as),
  ]);
}

function themePlans(
  plans: Plans,
  call: LegacyCall,
  user: User,
  theme: string | null | undefined,
  as: UserInfo,
): readonly Plan[] {
  if (theme == null) return [];
  const namespace = activeMembership(call, user)?.namespace;
  if (namespace === undefined) {
    // Who sends back what they have read sends the empty one.
    if (theme === '') return [];
    throw plainFailure(400, NO_ORGANIZATION);
  }
  const name = `${USER_PREFERENCES}${user.metadata.name}`;
  return [plans.put<PreferencesSpec>('Preferences', name, (old) => ({ ...old, theme }), { namespace, as })];
}

/** Makes another organization the one a user works in. Throws 401 for one that they do not belong to. */
export async function switchOrganization(
  services: IamServices,
  call: LegacyCall,
  user: User,
  orgId: number,
  as: UserInfo,
): Promise<void> {
  const found = membershipsOf(call, user.metadata.name).find(({ id }) => id === orgId);
  if (found === undefined) throw plainFailure(401, 'Not a valid organization');
  const activeOrganization = found.namespace;
  const plans = plansOf(services, call);
  await plans.commit([
    plans.update<UserSpec>(
      'User',
      user.metadata.name,
      (old) => ({ ...old, spec: { ...(old.spec as UserSpec), activeOrganization } }),
      { as },
    ),
  ]);
}
