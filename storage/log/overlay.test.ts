import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../pkg/system/testing/runs.js';
import type { Change, Commit, Stored } from '../backend.js';
import { compareKeys, type Key, keyOf } from '../key.js';
import { ofResource, overlaid, Result } from './overlay.js';

const key = (name: string, resource = 'things.x'): Key => keyOf(resource, '', name);
const bytes = (text: string): Buffer => Buffer.from(text);
const stored = (name: string, revision: number): Stored => ({ key: key(name), revision, value: bytes(`${revision}`) });

async function* chunks(objects: readonly Stored[], size: number): AsyncGenerator<readonly Stored[], void, undefined> {
  for (let from = 0; from < objects.length; from += size) yield objects.slice(from, from + size);
}

async function shown(source: AsyncIterable<readonly Stored[]>): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const chunk of source)
    for (const { key: id, revision, value } of chunk) found.push(`${id} ${revision} ${Buffer.from(value)}`);
  return found;
}

describe('storage: objects with the changes of the log', () => {
  const commit = (changes: readonly Change[], counters: Readonly<Record<string, number>> = {}): Commit => ({
    end: changes.at(-1)?.revision ?? 0,
    changes,
    counters: new Map(Object.entries(counters)),
  });

  it('have the last change of each object, and the last counters', () => {
    const [one, two, three] = [1, 2, 3].map((revision) => ({ key: key('a'), revision, value: bytes('v') }));
    const gone = { key: key('b'), revision: 4 };
    const other = { key: key('a', 'others.x'), revision: 5, value: bytes('v') };
    const result = new Result().add([
      commit([one as Change, two as Change], { teams: 1, users: 7 }),
      commit([three as Change, gone, other], { teams: 2 }),
    ]);
    expect([...result.changes.values()]).to.deep.equal([three, gone, other]);
    expect(ofResource(result, 'things.x')).to.deep.equal([three, gone]);
    expect(Object.fromEntries(result.counters)).to.deep.equal({ teams: 2, users: 7 });
  });

  it('keep what is newer than the changes, because objects are written meanwhile', async () => {
    const changes: readonly Change[] = [
      { key: key('a'), revision: 3, value: bytes('3') },
      { key: key('b'), revision: 4 },
    ];
    const newer = [stored('a', 8), stored('b', 9)];
    expect(await shown(overlaid(chunks(newer, 1), changes))).to.deep.equal(['things.x//a 8 8', 'things.x//b 9 9']);
  });

  it('are given in pieces, however many changes there are', async () => {
    const changes = Array.from({ length: 1201 }, (_, i) => ({
      key: key(`n${1000 + i}`),
      revision: i + 1,
      value: bytes('v'),
    }));
    const sizes: number[] = [];
    for await (const chunk of overlaid(chunks([stored('n1600', 1)], 10), changes)) sizes.push(chunk.length);
    expect(sizes).to.deep.equal([500, 101, 500, 100]);
  });

  it('are the same as objects that were changed one by one, in the same order', async () => {
    const name = fc.constantFrom('a', 'b', 'ab', 'é', '\u{1f600}', '\uffff', 'z');
    const wish = fc.record({ name, isDeleted: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(wish), fc.array(wish), fc.integer({ min: 1, max: 4 }), async (old, recent, size) => {
        const state = new Map<Key, Stored>();
        const apply = (wishes: typeof old, from: number): readonly Change[] =>
          wishes.map(({ name, isDeleted }, i) => {
            const revision = from + i;
            const change = { key: key(name), revision, ...(!isDeleted && { value: bytes(`${revision}`) }) };
            if (isDeleted) state.delete(change.key);
            else state.set(change.key, stored(name, revision));
            return change;
          });
        const sorted = (): readonly Stored[] => [...state.values()].sort((a, b) => compareKeys(a.key, b.key));
        apply(old, 1);
        const before = sorted();
        const { changes } = new Result().add([commit(apply(recent, old.length + 1))]);
        const expected = sorted().map(({ key: id, revision }) => `${id} ${revision} ${revision}`);
        expect(await shown(overlaid(chunks(before, size), changes.values()))).to.deep.equal(expected);
      }),
      { numRuns: runs(200) },
    );
  });
});
