import { grantsOf, type Permission } from '../../pkg/identity/authz/grants.js';
import type { KubeObject, ObjectMeta } from '../../pkg/kube/meta/types.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import type { Kind } from '../kinds/kind.js';
import type { DeleteContext } from '../kinds/strategy.js';
import { readerOf } from './reader.js';

export const NAMESPACE = 'default';

export function objectOfKind<Spec>(
  kind: Kind<Spec>,
  name: string,
  spec: object = {},
  metadata: Partial<ObjectMeta> = {},
): KubeObject<Spec> {
  const place = kind.scope === 'Namespaced' ? { namespace: NAMESPACE } : {};
  const { apiVersion, kind: named } = kind;
  return { apiVersion, kind: named, metadata: { name, uid: `${name}-uid`, ...place, ...metadata }, spec: spec as Spec };
}

/** The context of a write or delete by a caller who views everything, on a state with these objects. */
export function contextWith(
  objects: readonly (readonly [Kind, KubeObject])[] = [],
  more: Partial<DeleteContext> = {},
): DeleteContext {
  const reader = readerOf(objects);
  return {
    reader,
    user: { name: 'ann', uid: 'ann', groups: [], extra: {} },
    namespace: NAMESPACE,
    now: '2026-01-01T00:00:00Z',
    grants: () => undefined,
    visible: (...key) => reader.get(...key),
    isGoing: () => false,
    ...more,
  };
}

/** The grants of a caller with these permissions. */
export function granted(...permissions: readonly Permission[]): Pick<DeleteContext, 'grants'> {
  const grants = grantsOf(permissions);
  return { grants: () => grants };
}

/** The code and the message of what is thrown. */
export function thrown(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${error.code} ${error.message}`;
  }
  return '';
}
