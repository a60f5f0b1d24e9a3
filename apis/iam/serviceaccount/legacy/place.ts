import { ON_SERVICE_ACCOUNT } from '../../creator.js';
import type { BindingTarget } from '../../rolebinding/legacy/place.js';
import { BY_SERVICE_ACCOUNT } from '../../rolebinding/schema.js';
import { SERVICE_ACCOUNT_SETS } from '../access.js';
import { findAccount } from './lookup.js';

/** Permissions on service accounts: who may manage them. */
export const ACCOUNT_PLACE: BindingTarget = {
  kind: 'iam/ServiceAccount',
  plural: 'serviceaccounts',
  index: BY_SERVICE_ACCOUNT,
  sets: SERVICE_ACCOUNT_SETS,
  errors: [{ code: 404, status: 404, body: { message: 'service account not found' } }],
  fallback: 'Failed to update service account',
  ...ON_SERVICE_ACCOUNT,
  find: findAccount,
  above: () => undefined,
};
