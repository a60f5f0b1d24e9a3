import { MASTERS_GROUP, type UserInfo } from '../../../pkg/identity/authn/user.js';
import { grantsOf, type Permission } from '../../../pkg/identity/authz/grants.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import { type Authorizer, newAttributes, type RequestAttributes } from '../../kinds/authorizer.js';
import type { Kind } from '../../kinds/kind.js';
import { readerOf } from '../../testing/reader.js';
import { createAuthorizer } from '../permission-authorizer.js';
import { BOX, KINDS, type Notes, objectOf, TOY } from './boxes.js';

export const USER: UserInfo = { name: 'ann', uid: 'anns', groups: [], extra: {} };
export const MASTER: UserInfo = { ...USER, groups: [MASTERS_GROUP] };

/** The box `inner` is in `outer`, which is on the floor. The toy `bear` is in `inner`, and `ball` on the floor. */
export const READER = readerOf([
  [BOX, objectOf(BOX, 'outer')],
  [BOX, objectOf(BOX, 'round', { in: 'round' })],
  [BOX, objectOf(BOX, 'inner', { in: 'outer' })],
  [TOY, objectOf(TOY, 'bear', { in: 'inner' })],
  [TOY, objectOf(TOY, 'ball')],
]);

/** Permissions as `action scope`, or `action scope basic` for those of a basic role. */
export const granted = (texts: readonly string[]): readonly Permission[] =>
  texts.map((text) => {
    const [action = '', scope = '', basic] = text.split(' ');
    return { action, scope, ...(basic === 'basic' && { isBasic: true }) };
  });

export function authorizer(permissions: readonly string[], isMember = true): Authorizer {
  const grants = grantsOf(granted(permissions));
  const resolved = { grants: () => grants, isMember: () => isMember, isCurrent: () => true };
  return createAuthorizer(KINDS, { resolve: () => resolved });
}

export interface Asked extends Partial<Omit<RequestAttributes, 'object' | 'old'>> {
  /** Absent: there is no such object. */
  readonly notes?: Notes;
  readonly before?: Notes;
}

export function request(
  verb: string,
  kind: Kind,
  name: string,
  { notes, before, ...more }: Asked = {},
): RequestAttributes {
  const namespace = kind.scope === 'Cluster' ? '' : 'default';
  const attributes = (one: Notes) => newAttributes(kind, objectOf(kind, name, one));
  const [object, old] = [notes && attributes(notes), before && attributes(before)];
  return { user: USER, verb, kind, namespace, name, ...(object && { object }), ...(old && { old }), ...more };
}

/** What a caller with these permissions lacks. */
export const lacks = (permissions: readonly string[], asked: RequestAttributes): readonly string[] | undefined =>
  authorizer(permissions).missing(asked, READER);

export function refusal(work: () => void): ApiError | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return undefined;
}
