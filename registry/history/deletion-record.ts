import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { ObjectAttributes } from '../kinds/authorizer.js';
import type { Kind } from '../kinds/kind.js';
import { kindOf, type Registry } from '../kinds/registry.js';
import { type Entry, objectOf, type Reader } from '../read/reader.js';
import { identityOf } from '../write/metadata.js';
import { type Deletion, originOf, type Retained, type RetainedSpec, specOf } from '../write/retained.js';

/** The retained record of a deleted object. */
export interface DeletionRecord {
  readonly spec: RetainedSpec & { readonly deletion: Deletion };
  /** The object, or its name alone if it is not in the trash. */
  readonly object: KubeObject;
  /** The entry of the retained object. */
  readonly entry: Entry;
}

export function deletionRecordOf(kind: Kind, entry: Entry): DeletionRecord {
  const { spec, metadata } = objectOf<RetainedSpec>(entry) as Retained;
  const { deletion, name, object } = spec as RetainedSpec;
  if (deletion === undefined) throw new Error(`${entry.key} was not deleted`);
  const { namespace = '' } = metadata;
  const stub: KubeObject = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name, namespace } };
  return { spec: { ...specOf({ spec }), deletion }, object: object ?? stub, entry };
}

/** Whether the user has made the deletion. */
export function isDeletedBy({ spec }: DeletionRecord, user: UserInfo): boolean {
  return spec.deletion.by === identityOf(user);
}

/** No object has this name, so a scope that names it is covered only by grants on all objects. */
const NOWHERE = '';

/**
 * The attributes that decide who may do something with a deleted object: its scopes and those of its containers, if
 * these names still mean the same objects. Otherwise a caller could make a folder with the name of a deleted one, and
 * read the contents of the deleted one.
 */
export function formerAttributes(
  registry: Pick<Registry, 'kinds'>,
  kind: Kind,
  { spec, object }: DeletionRecord,
  reader: Reader,
): ObjectAttributes {
  const { deletion, origin, name } = spec;
  const { namespace = '' } = object.metadata;
  const own = isAnother(kind, reader, namespace, name, origin) ? [] : deletion.scopes;
  return {
    ...inherited(registry, kind, deletion, namespace, own, reader),
    object: () => object,
  };
}

/**
 * The containers up to the nearest one that still exists give their scopes, and may have been restricted. Above them,
 * the present containers count.
 */
function inherited(
  registry: Pick<Registry, 'kinds'>,
  kind: Kind,
  { containers, isRestricted: isSelf }: Deletion,
  namespace: string,
  own: readonly string[],
  reader: Reader,
): Pick<ObjectAttributes, 'scopes' | 'container' | 'about' | 'isRestricted'> {
  const scopes = [...own];
  let isRestricted = isSelf === true;
  let at = kind;
  for (const { name, origin, isRestricted: isPrivate } of containers) {
    const above = kindOf(registry, at.containment?.resource ?? '');
    if (above === undefined) break;
    at = above;
    if (isSame(above, reader, namespace, name, origin))
      return { scopes, container: name, about: undefined, isRestricted };
    if (isPrivate === true) isRestricted = true;
    if (!isAnother(above, reader, namespace, name, origin)) scopes.push(...scopesOf(above, namespace, name));
  }
  return { scopes, container: containers.length === 0 ? undefined : NOWHERE, about: undefined, isRestricted };
}

function scopesOf({ permissions, apiVersion, kind }: Kind, namespace: string, name: string): readonly string[] {
  return permissions?.scopes({ apiVersion, kind, metadata: { name, namespace } }) ?? [];
}

/** Whether a name still means the object with this origin. */
export function isSame(kind: Kind, reader: Reader, namespace: string, name: string, origin: string): boolean {
  const object = reader.get(kind.qualified, namespace, name);
  return object !== undefined && originOf(kind, object) === origin;
}

/** Whether another object has the name now. */
function isAnother(kind: Kind, reader: Reader, namespace: string, name: string, origin: string): boolean {
  const object = reader.get(kind.qualified, namespace, name);
  return object !== undefined && originOf(kind, object) !== origin;
}
