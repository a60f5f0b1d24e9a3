import { fold } from '../../../../pkg/kube/meta/fold.js';
import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import { flag } from '../../../../registry/legacy/body.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { requireAction } from '../../../../registry/legacy/errors.js';
import { type Entry, objectOf } from '../../../../registry/read/reader.js';
import type { TokenSpec } from '../../../internal/token/schema.js';
import { findPage, pageOf, queryText } from '../../legacy/lists.js';
import type { IamServices } from '../../legacy/services.js';
import { BY_TITLE } from '../schema.js';
import { type Account, accountDto } from './dto.js';

/** The tokens of a service account. */
export function tokensOf(
  { tokens }: IamServices,
  call: LegacyCall,
  { metadata }: Account,
): readonly KubeObject<TokenSpec>[] {
  return tokens.list(call.organization.namespace, metadata.name);
}

/** A page of the service accounts that the caller may view and that match the query, by title. */
export function searchAccounts(services: IamServices, call: LegacyCall): unknown {
  const accounts = call.objects('iam/ServiceAccount');
  requireAction(accounts, 'serviceaccounts:read');
  const page = pageOf(call.query);
  const all = accounts.entries({ index: BY_TITLE, prefix: [call.organization.namespace] });
  const entries = filtered(services, call, all);
  const found = findPage({ ...page, filter: accounts.readFilter(), entries, query: queryText(call.query, fold) });
  const serviceAccounts = found.entries.map((entry) => {
    const account = objectOf(entry) as Account;
    return accountDto(call, account, tokensOf(services, call, account).length);
  });
  return { totalCount: found.totalCount, serviceAccounts, ...page };
}

/** Without those that a filter of the request excludes. */
function filtered(services: IamServices, call: LegacyCall, entries: Iterable<Entry>): Iterable<Entry> {
  const isDisabled = flag(call.query, 'disabled');
  const isExpired = flag(call.query, 'expiredTokens');
  if (!isDisabled && !isExpired) return entries;
  const fits = (account: Account): boolean =>
    (!isDisabled || account.spec.disabled) && (!isExpired || hasExpired(services, call, account));
  return [...entries].filter((entry) => fits(objectOf(entry) as Account));
}

/** Whether a token of the service account has expired. */
function hasExpired(services: IamServices, call: LegacyCall, account: Account): boolean {
  const now = call.now();
  return tokensOf(services, call, account).some(
    ({ spec }) => spec?.expires !== undefined && Date.parse(spec.expires) <= now,
  );
}
