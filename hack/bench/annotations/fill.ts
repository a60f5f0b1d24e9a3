import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { kinds as allKinds } from '../../../apis/index.js';
import { canonicalJson } from '../../../pkg/json/canonical.js';
import type { KubeObject } from '../../../pkg/meta/types.js';
import { type Kind, kindNamed } from '../../../registry/kind.js';
import { objectKey, resourceDefinition } from '../../../registry/registry.js';
import type { Backend, Put } from '../../../storage/backend.js';
import { decodeObject, encodeText } from '../../../storage/codec.js';
import { openLmdb } from '../../../storage/lmdb/open.js';
import { openMongodb } from '../../../storage/mongodb/open.js';
import type { ResourceDefinition } from '../../../storage/resource.js';
import { ENVIRONMENT } from '../../../test/harness/server.js';
import { annotationSpec, type Data } from './data.js';

/** Larger than those of the engine, because a large batch writes fewer pages. */
const BATCH = 5000;
const REPORT_EVERY = 100_000;

export type Place = { readonly path: string } | { readonly uri: string };

/** Appends annotations to the store of a server that is stopped, after those that it has. */
export async function fillStore(place: Place, data: Data, report: (done: number) => void): Promise<void> {
  const backend =
    'path' in place
      ? await openLmdb({ path: join(place.path, 'store'), domain: ENVIRONMENT.domain })
      : await openMongodb({ uri: place.uri, database: 'apiserver', domain: ENVIRONMENT.domain });
  try {
    const kinds = allKinds(ENVIRONMENT);
    const uids = await uidsOf(backend, kindNamed(kinds, 'Dashboard'));
    const kind = kindNamed(kinds, 'Annotation');
    const definition = resourceDefinition(kind);
    const { resource } = definition;
    const stored = (await backend.counters()).get(resource) ?? 0;
    for (let from = stored; from < data.count; from += BATCH) {
      await append(backend, definition, from, (i) => annotationOf(kind, i, data, uids));
      if (Math.floor((from + BATCH) / REPORT_EVERY) > Math.floor(from / REPORT_EVERY)) report(from + BATCH);
    }
  } finally {
    await backend.close();
  }
}

async function append(
  backend: Backend,
  { resource, rows }: ResourceDefinition,
  from: number,
  annotation: (i: number) => { readonly key: Put['key']; readonly object: KubeObject },
): Promise<void> {
  const after = await backend.end();
  const changes = Array.from({ length: BATCH }, (_, i): Put => {
    const { key, object } = annotation(from + i);
    const revision = after + i + 1;
    return { key, revision, value: encodeText(canonicalJson(object), revision), rows: rows?.(object, key) ?? [] };
  });
  await backend.append(after, { commit: randomUUID(), changes, counters: new Map([[resource, from + BATCH]]) });
}

/** `metadata.uid` of each dashboard. */
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

/** The annotation as the server would store it. */
function annotationOf(kind: Kind, i: number, data: Data, uids: ReadonlyMap<string, string>) {
  const spec = annotationSpec(i, data);
  const uid = uids.get(spec.dashboardUID ?? '');
  const name = `annotation-${randomUUID().slice(0, 13)}`;
  const { internalId, createdBy, updatedBy, updatedTimestamp } = kind.ownedKeys;
  const now = new Date(spec.time).toISOString().replace(/\.\d+Z/, 'Z');
  const object: KubeObject = {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: {
      name,
      namespace: 'default',
      uid: randomUUID(),
      generation: 1,
      creationTimestamp: now,
      labels: { [internalId]: String(i + 1) },
      annotations: {
        [createdBy]: 'user:admin',
        [updatedBy]: 'user:admin',
        [updatedTimestamp]: now,
        ...(uid !== undefined && { [`${kind.domain}/dashboard`]: uid }),
      },
    },
    spec,
  };
  return { key: objectKey(kind, 'default', name), object };
}
