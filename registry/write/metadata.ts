import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { KubeObject, ObjectMeta } from '../../pkg/kube/meta/types.js';
import { extended } from '../../pkg/system/object/extended.js';
import type { Kind } from '../kinds/kind.js';

const SERVICE_ACCOUNT = /^system:serviceaccount:[^:]+:(.+)$/;

/** `user:<uid>` or `service-account:<uid>`, the value of createdBy and updatedBy. */
export function identityOf(user: UserInfo): string {
  const account = SERVICE_ACCOUNT.exec(user.name);
  return account === null ? `user:${user.uid || user.name}` : `service-account:${account[1]}`;
}

/** The metadata with exactly the server-owned annotations and labels that `from` has. */
export function withOwnedOf(kind: Kind, metadata: ObjectMeta, from: ObjectMeta | undefined): ObjectMeta {
  const keys = kind.ownedKeys;
  const annotations = replaceKeys(metadata.annotations, from?.annotations, keys.annotations);
  const labels = replaceKeys(metadata.labels, from?.labels, keys.labels);
  if (annotations === metadata.annotations && labels === metadata.labels) return metadata;
  if (annotations !== undefined && labels !== undefined) return { ...metadata, annotations, labels };
  const { annotations: _, labels: __, ...rest } = metadata;
  return extended(rest, { ...(annotations && { annotations }), ...(labels && { labels }) });
}

type StringMap = Readonly<Record<string, string>>;

/** Leaves out an empty map, so that equal objects have equal bytes. */
function replaceKeys(
  map: StringMap | undefined,
  from: StringMap | undefined,
  keys: readonly string[],
): StringMap | undefined {
  const isKept = map === from || keys.every((key) => map?.[key] === from?.[key]);
  const next = isKept ? map : replaced(map, from, keys);
  for (const _ in next) return next;
  return undefined;
}

/** Nothing is deleted from a copy, because V8 makes such objects slow. */
function replaced(map: StringMap = {}, from: StringMap = {}, keys: readonly string[]): StringMap {
  const copy: Record<string, string> = {};
  for (const [key, value] of Object.entries(map)) if (!keys.includes(key)) copy[key] = value;
  for (const key of keys) {
    const value = from[key];
    if (value !== undefined) copy[key] = value;
  }
  return copy;
}

export function withAnnotations(object: KubeObject, more: StringMap): KubeObject {
  const { metadata } = object;
  return { ...object, metadata: extended(metadata, { annotations: extended(metadata.annotations, more) }) };
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
