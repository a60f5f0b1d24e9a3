import { UID_NAMES } from '../../../../registry/kinds/names.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure } from '../../../../registry/legacy/errors.js';
import type { ServiceAccountSpec } from '../schema.js';
import type { Account } from './dto.js';

/** The account of the path, by id or uid. Throws 404, and 403 for callers who may not use this verb on it. */
export function accountOfPath(call: LegacyCall, verb: 'get' | 'update' | 'delete'): Account {
  const text = call.param('id');
  const account = findAccount(call, text);
  call.objects('iam/ServiceAccount').authorize(verb, account);
  if (account !== undefined) return account;
  throw isNumber(text) || isUid(text)
    ? plainFailure(404, 'service account not found')
    : plainFailure(400, 'id is invalid');
}

/** The account with this id or uid, whether or not the caller may view it. */
export function findAccount(call: LegacyCall, text: string): Account | undefined {
  const accounts = call.objects<ServiceAccountSpec>('iam/ServiceAccount');
  if (isNumber(text)) return accounts.findById(Number(text)) as Account | undefined;
  return isUid(text) ? (accounts.find(text) as Account | undefined) : undefined;
}

function isNumber(text: string): boolean {
  return /^[0-9]{1,15}$/.test(text);
}

function isUid(text: string): boolean {
  return !isNumber(text) && UID_NAMES.pattern.test(text) && text.length <= UID_NAMES.maxLength;
}
