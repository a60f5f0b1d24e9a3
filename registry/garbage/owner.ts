import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { partsOf } from '../../storage/key.js';
import type { Client } from '../client/client.js';
import { FOREGROUND, finalizersOf, ORPHAN } from '../kinds/propagation.js';
import { inPages } from '../read/pages.js';
import { objectOf } from '../read/reader.js';
import { withOwners, withoutFinalizer } from '../write/collected.js';
import { dependentsOf, isBlocking, type KindEntry, names } from '../write/owners.js';

type Collect = (dependents: readonly KindEntry[]) => Promise<void>;

/**
 * Does what the finalizers of a terminating object ask for: deletes what it owns, or leaves it without this owner. Then
 * it removes the finalizer.
 */
export async function finishOwner(client: Client, found: KindEntry, collect: Collect): Promise<void> {
  const owner = objectOf(found.entry);
  const finalizers = finalizersOf(owner);
  if (finalizers.includes(ORPHAN)) await orphan(client, found, owner);
  if (!finalizers.includes(FOREGROUND)) return;
  for (const page of dependentPages(client, owner)) await collect(page);
  await releaseOwner(client, found);
}

/** Releases an object that is being deleted in the foreground, if no dependent blocks it any more. */
export async function releaseOwner(client: Client, { kind, entry }: KindEntry): Promise<void> {
  const { registry } = client;
  const owner = objectOf(entry);
  for (const dependent of dependentsOf(registry, registry.reader, owner))
    if (dependent.entry.key !== entry.key && isBlocking(registry, dependent, owner)) return;
  const { namespace, name } = partsOf(entry.key);
  await client.collect(kind, namespace, name, withoutFinalizer(owner.metadata.uid, FOREGROUND));
}

async function orphan(client: Client, { kind, entry }: KindEntry, owner: KubeObject): Promise<void> {
  for (const page of dependentPages(client, owner)) {
    await Promise.all(page.map((dependent) => disown(client, dependent, owner)));
  }
  const { namespace, name } = partsOf(entry.key);
  await client.collect(kind, namespace, name, withoutFinalizer(owner.metadata.uid, ORPHAN));
}

function disown(client: Client, { kind, entry }: KindEntry, owner: KubeObject): Promise<void> {
  const { namespace, name } = partsOf(entry.key);
  const without = withOwners(objectOf(entry).metadata.uid, (owners) =>
    owners.filter((reference) => !names(client.registry, reference, owner)),
  );
  return client.collect(kind, namespace, name, without);
}

function dependentPages({ registry }: Client, owner: KubeObject): Iterable<readonly KindEntry[]> {
  return inPages(dependentsOf(registry, registry.reader, owner));
}
