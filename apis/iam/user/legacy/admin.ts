import { z } from 'zod';
import type { ApiResponse } from '../../../../pkg/http/handler.js';
import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import { ulidGenerator } from '../../../../pkg/kube/meta/ulid.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { legacyErrorOf, plainFailure, requireAction } from '../../../../registry/legacy/errors.js';
import { deleted, done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import { checkNewPassword, putDuty, putPassword, turnOf } from '../../legacy/passwords.js';
import { type User, userBy } from '../../legacy/people.js';
import type { IamServices } from '../../legacy/services.js';
import { DEFAULT_ORGANIZATION, isUser } from '../../names.js';
import type { OrganizationSpec } from '../../organization/schema.js';
import type { OrganizationBindingSpec } from '../../organizationbinding/schema.js';
import type { UserSpec } from '../schema.js';
import { SESSIONS, USER_CREATED } from './answers.js';
import { USER_ANSWERED } from './dto.js';
import { creationErrors, USER_ERRORS, userExists } from './errors.js';
import { USER_NOTES } from './notes.js';
import { authTokens, RevokeBody, revokeAuthToken } from './sessions.js';
import { demanded } from './users.js';

const CreateBody = z.object({
  name: z.string().nullish(),
  email: z.string().nullish(),
  login: z.string().nullish(),
  password: z.string().nullish(),
  OrgId: z.int().nullish(),
  orgId: z.int().nullish(),
  mustChangePassword: z
    .boolean()
    .nullish()
    .describe('The password opens nothing but the change of it at the first sign-in.'),
});
const PasswordBody = z.object({
  password: z.string().nullish(),
  mustChangePassword: z.boolean().nullish().describe('As for a new user. Absent: it stays as it is.'),
});
/** Some clients leave out zero values, so an absent value is false. */
const PermissionsBody = z.object({ isGrafanaAdmin: z.boolean().nullish() });

const newUid = ulidGenerator();

/** `/api/admin/users`: the administration of accounts, for server administrators. */
export function adminRoutes(services: IamServices): readonly LegacyRoute[] {
  const change = async (call: LegacyCall, user: User, spec: Partial<UserSpec>): Promise<void> => {
    const merge = (old: KubeObject<UserSpec>) => ({ ...old, spec: { ...(old.spec as UserSpec), ...spec } });
    await call.objects<UserSpec>('iam/User').update(user.metadata.name, merge);
  };
  const permissions: LegacyHandler = async (call) => {
    const user = demanded(call, 'users.permissions:write');
    await change(call, user, { grafanaAdmin: call.body(PermissionsBody).isGrafanaAdmin ?? false });
    return done('User permissions updated');
  };
  const remove: LegacyHandler = async (call) => {
    const user = await call.objects('iam/User').delete(demanded(call, 'users:delete').metadata.name);
    return deleted(user, 'User deleted');
  };
  const disable: LegacyHandler = async (call) => {
    await change(call, demanded(call, 'users:disable'), { disabled: true });
    return done('User disabled');
  };
  const enable: LegacyHandler = async (call) => {
    await change(call, demanded(call, 'users:enable'), { disabled: false });
    return done('User enabled');
  };
  const logout: LegacyHandler = async (call) => {
    const { metadata } = demanded(call, 'users:logout');
    if (isUser(call.user, metadata.name)) throw plainFailure(400, 'You cannot logout yourself');
    await services.sessions.closeAll(metadata.name, call.request);
    return done('User logged out');
  };
  return routes(
    {
      notes: USER_NOTES,
      errors: USER_ERRORS,
      peopleOnly: true,
      fallback: 'Failed to update user',
      answerMembers: USER_ANSWERED,
    },
    {
      'POST /admin/users': {
        answer: USER_CREATED,
        summary: 'Creates a user with a password',
        body: CreateBody,
        handle: (call) => createUser(services, call),
      },
      'PUT /admin/users/:id/password': {
        summary: 'Sets the password of a user',
        body: PasswordBody,
        handle: setPassword(services),
      },
      'PUT /admin/users/:id/permissions': {
        summary: 'Makes a user a server administrator, or no longer',
        body: PermissionsBody,
        handle: permissions,
      },
      'DELETE /admin/users/:id': { summary: 'Deletes a user', handle: remove },
      'POST /admin/users/:id/disable': { summary: 'Disables a user', handle: disable },
      'POST /admin/users/:id/enable': { summary: 'Enables a user', handle: enable },
      'POST /admin/users/:id/logout': { summary: 'Ends all sessions of a user', handle: logout },
      'GET /admin/users/:id/auth-tokens': {
        answer: SESSIONS,
        summary: 'Lists the sessions of a user',
        handle: (call) => ok(authTokens(services, call, demanded(call, 'users.authtoken:read').metadata.name)),
      },
      'POST /admin/users/:id/revoke-auth-token': {
        summary: 'Ends a session of a user',
        body: RevokeBody,
        handle: (call) => {
          const { metadata } = demanded(call, 'users.authtoken:write');
          return revokeAuthToken(services, call, metadata.name, call.body(RevokeBody).authTokenId);
        },
      },
    },
  );
}

/** Sets the password of a user, who may have had none. */
function setPassword(services: IamServices): LegacyHandler {
  return async (call) => {
    const { metadata, spec } = demanded(call, 'users.password:write');
    const body = call.body(PasswordBody);
    const given = body.password ?? '';
    await checkNewPassword(services, given, spec);
    const hash = await services.hashing.hash(given, turnOf(call));
    await call.transact((transaction) => {
      putPassword(transaction, metadata.name, hash);
      putDuty(transaction, metadata.name, body.mustChangePassword ?? undefined);
    });
    return done('User password updated');
  };
}

/** Creates a user with a password and a membership, in one commit. */
async function createUser(services: IamServices, call: LegacyCall): Promise<ApiResponse> {
  const users = call.objects<UserSpec>('iam/User');
  requireAction(users, 'users:create');
  const body = call.body(CreateBody);
  const email = (body.email ?? '').trim();
  const login = (body.login ?? '').trim();
  const password = body.password ?? '';
  await checkNewPassword(services, password, { login, email }, true);
  const namespace = organizationOf(call, body.OrgId ?? body.orgId ?? 0);
  const [asLogin, asEmail] = [login || email, email || login];
  const hash = await services.hashing.hash(password, turnOf(call), () => {
    if ([asLogin, asEmail].some((text) => userBy(call, text) !== undefined)) throw userExists(asLogin, asEmail);
  });
  const name = newUid();
  const profile = { login, email, name: (body.name ?? '').trim(), disabled: false, grafanaAdmin: false };
  const spec: UserSpec = { ...profile, ...(body.mustChangePassword === true && { mustChangePassword: true }) };
  const binding: OrganizationBindingSpec = { userRef: { name }, role: 'Viewer' };
  try {
    const user = await call.transact((transaction) => {
      const created = transaction.objects<UserSpec>('iam/User').create({ metadata: { name }, spec });
      putPassword(transaction, name, hash);
      const bindings = transaction.trusted().objects('iam/OrganizationBinding', namespace);
      bindings.create({ metadata: { name }, spec: binding });
      return created;
    });
    return done('User created', { id: users.idOf(user), uid: name });
  } catch (error) {
    throw legacyErrorOf(error, creationErrors(asLogin, asEmail));
  }
}

/** The namespace of the organization of the new user; by default the first one. */
function organizationOf(call: LegacyCall, id: number): string {
  if (id === 0) return DEFAULT_ORGANIZATION;
  const organization = call.objects<OrganizationSpec>('iam/Organization').findById(id);
  if (organization === undefined) throw plainFailure(400, 'organization not found');
  return organization.metadata.name;
}
