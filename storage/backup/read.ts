import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { messageOf } from '../../pkg/system/errors/message.js';
import type { Stored } from '../backend.js';
import { StorageError } from '../errors.js';
import type { Key } from '../key.js';
import { asBuffer } from '../state/codec.js';
import type { Head, Snapshot } from '../transfer/snapshot.js';
import { BackupEnd, BackupHead, damagedBackup, ObjectLine, VERSION } from './format.js';
import { Pieces } from './pieces.js';

/** A complete backup. */
export interface Verified {
  readonly head: BackupHead;
  readonly end: BackupEnd;
}

/** Reads all of a backup. Throws `refused` if it is no backup, or not complete and unchanged. */
export async function verifyBackup(path: string, progress: (objects: number) => void): Promise<Verified> {
  const reading = new Reading(path);
  let count = 0;
  for await (const chunk of reading.objects()) {
    for (const stored of chunk) checkContent(path, stored);
    count += chunk.length;
    progress(count);
  }
  const { head, end } = reading;
  if (head === undefined || end === undefined) throw damagedBackup(path, 'it has no end.');
  return { head, end };
}

/**
 * Stored objects are JSON, also Secrets, of which only values are encrypted. A server could not start with another one.
 */
function checkContent(path: string, { key, value }: Stored): void {
  if (jsonOf(asBuffer(value)) === undefined) throw damagedBackup(path, `${key} is no JSON.`);
}

interface BackupSnapshotOptions {
  /** How much higher the end of the log is than in the backup. */
  readonly advance: number;
}

/** A backup that was verified, as a snapshot without a log. */
export function backupSnapshot(path: string, { head, end }: Verified, { advance }: BackupSnapshotOptions): Snapshot {
  const revision = head.revision + advance;
  const counters = new Map(Object.entries(head.counters));
  const own: Head = { domain: head.domain, end: revision, compacted: revision, at: head.at, counters };
  const reading = new Reading(path);
  return {
    head: own,
    size: end.objects,
    objects: async function* () {
      yield* reading.objects();
      if (reading.end?.sha256 !== end.sha256) throw damagedBackup(path, 'it was changed in the meantime.');
    },
    commits: async function* () {
      // The log of a backup is empty.
    },
    close: async () => undefined,
  };
}

const CHUNK = 500;

/** One pass over the file. */
class Reading {
  readonly #path: string;
  readonly #hash = createHash('sha256');
  #objects = 0;
  /** The key of the object before. */
  #last: Buffer = Buffer.alloc(0);
  head: BackupHead | undefined;
  end: BackupEnd | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Head and end are known when the objects are read. */
  async *objects(): AsyncGenerator<readonly Stored[], void, undefined> {
    const pieces = new Pieces(this.#bytes());
    try {
      this.head = this.#readHead(await pieces.line());
      let chunk: Stored[] = [];
      for (let object = await this.#next(pieces); object !== undefined; object = await this.#next(pieces)) {
        chunk.push(object);
        if (chunk.length < CHUNK) continue;
        yield chunk;
        chunk = [];
      }
      if (chunk.length > 0) yield chunk;
      if ((await pieces.line()) !== undefined) throw damagedBackup(this.#path, 'something follows its end.');
    } finally {
      await pieces.close();
    }
  }

  async *#bytes(): AsyncGenerator<Buffer, void, undefined> {
    const file = createReadStream(this.#path, { highWaterMark: 256 * 1024 });
    const gunzip = createGunzip({ chunkSize: 256 * 1024 });
    file.on('error', (error) => gunzip.destroy(error));
    try {
      yield* file.pipe(gunzip) as AsyncIterable<Buffer>;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).syscall !== undefined)
        throw new StorageError('refused', `${this.#path} cannot be read: ${messageOf(cause)}`, { cause });
      if (this.head === undefined) throw foreign(this.#path, cause);
      throw damagedBackup(this.#path, `it cannot be decompressed (${messageOf(cause)}). Is it complete?`, cause);
    } finally {
      file.destroy();
    }
  }

  #readHead(line: Buffer | undefined): BackupHead {
    const parsed = BackupHead.safeParse(jsonOf(line));
    if (line === undefined || !parsed.success) throw foreign(this.#path, parsed.error);
    if (parsed.data.version > VERSION) {
      throw new StorageError(
        'refused',
        `${this.#path} was written by a later version (${parsed.data.by}). Restore it with that version.`,
      );
    }
    this.#hash.update(line).update('\n');
    return parsed.data;
  }

  async #next(pieces: Pieces): Promise<Stored | undefined> {
    const line = await pieces.line();
    if (line === undefined) throw damagedBackup(this.#path, 'it has no end. Is it complete?');
    if (line[0] === BRACE) {
      this.end = this.#readEnd(line);
      return undefined;
    }
    const parsed = ObjectLine.safeParse(jsonOf(line));
    if (!parsed.success) throw damagedBackup(this.#path, `object ${this.#objects + 1} has no head.`, parsed.error);
    const [key, revision, size] = parsed.data;
    this.#checkPlace(key, revision);
    const bytes = await pieces.take(size + 1);
    if (bytes === undefined) throw damagedBackup(this.#path, `${key} is not complete.`);
    this.#hash.update(line).update('\n').update(bytes);
    this.#objects++;
    return { key: key as Key, revision, value: bytes.subarray(0, size) };
  }

  /**
   * The reader of the objects relies on their order, and servers rely on revisions. Somebody who changes the file can
   * also change its SHA-256.
   */
  #checkPlace(key: string, revision: number): void {
    const bytes = Buffer.from(key);
    if (Buffer.compare(this.#last, bytes) >= 0) throw damagedBackup(this.#path, `${key} is not in the order of keys.`);
    this.#last = bytes;
    if (revision <= (this.head?.revision ?? 0)) return;
    throw damagedBackup(this.#path, `${key} has a revision after that of the backup.`);
  }

  #readEnd(line: Buffer): BackupEnd {
    const parsed = BackupEnd.safeParse(jsonOf(line));
    if (!parsed.success) throw damagedBackup(this.#path, 'its last line is not its end.', parsed.error);
    const { objects, sha256 } = parsed.data;
    if (sha256 !== this.#hash.digest('hex')) throw damagedBackup(this.#path, 'its SHA-256 is another one.');
    if (objects !== this.#objects) throw damagedBackup(this.#path, `it has ${this.#objects} of ${objects} objects.`);
    return parsed.data;
  }
}

const BRACE = 0x7b;

function jsonOf(line: Buffer | undefined): unknown {
  try {
    return JSON.parse(line?.toString() ?? '');
  } catch {
    return undefined;
  }
}

function foreign(path: string, cause?: unknown): StorageError {
  return new StorageError('refused', `${path} is not a backup of this server.`, { cause });
}
