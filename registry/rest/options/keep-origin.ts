import type { ApiRequest } from '../../../pkg/http/handler.js';
import { badRequest, forbidden } from '../../../pkg/kube/status/errors.js';
import { isMaster } from '../../kinds/authorizer.js';
import type { VerbTarget } from '../verb.js';

/** The query parameter of POST and PUT with which objects keep what they have of another server (docs/adr/0064). */
export const KEEP_ORIGIN = 'keepOrigin';

/**
 * Whether a write keeps times, authors and integer ids. Throws 400 for a value that is no boolean, and 403 for callers
 * who are not administrators of the server: they could say that somebody else has written something.
 */
export function keepsOrigin({ query, user }: ApiRequest, { info, kind }: Pick<VerbTarget, 'info' | 'kind'>): boolean {
  const text = query.get(KEEP_ORIGIN);
  if (text === null || text === 'false') return false;
  if (text !== 'true') throw badRequest(`the query parameter "${KEEP_ORIGIN}" must be true or false`);
  if (info.subresource !== '') throw badRequest(`the query parameter "${KEEP_ORIGIN}" is for whole objects`);
  if (!isMaster(user)) throw forbidden(kind, info.name, `only administrators of the server may use ${KEEP_ORIGIN}`);
  return true;
}
