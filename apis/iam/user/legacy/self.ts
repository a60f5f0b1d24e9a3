import { z } from 'zod';
import type { PasswordAccount } from '../../../../pkg/identity/authn/password-check.js';
import { ApiError } from '../../../../pkg/kube/status/status.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure } from '../../../../registry/legacy/errors.js';
import { isServiceAccount } from '../../../../registry/legacy/organization.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import { MEMBERSHIPS } from '../../legacy/answers.js';
import { changePassword, checkNewPassword, putDuty, turnOf } from '../../legacy/passwords.js';
import { caller } from '../../legacy/people.js';
import type { IamServices } from '../../legacy/services.js';
import { TEAMS } from '../../team/legacy/answers.js';
import { teamsOfUser } from '../../team/legacy/search.js';
import { USER } from './answers.js';
import { changeUser, keepingLogin, ownRights, switchOrganization, UserBody } from './change.js';
import { accountAsUser, singleUser, USER_ANSWERED, userOrganizations } from './dto.js';
import { USER_ERRORS } from './errors.js';
import { isExternalOnly } from './external.js';
import { USER_NOTES } from './notes.js';
import { sessionRoutes } from './sessions.js';

const PasswordBody = z.object({
  oldPassword: z.string().nullish(),
  newPassword: z.string().nullish(),
  confirmNew: z.string().nullish(),
});

/** `/api/user`: the caller's own account. */
export function ownRoutes(services: IamServices): readonly LegacyRoute[] {
  const update: LegacyHandler = async (call) => {
    const user = caller(call);
    const identity = { id: call.objects('iam/User').idOf(user), uid: user.metadata.name };
    await changeUser(call, user, keepingLogin(call.body(UserBody, identity), user), ownRights);
    return done('User updated');
  };
  const password: LegacyHandler = async (call) => {
    const { oldPassword, newPassword } = call.body(PasswordBody);
    const { metadata, spec } = caller(call);
    if (isExternalOnly(call, metadata.name)) throw plainFailure(400, 'Cannot update external user password');
    const { hash: from } = await checkOld(services, call, spec.login, oldPassword ?? '');
    await checkNewPassword(services, newPassword ?? '', spec);
    const to = await services.hashing.hash(newPassword ?? '', turnOf(call));
    const change = { from, to, otherwise: wrongOldPassword };
    await call.transact((transaction) => {
      changePassword(transaction, metadata.name, change);
      putDuty(transaction, metadata.name, spec.mustChangePassword === true ? false : undefined);
    });
    return done('User password changed');
  };
  const using: LegacyHandler = async (call) => {
    const id = call.id('orgId', 'id');
    await switchOrganization(call, caller(call), id, ownRights);
    return done('Active organization changed');
  };
  return [
    ...routes(
      { notes: USER_NOTES, errors: USER_ERRORS, fallback: 'Failed to get user' },
      {
        'GET /user': {
          single: true,
          answer: USER,
          summary: 'Reads the caller',
          handle: (call) => ok(isServiceAccount(call.user) ? accountAsUser(call) : singleUser(call, caller(call))),
        },
      },
    ),
    ...routes(
      { notes: USER_NOTES, errors: USER_ERRORS, peopleOnly: true, fallback: 'Failed to get user' },
      {
        'GET /user/orgs': {
          answer: MEMBERSHIPS,
          summary: 'Lists the organizations of the caller',
          handle: (call) => ok(userOrganizations(call, caller(call).metadata.name)),
        },
        'GET /user/teams': {
          answer: TEAMS,
          summary: 'Lists the teams of the caller',
          handle: (call) => ok(teamsOfUser(call, caller(call).metadata.name)),
        },
      },
    ),
    ...routes(
      {
        notes: USER_NOTES,
        errors: USER_ERRORS,
        peopleOnly: true,
        fallback: 'Failed to update user',
        answerMembers: USER_ANSWERED,
      },
      {
        'PUT /user': { summary: 'Changes the profile of the caller', body: UserBody, handle: update },
        'PUT /user/password': { summary: 'Changes the password of the caller', body: PasswordBody, handle: password },
        'POST /user/using/:orgId': { summary: 'Changes the active organization of the caller', handle: using },
      },
    ),
    ...sessionRoutes(services),
  ];
}

const wrongOldPassword = (cause?: unknown) => plainFailure(400, 'Invalid old password', cause);

/** Checks the old password, throttled as sign-in is. Throws 400 for a wrong one. */
async function checkOld(
  { checkPassword }: IamServices,
  call: LegacyCall,
  login: string,
  old: string,
): Promise<PasswordAccount> {
  try {
    return await checkPassword(login, old, call.request.client?.remoteAddress ?? '');
  } catch (error) {
    if (error instanceof ApiError && error.code === 401) throw wrongOldPassword(error);
    throw error;
  }
}
