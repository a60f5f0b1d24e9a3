import { isAnonymous } from '../identity/authn/user.js';
import { addressKey } from '../system/net/address.js';
import type { RequestState } from './request.js';

/** The flow that a request belongs to: its user, or its address as long as the user is not known. */
export function flowOf({ user, client }: Pick<RequestState, 'user' | 'client'>): string {
  if (isAnonymous(user)) return `address:${addressKey(client.remoteAddress)}`;
  return user.uid === '' ? `name:${user.name}` : user.uid;
}
