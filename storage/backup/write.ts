import { createHash, type Hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { messageOf } from '../../pkg/system/errors/message.js';
import { replaceFile } from '../../pkg/system/files/replace-file.js';
import type { Stored } from '../backend.js';
import { StorageError } from '../errors.js';
import { resourceOf } from '../key.js';
import { batches } from '../transfer/fill.js';
import type { Snapshot } from '../transfer/snapshot.js';
import { BACKUP, type BackupEnd, type BackupHead, type ObjectLine, VERSION } from './format.js';

/** Compression must keep up with the disk. A higher level takes three times as long, and saves a tenth. */
const LEVEL = 1;

interface BackupOptions {
  readonly path: string;
  /** The version of the program. */
  readonly by: string;
  readonly made: Date;
  readonly progress: (done: number) => void;
  /** Ends the backup. Nothing of it is left. */
  readonly signal?: AbortSignal;
}

/** Writes a backup. The file has its name only when it is complete, and only its owner can read it. */
export async function writeBackup(snapshot: Snapshot, options: BackupOptions): Promise<BackupEnd> {
  const text = new BackupText(snapshot, options);
  // After a failed write, the pipeline may only tell that it was aborted.
  let failedWrite: unknown;
  try {
    await replaceFile(options.path, (file) =>
      pipeline(
        Readable.from(text.chunks(), { objectMode: true, highWaterMark: 1 }),
        createGzip({ level: LEVEL }),
        (compressed: AsyncIterable<Buffer>) =>
          writeFile(file, compressed).catch((error: unknown) => {
            failedWrite = error;
            throw error;
          }),
        { signal: options.signal },
      ),
    );
    return text.end;
  } catch (error) {
    const cause = failedWrite ?? error;
    if (options.signal?.aborted) {
      throw new StorageError('unavailable', `The backup was interrupted before ${options.path} was complete.`, {
        cause,
      });
    }
    if (cause instanceof StorageError) throw cause;
    throw new StorageError('unavailable', `${options.path} cannot be written: ${messageOf(cause)}`, { cause });
  }
}

/** The text of a backup before compression. */
class BackupText {
  readonly #snapshot: Snapshot;
  readonly #options: BackupOptions;
  readonly #hash: Hash = createHash('sha256');
  readonly #resources: Record<string, number> = {};
  #objects = 0;
  end: BackupEnd = { end: true, objects: 0, resources: {}, sha256: '' };

  constructor(snapshot: Snapshot, options: BackupOptions) {
    this.#snapshot = snapshot;
    this.#options = options;
  }

  async *chunks(): AsyncGenerator<Buffer, void, undefined> {
    yield this.#hashed(Buffer.from(`${JSON.stringify(this.#head())}\n`));
    for await (const batch of batches(this.#snapshot.objects())) {
      yield this.#hashed(Buffer.concat(batch.flatMap((object) => this.#lines(object))));
      this.#options.progress(this.#objects);
    }
    const sha256 = this.#hash.digest('hex');
    this.end = { end: true, objects: this.#objects, resources: this.#resources, sha256 };
    yield Buffer.from(`${JSON.stringify(this.end)}\n`);
  }

  #head(): BackupHead {
    const { domain, end, at, counters } = this.#snapshot.head;
    const { made, by } = this.#options;
    return {
      format: BACKUP,
      version: VERSION,
      domain,
      revision: end,
      at,
      made: made.toISOString(),
      by,
      counters: Object.fromEntries(counters),
    };
  }

  #lines({ key, revision, value }: Stored): readonly Uint8Array[] {
    const resource = resourceOf(key);
    this.#resources[resource] = (this.#resources[resource] ?? 0) + 1;
    this.#objects++;
    const line: ObjectLine = [key, revision, value.byteLength];
    return [Buffer.from(`${JSON.stringify(line)}\n`), value, LINE_FEED];
  }

  #hashed(bytes: Buffer): Buffer {
    this.#hash.update(bytes);
    return bytes;
  }
}

const LINE_FEED = Buffer.from('\n');
