import { fstatSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import koffi, { type KoffiFunc } from 'koffi';

// <sys/mman.h>; the values are the same on Linux and macOS.
const PROT_READ = 1;
const MAP_SHARED = 1;
const MAP_FAILED = -1n;
const MADV_NORMAL = 0;
const MADV_RANDOM = 1;
const MADV_WILLNEED = 3;
const PAGE = 4096;
/** Bytes that are asked for at once. Linux takes no more than a disk reads ahead, which is this by default. */
const ASKED_FOR = 128 * 1024;
/** Bytes whose pages are checked at once. */
const LOOKED_AT = 1024 * PAGE;

/** Bytes of a file. */
export type FileRange = readonly [offset: number, length: number];

type Call = KoffiFunc<(...values: unknown[]) => number | bigint>;

interface Calls {
  readonly mmap: Call;
  readonly munmap: Call;
  readonly mincore: Call;
  readonly madvise: Call;
}

let calls: Calls | undefined;

/** The functions of the C library that this process is linked with. */
function libc(): Calls {
  if (calls !== undefined) return calls;
  const library = koffi.load(null);
  calls = {
    mmap: library.func('intptr_t mmap(void *at, size_t length, int protection, int flags, int file, int64_t offset)'),
    munmap: library.func('int munmap(intptr_t at, size_t length)'),
    mincore: library.func('int mincore(intptr_t at, size_t length, void *resident)'),
    madvise: library.func('int madvise(intptr_t at, size_t length, int advice)'),
  };
  return calls;
}

/**
 * Unmaps a file when nothing refers to it any more. This never happens while code runs that reads it, because it is a
 * task of the event loop.
 */
const unmapping = new FinalizationRegistry<() => void>((unmap) => unmap());

/** The file of each view. So a view, and every buffer that is a part of it, keeps its file mapped. */
const files = new WeakMap<ArrayBuffer, MappedFile>();

/**
 * A file in the address space of the process (mmap). Its bytes are in the page cache of the operating system and not in
 * the memory of the process. The file must not become shorter, but it may be removed. It is unmapped when neither this
 * object nor a view is referenced any more.
 */
export class MappedFile {
  readonly size: number;
  readonly #file: FileHandle;
  readonly #address: bigint;

  constructor(file: FileHandle, size: number, address: bigint) {
    this.#file = file;
    this.size = size;
    this.#address = address;
    unmapping.register(this, () => {
      if (size > 0) libc().munmap(address, size);
      void file.close();
    });
  }

  /** Bytes of the file, which must not be written to. */
  view(offset: number, length: number): ArrayBuffer {
    if (length === 0) return new ArrayBuffer(0);
    const view = koffi.view(this.#address + BigInt(offset), length);
    files.set(view, this);
    return view;
  }

  /** The size that the file has now, and the time of its last change. Takes two microseconds. */
  status(): { readonly size: number; readonly changed: number } {
    const { size, mtimeMs } = fstatSync(this.#file.fd);
    return { size, changed: mtimeMs };
  }

  /** Copies bytes of the file without the map. Returns how many. */
  async read(target: Buffer, offset: number, length: number): Promise<number> {
    return (await this.#file.read(target, 0, length, offset)).bytesRead;
  }

  /** Whether all pages of a range can be read without waiting for the disk. */
  isResident(offset: number, length: number): boolean {
    const end = offset + length;
    for (let position = offset - (offset % PAGE); position < end; position += LOOKED_AT) {
      const bytes = Math.min(LOOKED_AT, end - position);
      const pages = RESIDENT.subarray(0, Math.ceil(bytes / PAGE));
      if (libc().mincore(this.#address + BigInt(position), bytes, pages) !== 0) return true;
      for (const page of pages) if ((page & 1) === 0) return false;
    }
    return true;
  }

  /**
   * Reads a range from the disk, so that the map has it. Blocks the event loop. Throws if the disk cannot read it. A
   * read of such a page in the map would end the process.
   */
  readNow(offset: number, length: number): void {
    const end = Math.min(offset + length, this.size);
    const scratch = Buffer.allocUnsafe(Math.min(READ, end - offset));
    for (let position = offset; position < end; position += READ)
      readSync(this.#file.fd, scratch, 0, Math.min(READ, end - position), position);
  }

  /**
   * Use this for a range that is read often. Where pages are read alone (MADV_RANDOM), Linux does not notice since 6.3
   * that they are in use, and drops them first. Here it does.
   */
  adviseNormal(offset: number, length: number): void {
    const start = offset - (offset % PAGE);
    libc().madvise(this.#address + BigInt(start), offset + length - start, MADV_NORMAL);
  }

  /**
   * Asks the system for a range and does not wait for it. Who then reads it waits for the disk once, and not for each
   * page.
   */
  prefetch(offset: number, length: number): void {
    const end = Math.min(offset + length, this.size);
    for (let position = offset - (offset % PAGE); position < end; position += ASKED_FOR)
      libc().madvise(this.#address + BigInt(position), Math.min(ASKED_FOR, end - position), MADV_WILLNEED);
  }

  /**
   * Brings what is missing of a range into the page cache. Does not block the event loop, however long the range is.
   * Returns the ranges that were missing.
   */
  async ensure(offset: number, length: number): Promise<readonly FileRange[]> {
    const start = offset - (offset % PAGE);
    const end = Math.min(offset + length, this.size);
    if (end <= start) return [];
    const pages = Buffer.alloc(Math.ceil((end - start) / PAGE));
    await lookAt(this.#address + BigInt(start), end - start, pages);
    const missing: FileRange[] = [];
    for (let from = pages.indexOf(0); from >= 0; ) {
      const to = pages.indexOf(1, from);
      const range: FileRange = [start + from * PAGE, ((to < 0 ? pages.length : to) - from) * PAGE];
      await this.load(...range);
      missing.push(range);
      from = to < 0 ? to : pages.indexOf(0, to);
    }
    return missing;
  }

  /** Brings a range into the page cache without blocking the event loop: the threads of Node read it. */
  async load(offset: number, length: number): Promise<void> {
    const end = Math.min(offset + length, this.size);
    const scratch = Buffer.allocUnsafe(Math.min(READ, Math.max(0, end - offset)));
    for (let position = offset; position < end; position += READ)
      await this.#file.read(scratch, 0, Math.min(READ, end - position), position);
  }
}

/** Asks the system in another thread which pages of a range are in the page cache. Sets the byte of each to 1 or 0. */
function lookAt(address: bigint, length: number, pages: Buffer): Promise<void> {
  return new Promise((resolve) => {
    // If the system cannot tell, the pages count as present.
    const done = (error: unknown, result: unknown): void => {
      if (error !== null || result !== 0) pages.fill(1);
      else for (let i = 0; i < pages.length; i++) pages[i] = (pages[i] as number) & 1;
      resolve();
    };
    libc().mincore.async(address, length, pages, done);
  });
}

const RESIDENT = Buffer.alloc(LOOKED_AT / PAGE);
const READ = 1024 * 1024;

export async function mapFile(path: string): Promise<MappedFile> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const address = size === 0 ? 0n : BigInt(libc().mmap(null, size, PROT_READ, MAP_SHARED, file.fd, 0));
    if (address === MAP_FAILED) throw new Error(`${path} cannot be mapped into memory (mmap).`);
    // A page that is missing is then read alone. Otherwise the system may read megabytes around it first.
    if (size > 0) libc().madvise(address, size, MADV_RANDOM);
    return new MappedFile(file, size, address);
  } catch (error) {
    await file.close();
    throw error;
  }
}
