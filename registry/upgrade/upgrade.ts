import { randomUUID } from 'node:crypto';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Cacher } from '../../storage/cacher/cacher.js';
import type { TransactionState } from '../../storage/engine/transaction.js';
import { StorageError } from '../../storage/errors.js';
import { type Key, keyOf } from '../../storage/key.js';
import { decodeObject } from '../../storage/state/codec.js';
import type { Entry } from '../../storage/state/entry.js';
import type { Kind } from '../kinds/kind.js';
import type { Registry } from '../kinds/registry.js';
import { type Migration, versionOf } from './migration.js';
import { FIRST_VERSION, SCHEMA_NAME, STORE_SCHEMA, type StoreSchemaSpec } from './schema.js';

/** Objects of one commit. Others write in between. */
const CHUNK = 200;

export interface UpgradeOptions {
  readonly registry: Pick<Registry, 'compiled' | 'cacher' | 'writer' | 'clock'>;
  readonly migrations: readonly Migration[];
  /** Called after each step with the number of objects that were looked at. */
  readonly report: (migration: Migration, done: number) => void;
  /** Stops between two steps. A later run continues there. */
  readonly signal?: AbortSignal;
}

type Schema = KubeObject<StoreSchemaSpec>;

/**
 * Brings the stored data to the version of this server. Throws `refused` if a later version has written data that this
 * one cannot read.
 *
 * Each commit changes some objects, and notes in the object of the version how far it came. It is only made if that
 * object is still as it was read, so each step is done once, also if several servers do this at the same time or one is
 * stopped.
 */
export async function upgrade(options: UpgradeOptions): Promise<void> {
  const { migrations, signal } = options;
  const known = versionOf(migrations, FIRST_VERSION);
  while (signal?.aborted !== true) {
    const { object, revision } = await readSchema(options);
    const { version, reads } = object.spec as StoreSchemaSpec;
    if (reads > known) throw tooNew(version, known);
    const next = migrations.find(({ to }) => to === version + 1);
    if (next === undefined) return;
    await step(options, next, object, revision);
  }
}

function tooNew(version: number, known: number): StorageError {
  return new StorageError(
    'refused',
    `The data was written by a later version of the server: it has version ${version}, and this server knows versions up to ${known}. Start the later version, or restore a backup from before the update.`,
  );
}

async function readSchema({
  registry,
}: UpgradeOptions): Promise<{ readonly object: Schema; readonly revision: number }> {
  const { cacher, clock } = registry;
  await cacher.fresh();
  const kind = schemaKind(registry);
  const entry = cacher.state.resource(kind.qualified).get(schemaKey(kind));
  if (entry !== undefined) return { object: decodeObject(entry.value) as Schema, revision: entry.revision };
  const creationTimestamp = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  const metadata = { name: SCHEMA_NAME, uid: randomUUID(), generation: 1, creationTimestamp };
  const spec = { version: FIRST_VERSION, reads: FIRST_VERSION };
  return { object: { apiVersion: kind.apiVersion, kind: kind.kind, metadata, spec }, revision: 0 };
}

async function step(options: UpgradeOptions, migration: Migration, schema: Schema, revision: number): Promise<void> {
  const { registry, report } = options;
  const { spec } = schema;
  const pending = spec?.migration?.to === migration.to ? spec.migration : undefined;
  const at = pending?.resource ?? migration.resources[0] ?? '';
  const rows = entriesBehind(registry.cacher, at, pending?.position);
  const done = (pending?.done ?? 0) + rows.length;
  const following = migration.resources[migration.resources.indexOf(at) + 1];
  const next = nextSpec(migration, { at, rows, following, done });
  const kind = schemaKind(registry);
  await registry.writer.transact({
    run: (state) => {
      const now = state.resource(kind.qualified).get(schemaKey(kind));
      // Another server was faster.
      if ((now?.revision ?? 0) !== revision) return;
      for (const { key } of rows) change(state, at, key, migration);
      const { resourceVersion: _revision, ...metadata } = schema.metadata;
      state.put(schemaKey(kind), { ...schema, metadata, spec: next });
    },
  });
  report(migration, done);
}

interface Step {
  readonly at: string;
  readonly rows: readonly Entry[];
  readonly following: string | undefined;
  readonly done: number;
}

/** What is noted after the step. Older servers are refused from the first step on. */
function nextSpec({ to, reads }: Migration, { at, rows, following, done }: Step): StoreSchemaSpec {
  const last = rows.at(-1)?.key;
  if (rows.length === CHUNK && last !== undefined)
    return { version: to - 1, reads, migration: { to, resource: at, position: last, done } };
  if (following === undefined) return { version: to, reads };
  return { version: to - 1, reads, migration: { to, resource: following, position: '', done } };
}

function entriesBehind(cacher: Cacher, resource: string, position: string | undefined): readonly Entry[] {
  return cacher.state.resource(resource).first(position ? `${position}\0` : `${resource}/`, `${resource}0`, CHUNK);
}

function change(state: TransactionState, resource: string, key: Key, migration: Migration): void {
  const entry = state.resource(resource).get(key);
  if (entry === undefined) return;
  const changed = migration.change(decodeObject(entry.value) as KubeObject);
  if (changed === undefined) return;
  const { resourceVersion: _revision, ...metadata } = changed.metadata;
  state.put(key, { ...changed, metadata });
}

function schemaKind({ compiled }: Pick<Registry, 'compiled'>): Kind {
  return compiled.get(`internal/${STORE_SCHEMA}`);
}

function schemaKey(kind: Kind): Key {
  return keyOf(kind.qualified, '', SCHEMA_NAME);
}
