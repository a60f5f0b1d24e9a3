import { expect } from 'chai';
import type { Stored } from '../backend.js';
import { StorageError } from '../errors.js';
import { keyOf } from '../key.js';
import { verifySame } from './verify.js';

const held = (name: string, more: Partial<Stored> = {}): Stored => ({
  key: keyOf('things.x', '', name),
  revision: 1,
  value: Buffer.from(name),
  ...more,
});

async function* chunks(...all: readonly (readonly Stored[])[]) {
  yield* all;
}

/** The number of objects, or the names that the refusal gives. */
async function compared(
  wanted: readonly (readonly Stored[])[],
  found: readonly (readonly Stored[])[],
): Promise<unknown> {
  try {
    return (await verifySame(chunks(...wanted), chunks(...found), () => undefined)).objects;
  } catch (error) {
    expect(error).to.be.instanceOf(StorageError);
    return [...String(error).matchAll(/things\.x\/\/(\w+)/g)].map(([, name]) => name);
  }
}

describe('the comparison of a copy', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => held(name)) as [Stored, Stored, Stored];

  it('counts the objects that are the same, however they come in chunks', async () => {
    expect(await compared([], [])).to.equal(0);
    expect(await compared([[a, b], [c]], [[a], [], [b, c]])).to.equal(3);
  });

  it('names objects that are missing, or that are too many', async () => {
    expect(await compared([[a, b, c]], [[a, c]])).to.deep.equal(['b']);
    expect(await compared([[a, b, c]], [[a, b]])).to.deep.equal(['c']);
    expect(await compared([[a, c]], [[a, b, c]])).to.deep.equal(['b']);
    expect(await compared([[b]], [[a, b, c]])).to.deep.equal(['a', 'c']);
    expect(await compared([[a]], [])).to.deep.equal(['a']);
    expect(await compared([], [[a]])).to.deep.equal(['a']);
  });

  it('names objects with other bytes or revisions', async () => {
    const others = [{ value: Buffer.from('x') }, { revision: 2 }];
    for (const other of others) expect(await compared([[a, b]], [[held('a', other), b]])).to.deep.equal(['a']);
  });

  it('names only some, and does not read on after many', async () => {
    let read = 0;
    async function* endless() {
      for (; read < 1000; read++) yield [held(`n${String(read).padStart(4, '0')}`)];
    }
    const refusal = await verifySame(endless(), chunks(), () => undefined).catch(String);
    expect(refusal).to.match(/n0000, \S+n0001, \S+n0002\. /);
    expect(read).to.be.within(100, 110);
    read = 0;
    await verifySame(chunks(), endless(), () => undefined).catch(String);
    expect(read).to.be.within(100, 110);
  });

  it('tells how far it is, and has one digest for equal contents', async () => {
    const done: number[] = [];
    const digest = async (...all: readonly (readonly Stored[])[]) =>
      (await verifySame(chunks(...all), chunks(...all), (count) => done.push(count))).sha256;
    expect(await digest([a, b], [c])).to.equal(await digest([a], [b, c]));
    expect(done).to.deep.equal([2, 3, 1, 3]);
    expect(await digest([a, b])).not.to.equal(await digest([a, held('b', { revision: 2 })]));
  });
});
