import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { kinds as allKinds } from '../../apis/kinds.js';
import { canonicalJson } from '../../pkg/kube/json/canonical.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { CompiledKinds, type KindName } from '../../registry/kinds/compiled.js';
import type { Kind } from '../../registry/kinds/kind.js';
import { objectKey, resourceDefinition } from '../../registry/kinds/registry.js';
import type { Backend, Batch, Put } from '../../storage/backend.js';
import { isStorageError } from '../../storage/errors.js';
import { openLmdb } from '../../storage/lmdb/open.js';
import { openMongodb } from '../../storage/mongodb/open.js';
import { decodeObject, encodeText } from '../../storage/state/codec.js';
import { ENVIRONMENT } from '../../test/harness/server.js';

/** A large batch writes fewer pages of the embedded store, but a transaction of MongoDB must fit into its cache. */
const EMBEDDED_BATCH = 5000;
const MONGODB_BATCH = 500;
const TRIES = 10;
const REPORT_EVERY = 100_000;

export type Place = { readonly path: string } | { readonly uri: string };

/** The parts of an object that the server does not set by itself. */
export interface Made {
  readonly name: string;
  /** The login of the author. */
  readonly author: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Annotations without the domain. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: object;
  /** Absent: 1. */
  readonly generation?: number;
}

export interface Filling {
  /** The name of the kind. */
  readonly kind: KindName;
  readonly count: number;
  make(i: number, uids: ReadonlyMap<string, string>): Made;
  /** The name of a kind whose names and `metadata.uid` `make` gets. */
  readonly owners: KindName;
  report(done: number): void;
}

/** Appends objects of a kind to the store of a server that is stopped, after those that it has. */
export async function fillStore(place: Place, { kind: name, count, make, owners, report }: Filling): Promise<void> {
  const { domain } = ENVIRONMENT;
  const batch = 'path' in place ? EMBEDDED_BATCH : MONGODB_BATCH;
  const backend =
    'path' in place
      ? await openLmdb({ path: join(place.path, 'store'), domain })
      : await openMongodb({ uri: place.uri, database: 'apiserver', domain });
  try {
    const compiled = new CompiledKinds(allKinds(ENVIRONMENT));
    const kind = compiled.get(name);
    const uids = await uidsOf(backend, compiled.get(owners));
    const stored = (await backend.counters()).get(kind.qualified) ?? 0;
    for (let from = stored; from < count; from += batch) {
      await append(backend, kind, { from, batch }, (i) => make(i, uids));
      // A server would otherwise carry all of the log into the objects at its start.
      await backend.materialize?.();
      if (Math.floor((from + batch) / REPORT_EVERY) > Math.floor(from / REPORT_EVERY)) report(from + batch);
    }
  } finally {
    await backend.close();
  }
}

async function append(
  backend: Backend,
  kind: Kind,
  { from, batch }: { readonly from: number; readonly batch: number },
  make: (i: number) => Made,
): Promise<void> {
  const { resource } = resourceDefinition(kind);
  const after = await backend.end();
  const changes = Array.from({ length: batch }, (_, i): Put => {
    const object = storedObject(kind, from + i, make(from + i));
    const key = objectKey(kind, 'default', object.metadata.name);
    const revision = after + i + 1;
    return {
      key,
      revision,
      value: encodeText(canonicalJson(object), revision),
    };
  });
  const counters = new Map([[resource, from + batch]]);
  await appendAnyhow(backend, after, { commitId: randomUUID(), changes, counters });
}

/** A busy MongoDB refuses some of the large transactions. */
async function appendAnyhow(backend: Backend, after: number, batch: Batch): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await backend.append(after, batch);
    } catch (error) {
      if (!isStorageError(error, 'unavailable') || tries === TRIES) throw error;
    }
  }
}

/** `metadata.uid` of the objects of a kind, by name. */
async function uidsOf(backend: Backend, kind: Kind): Promise<ReadonlyMap<string, string>> {
  const uids = new Map<string, string>();
  for await (const chunk of backend.load(kind.qualified)) {
    for (const { value } of chunk) {
      const { metadata } = decodeObject(value) as KubeObject;
      uids.set(metadata.name, metadata.uid ?? '');
    }
  }
  return uids;
}

/** The object as the server would store it. */
export function storedObject(kind: Kind, i: number, { generation = 1, ...made }: Made): KubeObject {
  const { name, author, at, annotations, spec } = made;
  const { internalId, createdBy, updatedBy, updatedTimestamp } = kind.ownedKeys;
  const time = new Date(at).toISOString().replace(/\.\d+Z/, 'Z');
  const own = Object.entries(annotations).map(([key, value]) => [`${kind.domain}/${key}`, value]);
  const by = `user:${author}`;
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: {
      name,
      namespace: 'default',
      uid: randomUUID(),
      generation,
      creationTimestamp: time,
      labels: { [internalId]: String(i + 1) },
      annotations: { [createdBy]: by, [updatedBy]: by, [updatedTimestamp]: time, ...Object.fromEntries(own) },
    },
    spec,
  };
}
