import { SYSTEM_USER } from '../../../authentication/bootstrap.js';
import { IAM, nameOf } from '../../../testing/cast.js';
import {
  accessRequests,
  idOf,
  internalId,
  type LegacyContext,
  type LegacyExamples,
  type LegacyTry,
} from '../../../testing/legacy-examples.js';

async function token({ cast: { accounts, fresh }, shared }: LegacyContext): Promise<LegacyTry> {
  const account = await shared('account');
  const { name } = account.metadata;
  const { token: issued } = await accounts.tokens.issue(
    { namespace: 'default', account: name, title: fresh('token') },
    { user: SYSTEM_USER },
  );
  return { path: `/serviceaccounts/${internalId(account)}/tokens/${internalId(issued)}` };
}

export const legacy: LegacyExamples = {
  rows: `
#                                                     anon viewer editor admin root botV botA member lead outsider
# Service accounts and their tokens: for administrators of the organization
GET    /serviceaccounts/search                        401  403    403    yes   yes  403  yes  403    403  403
POST   /serviceaccounts                               401  403    403    yes   yes  403  yes  403    403  403
GET    /serviceaccounts/:id                           401  403    403    yes   yes  403  yes  403    403  403
PATCH  /serviceaccounts/:id                           401  403    403    yes   yes  403  yes  403    403  403
DELETE /serviceaccounts/:id                           401  403    403    yes   yes  403  yes  403    403  403
GET    /serviceaccounts/:id/tokens                    401  403    403    yes   yes  403  yes  403    403  403
POST   /serviceaccounts/:id/tokens                    401  403    403    yes   yes  403  yes  403    403  403
DELETE /serviceaccounts/:id/tokens/:tokenId           401  403    403    yes   yes  403  yes  403    403  403
GET    /access-control/serviceaccounts/description    401  403    403    yes   yes  403  yes  403    403  403
GET    /access-control/serviceaccounts/:uid           401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/serviceaccounts/:uid           401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/serviceaccounts/:uid/users/:userId 401 403 403    yes   yes  403  yes  403    403  403
POST   /access-control/serviceaccounts/:uid/teams/:teamId 401 403 403    yes   yes  403  yes  403    403  403
POST   /access-control/serviceaccounts/:uid/builtInRoles/:role 401 403 403 yes yes  403  yes  403    403  403
`,
  objects: {
    account: ({ made, fresh }) => made(IAM, 'ServiceAccount', fresh('account'), { title: fresh('Account') }),
  },
  params: {
    ':uid': (targets) => nameOf(targets('account')),
    ':id': (targets) => idOf(targets('account')),
  },
  requests: {
    'GET /serviceaccounts/search': async ({ shared }) => ({ shows: await nameOf(shared('account')) }),
    'POST /serviceaccounts': async ({ cast }) => ({ body: { name: cast.fresh('bot'), role: 'Viewer' } }),
    'PATCH /serviceaccounts/:id': async ({ cast }) => ({ body: { name: cast.fresh('bot') } }),
    'POST /serviceaccounts/:id/tokens': async ({ cast }) => ({ body: { name: cast.fresh('token') } }),
    'DELETE /serviceaccounts/:id/tokens/:tokenId': (context) => token(context),
    ...accessRequests('/access-control/serviceaccounts/:uid', 'Edit'),
  },
};
