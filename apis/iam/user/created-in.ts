import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { forbidden, type GroupResource } from '../../../pkg/kube/status/errors.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import { resourceName } from '../../../registry/kinds/names.js';
import type { WriteContext } from '../../../registry/kinds/strategy.js';
import type { AccountEnvironment } from '../../environment.js';
import { BY_CREATED_IN, type UserSpec } from './schema.js';

type User = KubeObject<UserSpec>;

/** The default of the setting `security.max_organization_accounts`. */
export const MOST_ACCOUNTS = 1000;

interface Write {
  readonly gr: GroupResource;
  readonly user: User;
  readonly old: User | undefined;
}

/**
 * The rules for accounts that administrators of an organization create. Logins and addresses are those of the whole
 * server, so one organization must not take any number of them. Only the server and its administrators say where an
 * account was created. Throws Forbidden.
 */
export function checkCreatedIn({ gr, user, old }: Write, ctx: WriteContext, environment: AccountEnvironment): void {
  const { name } = user.metadata;
  const createdIn = user.spec?.createdIn;
  if (createdIn === old?.spec?.createdIn) return;
  if (ctx.grants() !== undefined)
    throw forbidden(gr, name, 'only the server and its administrators decide about spec.createdIn');
  if (createdIn === undefined) return;
  const most = environment.maxOrganizationAccounts ?? MOST_ACCOUNTS;
  const users = resourceName('iam/users', environment.domain);
  const [counted] = ctx.reader.counts(users, BY_CREATED_IN, [createdIn], 1);
  if ((counted?.count ?? 0) >= most) throw tooMany(gr, name, most);
}

/** The legacy API sends the message because of the identifier: it is no lack of permissions. */
function tooMany(gr: GroupResource, name: string, most: number): ApiError {
  const why =
    most === 0
      ? 'only administrators of the server create accounts (security.max_organization_accounts is 0)'
      : `the administrators of the organization have created ${most} accounts, and may not create more (security.max_organization_accounts). An administrator of the server can create accounts, or delete those that nobody needs`;
  const { code, reason, message, details } = forbidden(gr, name, why);
  return new ApiError({ code, reason, message, details: { ...details, uid: 'accounts.limit' } });
}
