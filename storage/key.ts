/**
 * `<resource>/<namespace>/<name>`, for example `folders.folder.svc.app/default/ops`. The namespace of a cluster-scoped
 * object is empty. No part contains a slash, so the keys of one resource and namespace are a range.
 */
export type Key = string & { readonly __brand: 'Key' };

export function keyOf(resource: string, namespace: string, name: string): Key {
  return `${resource}/${namespace}/${name}` as Key;
}

interface KeyParts {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

export function partsOf(key: Key): KeyParts {
  const first = key.indexOf('/');
  const second = key.indexOf('/', first + 1);
  return { resource: key.slice(0, first), namespace: key.slice(first + 1, second), name: key.slice(second + 1) };
}

export function resourceOf(key: Key): string {
  return key.slice(0, key.indexOf('/'));
}

/** The order of keys in all stores. */
export function compareKeys(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
