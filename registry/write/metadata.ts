import type { UserInfo } from '../../pkg/authn/user.js';
import type { KubeObject, ObjectMeta } from '../../pkg/meta/types.js';
import type { Kind } from '../kind.js';

/** The metadata keys that belong to the server: what a client sends for them is ignored, what it omits is kept. */
export interface OwnedKeys {
  readonly createdBy: string;
  readonly updatedBy: string;
  readonly updatedTimestamp: string;
  readonly internalId: string;
}

const known = new Map<string, OwnedKeys>();

export function ownedKeys(domain: string): OwnedKeys {
  let keys = known.get(domain);
  if (keys === undefined) {
    keys = {
      createdBy: `${domain}/createdBy`,
      updatedBy: `${domain}/updatedBy`,
      updatedTimestamp: `${domain}/updatedTimestamp`,
      internalId: `${domain}/deprecatedInternalID`,
    };
    known.set(domain, keys);
  }
  return keys;
}

const SERVICE_ACCOUNT = /^system:serviceaccount:[^:]+:(.+)$/;

/** `user:<uid>` or `service-account:<uid>`, the value of createdBy and updatedBy. */
export function identityOf(user: UserInfo): string {
  const account = SERVICE_ACCOUNT.exec(user.name);
  return account === null ? `user:${user.uid || user.name}` : `service-account:${account[1]}`;
}

/** The object with exactly the server-owned annotations and labels that `from` has. */
export function withOwnedOf(kind: Kind, object: KubeObject, from: ObjectMeta | undefined): KubeObject {
  const keys = ownedKeys(kind.domain);
  const annotations = replaceKeys(object.metadata.annotations, from?.annotations, [
    keys.createdBy,
    keys.updatedBy,
    keys.updatedTimestamp,
  ]);
  const labels = replaceKeys(object.metadata.labels, from?.labels, [keys.internalId]);
  const { annotations: _, labels: __, ...rest } = object.metadata;
  return { ...object, metadata: { ...rest, ...(annotations && { annotations }), ...(labels && { labels }) } };
}

type StringMap = Readonly<Record<string, string>>;

/** A map without entries is left out, so that equal objects have equal bytes. */
function replaceKeys(
  map: StringMap | undefined,
  from: StringMap | undefined,
  keys: readonly string[],
): StringMap | undefined {
  const others = Object.entries(map ?? {}).filter(([key]) => !keys.includes(key));
  const owned = Object.entries(from ?? {}).filter(([key]) => keys.includes(key));
  return others.length + owned.length === 0 ? undefined : Object.fromEntries([...others, ...owned]);
}

export function withAnnotations(object: KubeObject, more: StringMap): KubeObject {
  return { ...object, metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...more } } };
}

export function withLabels(object: KubeObject, more: StringMap): KubeObject {
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...more } } };
}

let lastStamp = { second: Number.NaN, text: '' };

/** RFC 3339 in seconds, UTC. Every write asks for it, mostly in the same second. */
export function timestamp(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== lastStamp.second) {
    lastStamp = { second, text: `${new Date(milliseconds).toISOString().slice(0, 19)}Z` };
  }
  return lastStamp.text;
}
