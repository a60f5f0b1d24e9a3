import { z } from 'zod';
import { madePassword } from '../../../../pkg/identity/authn/made-password.js';
import { fold } from '../../../../pkg/kube/meta/fold.js';
import { ulidGenerator } from '../../../../pkg/kube/meta/ulid.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { legacyErrorOf, plainFailure, requireAction } from '../../../../registry/legacy/errors.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import { putPassword, turnOf } from '../../legacy/passwords.js';
import { LegacyRole } from '../../legacy/roles.js';
import type { IamServices } from '../../legacy/services.js';
import { MOST_ACCOUNTS } from '../../user/created-in.js';
import { creationErrors } from '../../user/legacy/errors.js';
import { BY_CREATED_IN, type UserSpec } from '../../user/schema.js';
import { ACCOUNT_COUNT, ACCOUNT_CREATED } from './answers.js';
import { ORGANIZATION_ANSWERED } from './dto.js';
import { ORGANIZATION_NOTES } from './notes.js';

const AccountBody = z.object({
  login: z.string().nullish().describe('The e-mail address if left out.'),
  email: z.string().nullish().describe('The login if left out.'),
  name: z.string().nullish(),
  role: LegacyRole,
});

const CREATE = 'org.users:create';

const newUid = ulidGenerator();

/** `/api/org/accounts`: new accounts, by administrators of an organization and for it. */
export function accountRoutes(services: IamServices): readonly LegacyRoute[] {
  return routes(
    { notes: ORGANIZATION_NOTES, fallback: 'Failed to create user', answerMembers: ORGANIZATION_ANSWERED },
    {
      'GET /org/accounts': {
        single: true,
        answer: ACCOUNT_COUNT,
        summary: 'Counts the accounts that administrators of the organization have created',
        handle: (call) => count(services, call),
      },
      'POST /org/accounts': {
        answer: ACCOUNT_CREATED,
        summary: 'Creates an account for the organization, with a password that must be changed at the first sign-in',
        body: AccountBody,
        handle: (call) => create(services, call),
      },
    },
  );
}

/** The name of the organization. Throws 403 for callers who may not create accounts there. */
function organizationFor(call: LegacyCall): string {
  const { namespace } = call.organization;
  requireAction(call.objects('iam/OrganizationBinding', namespace), CREATE);
  return namespace;
}

function count({ environment }: IamServices, call: LegacyCall) {
  const namespace = organizationFor(call);
  const most = environment.maxOrganizationAccounts ?? MOST_ACCOUNTS;
  return ok({ created: call.objects('iam/User').countOf(BY_CREATED_IN, [namespace]), max: most });
}

/**
 * Creates a user, a password and a membership, in one commit. The user is created with the rights of the server, as
 * nobody in an organization has any on users. The membership is created with those of the caller, so nobody gives more
 * than they have. That a login is taken is found only in the commit: each guess costs its author a hash.
 */
async function create(services: IamServices, call: LegacyCall) {
  const namespace = organizationFor(call);
  const body = call.body(AccountBody);
  const [login, email] = [(body.login ?? '').trim(), (body.email ?? '').trim()];
  checkLogin(login, email);
  const password = madePassword(services.environment.passwords.minLength);
  const hash = await services.hashing.hash(password, turnOf(call));
  const name = newUid();
  const profile = { login, email, name: (body.name ?? '').trim(), disabled: false, grafanaAdmin: false };
  const spec: UserSpec = { ...profile, mustChangePassword: true, createdIn: namespace };
  try {
    const user = await call.transact((transaction) => {
      const created = transaction.trusted().objects<UserSpec>('iam/User').create({ metadata: { name }, spec });
      putPassword(transaction, name, hash);
      const bindings = transaction.objects('iam/OrganizationBinding', namespace);
      bindings.create({ metadata: { name }, spec: { userRef: { name }, role: body.role } });
      return created;
    });
    return done('User created', { userId: call.objects('iam/User').idOf(user), uid: name, password });
  } catch (error) {
    throw legacyErrorOf(error, creationErrors(login || email, email || login));
  }
}

/** Nobody takes the address of somebody else as login, as for people who change their own (`foreignLogin`). */
function checkLogin(login: string, email: string): void {
  if (!login.includes('@') || fold(login) === fold(email || login)) return;
  throw plainFailure(400, 'login: with "@" it must be the e-mail address of the user. Choose another login');
}
