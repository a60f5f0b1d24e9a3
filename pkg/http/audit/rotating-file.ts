import { type FileHandle, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import pLimit from 'p-limit';
import { makeFolder } from '../../system/files/make-folder.js';
import type { AuditTarget } from './sink.js';

export interface RotatingFileOptions {
  readonly path: string;
  /** Bytes after which a new file begins. */
  readonly maxSize: number;
  /** Old files that are kept. */
  readonly maxFiles: number;
  /** Called if the file cannot be rotated or opened again. The open file then becomes longer. */
  readonly onError: (error: unknown) => void;
}

/** The log shows who did what, so only the server's user may read it. */
const FILE_MODE = 0o600;
/** Milliseconds between checks whether another program has renamed the file. */
const LOOK_EVERY = 1_000;

interface Opened {
  readonly file: FileHandle;
  readonly inode: number;
}

/**
 * A file that is rotated by size. `audit.log` becomes `audit-2026-01-31T08-15-00.000.log`, as in Kubernetes. If another
 * program renames or deletes the file, a new one is made within a second of the next event. Until then, events go to
 * the old one, so none is lost.
 */
export class RotatingFile implements AuditTarget {
  readonly #options: RotatingFileOptions;
  /** Several workers write at the same time. */
  readonly #oneAtATime = pLimit(1);
  #opened: Opened | undefined;
  #size = 0;
  #lookedAt = 0;

  private constructor(options: RotatingFileOptions) {
    this.#options = options;
  }

  /** Rejects if the file cannot be opened. */
  static async open(options: RotatingFileOptions): Promise<RotatingFile> {
    const made = new RotatingFile(options);
    await made.#open();
    return made;
  }

  write(lines: string): Promise<void> {
    return this.#oneAtATime(() => this.#write(Buffer.from(lines)));
  }

  close(): Promise<void> {
    return this.#oneAtATime(() => this.#close());
  }

  async #write(bytes: Buffer): Promise<void> {
    await this.#reopenIfMoved().catch(this.#options.onError);
    if (this.#size > 0 && this.#size + bytes.length > this.#options.maxSize) {
      await this.#rotate().catch(this.#options.onError);
    }
    const { file } = this.#opened ?? (await this.#open());
    try {
      await file.appendFile(bytes);
      this.#size += bytes.length;
    } catch (error) {
      await this.#abandon(file);
      throw error;
    }
  }

  async #close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    try {
      await opened?.file.sync();
    } finally {
      await opened?.file.close();
    }
  }

  async #open(): Promise<Opened> {
    const { path } = this.#options;
    makeFolder(dirname(path));
    const file = await open(path, 'a', FILE_MODE);
    const { ino: inode, size } = await file.stat();
    this.#size = size;
    this.#lookedAt = performance.now();
    this.#opened = { file, inode };
    return this.#opened;
  }

  /** A partial line would be joined with the next one. */
  async #abandon(file: FileHandle): Promise<void> {
    this.#opened = undefined;
    await file.truncate(this.#size).catch(() => undefined);
    await file.close().catch(() => undefined);
  }

  async #reopenIfMoved(): Promise<void> {
    if (performance.now() - this.#lookedAt < LOOK_EVERY) return;
    this.#lookedAt = performance.now();
    const there = await stat(this.#options.path).catch(() => undefined);
    if (there !== undefined && there.ino === this.#opened?.inode) {
      this.#size = there.size;
      return;
    }
    await this.#replace();
  }

  async #rotate(): Promise<void> {
    await rename(this.#options.path, await this.#freeName());
    await this.#replace();
    await this.#removeOld();
  }

  /** Opens the file at the path. The old one stays open until that has succeeded. */
  async #replace(): Promise<void> {
    const old = this.#opened;
    await this.#open();
    await old?.file.close();
  }

  async #freeName(): Promise<string> {
    const { folder, stem, extension } = this.#name();
    // The names tell which files are the oldest. So the time is later than the last one, even if several rotations fall
    // into a millisecond, or the clock was set back.
    const newest = (await this.#old()).at(-1);
    const time = Math.max(Date.now(), newest === undefined ? 0 : timeOf(newest) + 1);
    return join(folder, `${stem}-${stampOf(time)}${extension}`);
  }

  async #removeOld(): Promise<void> {
    const { folder, stem, extension } = this.#name();
    const surplus = (await this.#old()).slice(0, -this.#options.maxFiles);
    for (const stamp of surplus) await unlink(join(folder, `${stem}-${stamp}${extension}`));
  }

  /** The stamps in the names of the old files, the newest last. */
  async #old(): Promise<readonly string[]> {
    const { folder, stem, extension } = this.#name();
    const stamps = (await readdir(folder))
      .filter((name) => name.startsWith(`${stem}-`) && name.endsWith(extension))
      .map((name) => name.slice(stem.length + 1, name.length - extension.length));
    return stamps.filter((stamp) => STAMP.test(stamp)).sort();
  }

  #name(): { readonly folder: string; readonly stem: string; readonly extension: string } {
    const { path } = this.#options;
    const extension = extname(path);
    return { folder: dirname(path), stem: basename(path, extension), extension };
  }
}

const STAMP = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3})$/;

/** RFC 3339 without colons, which some systems do not allow in names. */
function stampOf(time: number): string {
  return new Date(time).toISOString().slice(0, -1).replaceAll(':', '-');
}

/** 0 if there is no such time, as in a file that somebody else has named. */
function timeOf(stamp: string): number {
  return Date.parse(stamp.replace(STAMP, '$1:$2:$3Z')) || 0;
}
