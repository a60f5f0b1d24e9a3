import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../../pkg/system/errors/message.js';
import { StorageError } from '../errors.js';

const HEADER = 24;
const MAGIC = 0xbeefc0de;
const META_BYTES = HEADER + 136;
const LEAST_PAGE = 4096;
/** The roots of the list of free pages and of the tables, in a meta page. */
const ROOTS = [88, 136];

/** The content of a meta page. LMDB has two, and the newer one counts. */
interface Meta {
  readonly pageSize: number;
  readonly pages: number;
  readonly transaction: bigint;
  readonly roots: readonly bigint[];
}

/**
 * Whether there is a data file in the folder. Throws `refused` if this user may not look, because that does not mean
 * that there is no store.
 */
export function hasDataFile(folder: string): boolean {
  try {
    return statSync(join(folder, 'data.mdb'), { throwIfNoEntry: false }) !== undefined;
  } catch (cause) {
    const [reached, uid] = ownerOf(resolve(folder));
    const message = `The folder ${folder} cannot be read: ${messageOf(cause)}. The folder ${reached} belongs to user ${uid}. Run this as that user or as root.`;
    throw new StorageError('refused', message, { cause });
  }
}

/** The last folder on the path that can be reached, and the id of its owner. */
function ownerOf(folder: string): readonly [string, number] {
  try {
    return [folder, statSync(folder).uid];
  } catch (error) {
    if (dirname(folder) === folder) throw error;
    return ownerOf(dirname(folder));
  }
}

/** Throws if the file is foreign or incomplete, because lmdb-js would crash the process on it, without a message. */
export function checkDataFile(file: string): void {
  const descriptor = openSync(file, 'r');
  try {
    check(file, descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function check(file: string, descriptor: number): void {
  const { size } = fstatSync(descriptor);
  // A first start that was killed leaves such a file, too. But the file of a lost store looks the same, and a new store
  // would hide that data was lost.
  if (size === 0) throw new Error(`${file} is empty. ${RESTORE(file)} If the server has never run, remove the file.`);
  const meta = newest(descriptor, size);
  if (meta === undefined)
    throw new Error(`${file} is not a data file of the embedded store, or is incomplete. ${RESTORE(file)}`);
  // Measured after the meta page was read, because a server that runs writes the pages first.
  const needed = meta.pages * meta.pageSize;
  const present = fstatSync(descriptor).size;
  if (present >= needed || isComplete(descriptor, meta)) return;
  // The server that writes meanwhile has checked the file when it started.
  if (newest(descriptor, present)?.transaction !== meta.transaction) return;
  throw new Error(`${file} is incomplete: it has ${present} of ${needed} bytes. ${RESTORE(file)}`);
}

const RESTORE = (file: string): string => `Move ${dirname(file)} away and restore a backup.`;

function newest(descriptor: number, size: number): Meta | undefined {
  const first = metaAt(descriptor, 0);
  if (first === undefined || size < 2 * first.pageSize) return undefined;
  const second = metaAt(descriptor, first.pageSize);
  if (second === undefined) return undefined;
  return first.transaction >= second.transaction ? first : second;
}

function metaAt(descriptor: number, position: number): Meta | undefined {
  const bytes = Buffer.alloc(META_BYTES);
  if (readSync(descriptor, bytes, 0, META_BYTES, position) < META_BYTES) return undefined;
  const pageSize = bytes.readUInt32LE(48);
  if (bytes.readUInt32LE(HEADER) !== MAGIC || pageSize < LEAST_PAGE) return undefined;
  return {
    pageSize,
    pages: Number(bytes.readBigUInt64LE(144)) + 1,
    transaction: bytes.readBigUInt64LE(152),
    roots: ROOTS.map((offset) => bytes.readBigUInt64LE(offset)),
  };
}

const BRANCH = 1;
const LEAF = 2;
const NODE = 8;
const BIG = 1;
const TABLE = 2;
const ROOT_OF_TABLE = 40;
const NO_PAGE = 0xffffffffffffffffn;

/** Pages in a row: the first, and how many. */
interface Run {
  readonly page: number;
  readonly count: number;
  /** Whether it contains nodes. The others are parts of a large value. */
  readonly isNodes: boolean;
}

/**
 * Whether all pages that are in use are in the file. LMDB never writes pages at the end that one transaction takes and
 * frees, so a file may be shorter than its meta page says. Then only the pages themselves tell, and all are read. This
 * is rare.
 */
function isComplete(descriptor: number, { pageSize, pages, roots }: Meta): boolean {
  const present = Math.floor(fstatSync(descriptor).size / pageSize);
  const waiting = roots.flatMap(tree);
  const bytes = Buffer.alloc(pageSize);
  // A page has one parent. More pages than there are come from a damaged file.
  for (let visited = 0; visited <= pages; visited++) {
    const run = waiting.pop();
    if (run === undefined) return true;
    if (run.page + run.count > present) return false;
    if (!run.isNodes) continue;
    readSync(descriptor, bytes, 0, pageSize, run.page * pageSize);
    const below = runsOf(bytes);
    if (below === undefined) return false;
    waiting.push(...below);
  }
  return false;
}

const tree = (page: bigint): readonly Run[] =>
  page === NO_PAGE ? [] : [{ page: Number(page), count: 1, isNodes: true }];

/** The pages that a page names. Undefined if it is damaged. */
function runsOf(bytes: Buffer): readonly Run[] | undefined {
  try {
    return runsIn(bytes);
  } catch (error) {
    // A damaged page has offsets outside of itself.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function runsIn(bytes: Buffer): readonly Run[] | undefined {
  const flags = bytes.readUInt16LE(18);
  if ((flags & (BRANCH | LEAF)) === 0) return undefined;
  const runs: Run[] = [];
  const nodes = bytes.readUInt16LE(20) >> 1;
  for (let node = 0; node < nodes; node++) {
    const offset = HEADER + bytes.readUInt16LE(HEADER + 2 * node);
    runs.push(...((flags & BRANCH) === 0 ? runsOfLeaf(bytes, offset) : [childOf(bytes, offset)]));
  }
  return runs;
}

const childOf = (bytes: Buffer, offset: number): Run => ({
  page: bytes.readUIntLE(offset, 6),
  count: 1,
  isNodes: true,
});

function runsOfLeaf(bytes: Buffer, offset: number): readonly Run[] {
  const flags = bytes.readUInt16LE(offset + 4);
  const data = offset + NODE + bytes.readUInt16LE(offset + 6);
  if ((flags & TABLE) !== 0) return tree(bytes.readBigUInt64LE(data + ROOT_OF_TABLE));
  if ((flags & BIG) === 0) return [];
  const count = Math.ceil((HEADER + bytes.readUInt32LE(offset)) / bytes.length);
  return [{ page: Number(bytes.readBigUInt64LE(data)), count, isNodes: false }];
}
