import type { KubeObject } from '../pkg/meta/types.js';
import { whenResident } from '../storage/residency.js';
import type { Kind } from './kind.js';
import { type Entry, found, type Reader } from './reader.js';
import type { Registry } from './registry.js';

type Known = Pick<Registry, 'reader' | 'namespaces'>;

/** Containers farther out are read when they are needed. */
const DEEPEST = 16;

/** An object that a request names, or the one that it sends. */
export interface Named {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  readonly sent?: KubeObject;
}

/**
 * Resolves when an object, and those that a request for it reads because of it, can be read without waiting for the disk: its namespace, its containers, and
 * what the sent object references. `undefined` if they can be now. Verbs and commits read without waiting, and others would have to wait with them.
 */
export function readAhead(registry: Known, named: Named): Promise<void> | undefined {
  for (const entry of entriesFor(registry, named)) {
    // What follows depends on what is in the entry.
    const waiting = whenResident([entry]);
    if (waiting !== undefined) return waiting.then(() => readAhead(registry, named));
  }
  return undefined;
}

/** Nothing of an entry is read before the next one is asked for. */
function* entriesFor(registry: Known, { kind, namespace, name, sent }: Named): Generator<Entry, void, undefined> {
  const { reader, namespaces } = registry;
  if (kind.scope === 'Namespaced' && namespaces !== undefined)
    yield* found(reader.entry(namespaces.qualified, '', namespace));
  const entry = reader.entry(kind.qualified, namespace, name);
  yield* found(entry);
  yield* containersFrom(reader, kind, namespace, entry?.attributes.container);
  if (sent === undefined) return;
  yield* containersFrom(reader, kind, namespace, kind.containment?.container(sent));
  for (const one of kind.references?.(sent) ?? []) yield* found(reader.entry(one.resource, one.namespace, one.name));
}

/** A container, then the one that it lies in, and so on. */
function* containersFrom(
  reader: Reader,
  { containment }: Kind,
  namespace: string,
  innermost: string | undefined,
): Generator<Entry, void, undefined> {
  let name = innermost;
  for (let depth = 0; containment !== undefined && name !== undefined && depth < DEEPEST; depth++) {
    const entry = reader.entry(containment.resource, namespace, name);
    yield* found(entry);
    name = entry?.attributes.container;
  }
}
