import type { FileHandle } from 'node:fs/promises';
import { Summing } from './sums.js';

/** Bytes that are written at once. */
const BLOCK = 1024 * 1024;

/** Writes a new file from its beginning to its end. */
export class Sink {
  readonly #file: FileHandle;
  /** Throws if there is no room for so many bytes. */
  readonly #ensureRoom: (bytes: number) => void;
  #block = Buffer.allocUnsafe(BLOCK);
  #used = 0;
  #written = 0;
  /** Blocks that are full, and others that are written as they are. */
  readonly #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  readonly #summing = new Summing();

  constructor(file: FileHandle, ensureRoom: (bytes: number) => void = () => undefined) {
    this.#file = file;
    this.#ensureRoom = ensureRoom;
  }

  /** The offset of what is added next. */
  get offset(): number {
    return this.#written + this.#waitingBytes + this.#used;
  }

  /** Whether to await `drain`, so that not all of the file is kept in memory. */
  get isFull(): boolean {
    return this.#waitingBytes >= BLOCK;
  }

  /** Adds bytes. They are copied, if they are few. */
  add(bytes: Uint8Array): void {
    if (bytes.length >= BLOCK) {
      this.#close();
      this.#push(bytes);
      return;
    }
    this.allocate(bytes.length).set(bytes);
  }

  /** Space for `length` bytes, which the caller fills at once. */
  allocate(length: number): Buffer {
    if (this.#used + length > BLOCK) this.#close();
    if (length > BLOCK) {
      const own = Buffer.allocUnsafe(length);
      this.#push(own);
      return own;
    }
    this.#used += length;
    return this.#block.subarray(this.#used - length, this.#used);
  }

  /** Adds zeros up to a multiple of a number of bytes. */
  align(to: number): void {
    const missing = (to - (this.offset % to)) % to;
    for (let left = missing; left > 0; left -= BLOCK) this.add(new Uint8Array(Math.min(left, BLOCK)));
  }

  async drain(): Promise<void> {
    if (this.#waitingBytes > 0) this.#ensureRoom(this.#waitingBytes);
    for (const bytes of this.#waiting.splice(0)) {
      this.#waitingBytes -= bytes.length;
      this.#written += bytes.length;
      this.#summing.add(bytes);
      await writeAll(this.#file, bytes);
    }
  }

  /** The checksums of everything that was added. */
  async sums(): Promise<Uint8Array> {
    this.#close();
    await this.drain();
    return this.#summing.end();
  }

  /** Writes what is left. The file is then durable. */
  async finish(): Promise<void> {
    this.#close();
    await this.drain();
    await this.#file.sync();
  }

  #close(): void {
    if (this.#used === 0) return;
    this.#push(this.#block.subarray(0, this.#used));
    this.#block = Buffer.allocUnsafe(BLOCK);
    this.#used = 0;
  }

  #push(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) written += (await file.write(bytes, written)).bytesWritten;
}
