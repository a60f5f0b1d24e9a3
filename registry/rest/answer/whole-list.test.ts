import { expect } from 'chai';
import type { Bytes } from '../../../storage/backend.js';
import { type Key, keyOf } from '../../../storage/key.js';
import { Entry, MemoryEntry } from '../../../storage/state/entry.js';
import type { Collection } from '../../collection/collection.js';
import { type Chunks, ListBody } from './list-body.js';
import { chunks } from './list-chunks.js';
import { batchesOf } from './whole-list.js';

const RESOURCE = 'things.test';
const HEAD = '{"items":[';
const RANGE = { low: `${RESOURCE}/`, high: `${RESOURCE}0` };

const ATTRIBUTES = { labels: undefined, fields: undefined };

/** Objects one behind the other, with commas between them, as in a file. */
class Stored extends Entry {
  readonly revision = 1;
  readonly attributes = ATTRIBUTES;
  readonly firstRow = undefined;
  readonly footprint = 0;
  readonly key: Key;
  readonly size: number;
  readonly #file: Buffer;
  readonly #from: number;

  constructor(key: Key, file: Buffer, from: number, size: number) {
    super();
    this.key = key;
    this.size = size;
    this.#file = file;
    this.#from = from;
  }

  get value(): Bytes {
    return this.#file.subarray(this.#from, this.#end);
  }

  copy(target: Buffer, at: number): void {
    target.set(this.value, at);
  }

  override precedes(next: Entry): boolean {
    return next instanceof Stored && next.#file === this.#file && next.#from === this.#end + 1;
  }

  override through(last: Entry, withComma: boolean): Buffer | undefined {
    return last instanceof Stored ? this.#file.subarray(this.#from, last.#end + (withComma ? 1 : 0)) : undefined;
  }

  get #end(): number {
    return this.#from + this.size;
  }
}

const nameOf = (i: number): string => `n${String(i).padStart(6, '0')}`;
const objectOf = (i: number): object => ({ name: nameOf(i), text: 'x'.repeat(300 + (i % 7) * 40) });

function stored(count: number): readonly Entry[] {
  const texts = Array.from({ length: count }, (_, i) => JSON.stringify(objectOf(i)));
  const file = Buffer.from(texts.map((text) => `${text},`).join(''));
  let from = 0;
  return texts.map((text, i) => {
    const entry = new Stored(keyOf(RESOURCE, '', nameOf(i)), file, from, text.length);
    from += text.length + 1;
    return entry;
  });
}

/** As some objects are in files and others in memory. */
function mixed(count: number): readonly Entry[] {
  return stored(count).map((entry, i) =>
    i % 500 < 480 ? entry : new MemoryEntry(entry.key, 1, Buffer.from(entry.value), ATTRIBUTES),
  );
}

class Shelf implements Pick<Collection, 'take'> {
  /** The first names that were read. */
  readonly reads: string[] = [];
  isLate = false;
  readonly #entries: readonly Entry[];

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
  }

  take({ low }: { readonly low: string }, limit: number): readonly Entry[] | Promise<readonly Entry[]> {
    const found = this.#entries.filter(({ key }) => key >= low).slice(0, limit);
    this.reads.push(found[0]?.key.slice(-7) ?? 'nothing');
    return this.isLate ? Promise.resolve(found) : found;
  }

  list(): Chunks {
    return chunks(HEAD, batchesOf(this as unknown as Collection, RANGE));
  }
}

async function textOf(list: Chunks): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of new ListBody([], list)) all.push(chunk);
  return Buffer.concat(all).toString();
}

describe('a whole list', () => {
  for (const [where, make] of Object.entries({ 'in a file': stored, 'in a file and in memory': mixed })) {
    it(`has each object once, in order, however many there are ${where}`, async () => {
      for (const count of [0, 1, 3, 999, 1000, 1001, 2600]) {
        const { items } = JSON.parse(await textOf(new Shelf(make(count)).list()));
        expect(items, `${count}`).to.deep.equal(Array.from({ length: count }, (_, i) => objectOf(i)));
      }
    });
  }

  it('reads objects when the client takes them, and not before', async () => {
    const shelf = new Shelf(stored(5000));
    const list = shelf.list();
    list.next();
    expect(shelf.reads).to.deep.equal(['n000000', 'n001000']);
    await textOf(list);
    expect(shelf.reads).to.deep.equal(['n000000', 'n001000', 'n002000', 'n003000', 'n004000', 'nothing']);
  });

  it('waits for objects that are not there yet', async () => {
    const shelf = new Shelf(stored(3));
    shelf.isLate = true;
    const list = shelf.list();
    for (let i = 0; i < 2; i++) {
      const read = list.next().value;
      expect(read).to.be.instanceOf(Promise);
      await read;
    }
    expect(JSON.parse(await textOf(list)).items).to.have.length(3);
  });

  it('does not copy what is stored as it is sent', () => {
    const entries = stored(2000);
    const file = Buffer.from(entries[0]?.value.buffer ?? new ArrayBuffer(0));
    const all = [...iterableOf(new Shelf(entries).list())];
    const sent = all.filter((chunk) => chunk instanceof Uint8Array && chunk.buffer === file.buffer);
    expect(sent.length).to.be.greaterThan(all.length / 2);
  });
});

function iterableOf(list: Chunks): Iterable<Buffer | Promise<void>> {
  return { [Symbol.iterator]: () => list };
}
