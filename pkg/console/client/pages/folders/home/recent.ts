import { ApiError, call } from '../../../lib/api.js';
import { pathOf, type Resource } from '../../../lib/discovery.js';
import type { Mark } from '../../../lib/opened.js';
import { events } from '../../../lib/stream.js';
import { resourceFor } from '../model/kinds.js';
import { orNone } from './none.js';

/** Rows without their objects, which are a quarter of the metadata. The first cell is the name. */
const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';
/**
 * How many revisions of the server are looked at, and for how many seconds. The server does not remember those before
 * its start, and before a change of what the caller may view. Then the part is made smaller.
 */
const [REVISIONS, SECONDS, SMALLER] = [60, 1, 4];
interface Row {
  readonly metadata: { readonly resourceVersion: string };
  readonly rows: readonly { readonly cells: readonly [name: string] }[];
}

/** The folders and dashboards that were changed, the last first, as far as the server remembers changes for watches. */
export async function recentChanges(namespace: string, signal: AbortSignal): Promise<readonly Mark[]> {
  const kinds = (['folders', 'dashboards'] as const).map(async (kind) => {
    const resource = resourceFor(kind);
    if (resource === undefined) return [];
    const found = await changesOf(resource, namespace, signal).catch(orNone<ReadonlyMap<string, number>>(new Map()));
    return [...found].map(([name, revision]) => ({ kind, name, revision }));
  });
  const all = (await Promise.all(kinds)).flat().sort((one, other) => other.revision - one.revision);
  return all.map(({ kind, name }) => ({ kind, name }));
}

async function changesOf(resource: Resource, namespace: string, signal: AbortSignal): Promise<Map<string, number>> {
  const path = pathOf(resource, namespace);
  const { body } = await call<Row>('GET', path, { query: { limit: 1, includeObject: 'None' }, accept: TABLE, signal });
  const now = Number(body.metadata.resourceVersion);
  let from = Math.max(1, now - REVISIONS);
  for (let back = REVISIONS; ; back = Math.floor(back / SMALLER)) {
    try {
      return await followed(path, from, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 410 || back < 1) throw error;
      // The message may end with the oldest revision that the server remembers: "too old resource version: 5 (9)".
      const [, oldest] = /\((\d+)\)$/.exec(error.message) ?? [];
      from = Math.max(Number(oldest ?? 0), now - Math.floor(back / SMALLER));
    }
  }
}

/** The newest revision of each object that was changed since this one and still exists, by its name. */
async function followed(path: string, resourceVersion: number, signal: AbortSignal): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const query = { resourceVersion, timeoutSeconds: SECONDS, includeObject: 'None' };
  for await (const { type, object } of events<Row>(path, { query, accept: TABLE, signal })) {
    const name = object.rows[0]?.cells[0];
    const { resourceVersion: revision } = object.metadata;
    if (name === undefined) continue;
    if (type === 'DELETED') found.delete(name);
    else if (type !== 'BOOKMARK') found.set(name, Number(revision));
  }
  return found;
}
