import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BitSet } from '../../../pkg/system/collections/bit-set.js';
import type { Revision } from '../../backend.js';
import { type DamageError, damageOf, isDamage } from '../../damage.js';
import type { Definitions } from '../../state/definitions.js';
import type { Checksums } from '../format/checksums.js';
import { type FileTables, openTables } from '../format/file.js';
import { TableView } from '../format/table-view.js';
import { type KeptFile, type Manifest, readManifest } from './manifest.js';

export const MANIFEST = 'manifest';

/** A file with tables. */
export interface TableFile {
  readonly name: string;
  readonly tables: FileTables;
  readonly checksums: Checksums;
}

/** The store that the tables come from, and their position in its log. */
export interface CheckpointPosition {
  /** All changes up to here are in the tables. */
  readonly revision: Revision;
  /** The newest change that has left anything in them. */
  readonly newest: Revision;
  /** The id of the commit that ends there. It proves that the store is the same, up to there. */
  readonly commit?: string | undefined;
}

/** What a folder keeps of a store. */
export interface Checkpoint extends CheckpointPosition {
  /** Identifies the manifest. */
  readonly manifest: string;
  readonly files: readonly TableFile[];
  /** The tables by resource, without what is gone. */
  readonly parts: ReadonlyMap<string, readonly TableView[]>;
}

/** Where a checkpoint is, and what is needed to read it. */
interface CheckpointSource {
  readonly path: string;
  readonly program: string;
  readonly definitions: Definitions;
  /** Files that are open already. No other file ever has the name of one of them. */
  readonly open: readonly TableFile[];
  readonly onDamage: (error: DamageError) => void;
}

/** Why a folder has nothing that can be used. */
export interface Unusable {
  readonly reason: string;
}

/** Identifies the manifest that a folder has now. `undefined`: it has none. */
export async function manifestIn(path: string): Promise<string | undefined> {
  const status = await stat(join(path, MANIFEST), { bigint: true }).catch(() => undefined);
  return status && `${status.ino} ${status.mtimeNs}`;
}

/** What a folder keeps, or why that is nothing. */
export async function readCheckpoint(source: CheckpointSource): Promise<Checkpoint | Unusable> {
  for (;;) {
    const id = await manifestIn(source.path);
    const manifest = await readManifest(join(source.path, MANIFEST));
    if (id === undefined) return { reason: 'there was nothing' };
    if (manifest === undefined) return { reason: 'the manifest is damaged, or of another version of the server' };
    if (manifest.program !== source.program)
      return { reason: 'another version or other settings of the server wrote it' };
    try {
      return await openCheckpoint(source, id, manifest);
    } catch (error) {
      // The writer may have replaced the manifest meanwhile, and removed files of this one. Otherwise a file is
      // damaged.
      if ((await manifestIn(source.path)) === id) return { reason: reasonOf(error) };
    }
  }
}

function reasonOf(error: unknown): string {
  if (isDamage(error)) return damageOf(error);
  return error instanceof Error ? error.message : String(error);
}

async function openCheckpoint(source: CheckpointSource, id: string, manifest: Manifest): Promise<Checkpoint> {
  const { revision, newest, commit } = manifest;
  const files: TableFile[] = [];
  const parts = new Map<string, TableView[]>();
  for (const keptFile of manifest.files) {
    const file = await openFile(source, keptFile.name);
    files.push(file);
    for (const [resource, part] of partsOf(file, keptFile)) parts.set(resource, [...(parts.get(resource) ?? []), part]);
  }
  return { revision, newest, commit, manifest: id, files, parts };
}

async function openFile(source: CheckpointSource, name: string): Promise<TableFile> {
  const { path, definitions, open, onDamage } = source;
  const known = open.find((file) => file.name === name);
  return known ?? { name, ...(await openTables(join(path, name), definitions, onDamage)) };
}

function* partsOf({ tables }: TableFile, { gone }: KeptFile): Generator<readonly [resource: string, part: TableView]> {
  for (const [resource, table] of tables) {
    const bits = gone[resource];
    yield [resource, new TableView(table, bits === undefined ? new BitSet() : BitSet.of(Buffer.from(bits, 'base64')))];
  }
}
