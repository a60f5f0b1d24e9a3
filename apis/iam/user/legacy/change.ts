import { z } from 'zod';
import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import type { LegacyCall, LegacyTransaction } from '../../../../registry/legacy/call.js';
import { LegacyError, plainFailure, structured } from '../../../../registry/legacy/errors.js';
import { activeMembership, membershipsOf, type User } from '../../legacy/people.js';
import { USER_PREFERENCES } from '../../names.js';
import type { UserSpec } from '../schema.js';
import type { ThemePreferences } from './dto.js';

export const UserBody = z.object({
  email: z.string().nullish(),
  name: z.string().nullish(),
  login: z.string().nullish(),
  theme: z.string().nullish(),
});
export type UserBody = z.infer<typeof UserBody>;

const EMPTY = structured(400, 'user.empty-username-and-email', 'Need to specify either username or email');
const NO_ORGANIZATION = 'The theme is a preference in an organization, and the user belongs to none';

/** The rights with which a user is changed: the caller's, or the server's for users who change themselves. */
export type Rights = (transaction: LegacyTransaction) => LegacyTransaction;

export const ownRights: Rights = (transaction) => transaction.trusted();
export const callersRights: Rights = (transaction) => transaction;

/** An address without a login: users who change their own address keep the login, because their next request has it. */
export function keepingLogin(body: UserBody, { spec }: User): UserBody {
  const isAddressOnly = (body.login ?? '').trim() === '' && (body.email ?? '').trim() !== '';
  return isAddressOnly ? { ...body, login: spec.login } : body;
}

/** Changes the profile of a user. The theme is stored among their preferences. */
export async function changeUser(call: LegacyCall, user: User, body: UserBody, rights: Rights): Promise<void> {
  const email = (body.email ?? '').trim();
  const login = (body.login ?? '').trim() || email;
  if (login === '') throw new LegacyError(400, EMPTY);
  const setTheme = themeChange(call, user, body.theme);
  const change = ({ spec, ...old }: KubeObject<UserSpec>): KubeObject<UserSpec> => ({
    ...old,
    spec: {
      ...(spec as UserSpec),
      login,
      ...(email && { email }),
      ...(body.name != null && { name: body.name.trim() }),
    },
  });
  await call.transact((transaction) => {
    const writing = rights(transaction);
    writing.objects<UserSpec>('iam/User').update(user.metadata.name, change);
    setTheme(writing);
  });
  const { disabled: isDisabled, grafanaAdmin: isGrafanaAdmin } = user.spec;
  const orgId = activeMembership(call, user)?.id;
  call.keeps({ uid: user.metadata.name, orgId, isDisabled, isGrafanaAdmin, isAdmin: isGrafanaAdmin });
}

type Work = (transaction: LegacyTransaction) => void;
const NOTHING: Work = () => undefined;

function themeChange(call: LegacyCall, user: User, theme: string | null | undefined): Work {
  if (theme == null) return NOTHING;
  const namespace = activeMembership(call, user)?.namespace;
  if (namespace === undefined) {
    // Clients that send back what they read send an empty theme.
    if (theme === '') return NOTHING;
    throw plainFailure(400, NO_ORGANIZATION);
  }
  const name = `${USER_PREFERENCES}${user.metadata.name}`;
  return (transaction) => {
    transaction.objects<ThemePreferences>('preferences/Preferences', namespace).put(name, (old) => ({ ...old, theme }));
  };
}

/** Changes the active organization of a user. Throws 401 if the user is not a member of it. */
export async function switchOrganization(call: LegacyCall, user: User, orgId: number, rights: Rights): Promise<void> {
  const membership = membershipsOf(call, user.metadata.name).find(({ id }) => id === orgId);
  if (membership === undefined) throw plainFailure(401, 'Not a valid organization');
  const activeOrganization = membership.namespace;
  const change = (old: KubeObject<UserSpec>) => ({ ...old, spec: { ...(old.spec as UserSpec), activeOrganization } });
  await call.transact((transaction) =>
    rights(transaction).objects<UserSpec>('iam/User').update(user.metadata.name, change),
  );
}
