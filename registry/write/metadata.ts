import type { UserInfo } from '../../pkg/authn/user.js';
import type { KubeObject, ObjectMeta } from '../../pkg/meta/types.js';
import type { Kind } from '../kind.js';

const SERVICE_ACCOUNT = /^system:serviceaccount:[^:]+:(.+)$/;

/** `user:<uid>` or `service-account:<uid>`, the value of createdBy and updatedBy. */
export function identityOf(user: UserInfo): string {
  const account = SERVICE_ACCOUNT.exec(user.name);
  return account === null ? `user:${user.uid || user.name}` : `service-account:${account[1]}`;
}

/** The metadata with exactly the server-owned annotations and labels that `from` has. */
export function withOwnedOf(kind: Kind, metadata: ObjectMeta, from: ObjectMeta | undefined): ObjectMeta {
  const keys = kind.ownedKeys;
  const { annotations, labels, ...rest } = metadata;
  const ownAnnotations = replaceKeys(annotations, from?.annotations, keys.annotations);
  const ownLabels = replaceKeys(labels, from?.labels, keys.labels);
  return { ...rest, ...(ownAnnotations && { annotations: ownAnnotations }), ...(ownLabels && { labels: ownLabels }) };
}

type StringMap = Readonly<Record<string, string>>;

/** Leaves out an empty map, so that equal objects have equal bytes. */
function replaceKeys(
  map: StringMap | undefined,
  from: StringMap | undefined,
  keys: readonly string[],
): StringMap | undefined {
  if (map === from) return map !== undefined && Object.keys(map).length > 0 ? map : undefined;
  const result: Record<string, string> = { ...map };
  for (const key of keys) {
    const value = from?.[key];
    if (value === undefined) delete result[key];
    else result[key] = value;
  }
  return Object.keys(result).length > 0 ? result : undefined;
}

export function withAnnotations(object: KubeObject, more: StringMap): KubeObject {
  return { ...object, metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...more } } };
}

let lastStamp = { second: Number.NaN, text: '' };

/** RFC 3339 in seconds, UTC. The last result is remembered, because many writes fall into the same second. */
export function timestamp(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== lastStamp.second) {
    lastStamp = { second, text: `${new Date(milliseconds).toISOString().slice(0, 19)}Z` };
  }
  return lastStamp.text;
}
