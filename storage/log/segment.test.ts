import { expect } from 'chai';
import fc from 'fast-check';
import type { Batch, Bytes, Put } from '../backend.js';
import { keyOf } from '../key.js';
import { commitOf, decodeChanges, decodeHeader, encodeSegments, encodeWhole } from './segment.js';

const RESOURCE = 'things.x';
const AFTER = 41;
const change = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  value: fc.option(fc.uint8Array({ maxLength: 9 }), { nil: undefined }),
  previous: fc.option(fc.uint8Array({ minLength: 1, maxLength: 9 }), { nil: undefined }),
});
const counters = fc.dictionary(fc.constantFrom('x', 'y'), fc.nat());

interface Given {
  readonly name: string;
  readonly value?: Bytes | undefined;
  readonly previous?: Bytes | undefined;
}

/** The changes of a commit, as the log returns them. */
function changesOf(all: readonly Given[]): readonly Put[] {
  return all.map(({ name, value, previous }, i) => {
    const key = keyOf(RESOURCE, 'default', name);
    return {
      key,
      revision: AFTER + 1 + i,
      ...(value && { value: Buffer.from(value) }),
      ...(previous && { previous: { key, revision: 3 + i, value: Buffer.from(previous) } }),
    };
  });
}

const batchOf = (changes: readonly Put[], ids: Readonly<Record<string, number>> = {}): Batch => ({
  commitId: 'c',
  changes,
  counters: new Map(Object.entries(ids)),
});
const large = (count: number, bytes: number): readonly Put[] =>
  changesOf(Array.from({ length: count }, () => ({ name: 'a', value: Buffer.alloc(bytes, 'v') })));
const segmentsOf = (batch: Batch): readonly Bytes[] => [...encodeSegments(AFTER, batch, 1234)];
const revisionsIn = (segments: readonly Bytes[]) =>
  segments.map((bytes) => decodeChanges(bytes, decodeHeader(bytes), 0).map(({ revision }) => revision - AFTER));

describe('a commit in segments', () => {
  it('is the same when it is read, whole or in segments, and after any revision', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 9 }), counters, fc.nat(10), (given, ids, skipped) => {
        const changes = changesOf(given);
        const batch = batchOf(changes, ids);
        const end = AFTER + changes.length;
        const wanted = { end, changes: changes.slice(skipped), counters: batch.counters };
        const read = (segments: readonly Bytes[]) => commitOf(end, segments, AFTER + skipped);
        expect(read(segmentsOf(batch))).to.deep.equal({ ...wanted, id: batch.commitId });
        // A store that keeps the time of a commit beside it keeps its id there, too.
        expect(read([encodeWhole(AFTER, batch)])).to.deep.equal(wanted);
      }),
    );
  });

  it('is divided after 32 KiB, which previous values count for', () => {
    const small = large(5, 16 * 1024);
    const segments = segmentsOf(batchOf(small));
    expect(revisionsIn(segments)).to.deep.equal([[1, 2], [3, 4], [5]]);
    expect(commitOf(AFTER + 5, segments, AFTER).changes).to.deep.equal(small);
    const replaced = changesOf([1, 2, 3].map(() => ({ name: 'a', previous: Buffer.alloc(32 * 1024) })));
    expect(revisionsIn(segmentsOf(batchOf(replaced)))).to.deep.equal([[1], [2], [3]]);
    expect(revisionsIn(segmentsOf(batchOf(changesOf([{ name: 'a' }, { name: 'b' }]))))).to.deep.equal([[1, 2]]);
  });

  it('says in each segment where the commit begins, when it was made, and which segment is the last', () => {
    const headers = segmentsOf(batchOf(large(3, 32 * 1024), { x: 7 })).map(decodeHeader);
    const begin = { first: AFTER + 1, at: 1234 };
    expect(headers.map(({ changes: _, ...header }) => header)).to.deep.equal([
      { ...begin, from: AFTER + 1, last: false, commit: 'c', counters: [['x', 7]] },
      { ...begin, from: AFTER + 2, last: false },
      { ...begin, from: AFTER + 3, last: true },
    ]);
  });

  it('says nothing of integer ids if it took none', () => {
    expect(segmentsOf(batchOf(large(1, 9))).map(decodeHeader)[0]).to.not.have.property('counters');
  });

  it('begins and ends in one segment if the store keeps its time elsewhere', () => {
    const { changes, ...header } = decodeHeader(encodeWhole(AFTER, batchOf(large(3, 32 * 1024), { x: 7 })));
    expect([changes.length, header]).to.deep.equal([
      3,
      { first: AFTER + 1, from: AFTER + 1, at: 0, last: true, counters: [['x', 7]] },
    ]);
  });

  it('has values that own their memory', () => {
    const bytes = encodeWhole(AFTER, batchOf(changesOf([{ name: 'a', value: Buffer.from('v') }])));
    const [found] = decodeChanges(bytes, decodeHeader(bytes), AFTER);
    bytes.fill(0);
    expect(String(found?.value)).to.equal('v');
    expect(found?.value?.buffer.byteLength).to.equal(1);
  });
});
