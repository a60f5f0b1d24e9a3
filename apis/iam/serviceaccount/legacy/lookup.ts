import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure } from '../../../../registry/legacy/errors.js';
import { UID_NAMES } from '../../names.js';
import type { ServiceAccountSpec } from '../schema.js';
import type { Account } from './dto.js';

/** The account of the path, by id or uid. Throws 404, and 403 for callers who may not use this verb on it. */
export function accountOfPath(call: LegacyCall, verb: 'get' | 'update' | 'delete'): Account {
  const text = call.param('id');
  const accounts = call.objects<ServiceAccountSpec>('ServiceAccount');
  const isNumber = /^[0-9]{1,15}$/.test(text);
  const isUid = !isNumber && UID_NAMES.pattern.test(text) && text.length <= UID_NAMES.maxLength;
  const account = isNumber ? accounts.findById(Number(text)) : isUid ? accounts.find(text) : undefined;
  accounts.authorize(verb, account);
  if (account !== undefined) return account as Account;
  throw isNumber || isUid ? plainFailure(404, 'service account not found') : plainFailure(400, 'id is invalid');
}
