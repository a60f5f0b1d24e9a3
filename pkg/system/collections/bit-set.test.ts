import { expect } from 'chai';
import fc from 'fast-check';
import { BitSet } from './bit-set.js';

/** Three chunks of 8192 numbers, with most of the numbers at their edges and at those of words. */
const MOST = 3 * 8192;
const number = fc
  .oneof(
    fc.nat(MOST),
    fc.integer({ min: 0, max: 3 }).chain((chunk) => fc.integer({ min: -34, max: 34 }).map((by) => chunk * 8192 + by)),
    fc.nat(70),
  )
  .map((value) => Math.min(Math.max(value, 0), MOST));

type Change = readonly ['add' | 'delete' | 'addRun', number];
const change: fc.Arbitrary<Change> = fc.tuple(fc.constantFrom('add', 'add', 'delete', 'addRun'), number);
const changes = fc.array(change, { maxLength: 40 });

/** Runs are long enough to fill whole words. */
const RUN = 150;

function apply(set: { add(value: number): unknown; delete(value: number): unknown }, all: readonly Change[]): void {
  for (const [op, value] of all) {
    if (op === 'delete') set.delete(value);
    else for (let i = 0; i < (op === 'add' ? 1 : RUN); i++) set.add(value + i);
  }
}

function made(all: readonly Change[]): readonly [BitSet, Set<number>] {
  const [set, model] = [new BitSet(), new Set<number>()];
  apply(set, all);
  apply(model, all);
  return [set, model];
}

function numbersOf(set: BitSet): readonly number[] {
  return Array.from({ length: MOST + 2 * RUN }, (_, value) => value).filter((value) => set.has(value));
}

function sorted(model: Iterable<number>): readonly number[] {
  return [...model].sort((a, b) => a - b);
}

describe('BitSet', () => {
  it('has the numbers that were added and not deleted, and knows how many they are', () => {
    fc.assert(
      fc.property(changes, (all) => {
        const [set, model] = made(all);
        expect(numbersOf(set)).to.deep.equal(sorted(model));
        expect(set.size).to.equal(model.size);
      }),
    );
  });

  it('and its clones never see what the other adds or deletes, in whatever order they are made and written to', () => {
    const step = fc.tuple(fc.nat(), fc.boolean(), changes);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const all: (readonly [BitSet, Set<number>])[] = [[new BitSet(), new Set()]];
        for (const [which, isCloned, some] of steps) {
          const [set, model] = all[which % all.length] as (typeof all)[number];
          if (isCloned) all.push([set.clone(), new Set(model)]);
          apply(set, some);
          apply(model, some);
        }
        for (const [set, model] of all) {
          expect(numbersOf(set)).to.deep.equal(sorted(model));
          expect(set.size).to.equal(model.size);
        }
      }),
    );
  });

  it('counts the numbers of a range, also of one that is empty or goes beyond its end', () => {
    fc.assert(
      fc.property(changes, number, number, (all, from, to) => {
        const [set, model] = made(all);
        const countOf = (low: number, high: number): number =>
          [...model].filter((value) => value >= low && value < high).length;
        for (const [low, high] of [
          [from, to],
          [0, to],
          [from, MOST * 10],
          [from, from],
        ] as const)
          expect(set.count(low, high)).to.equal(countOf(low, high));
      }),
    );
  });

  it('finds the first number from another on that it does not have', () => {
    fc.assert(
      fc.property(changes, number, (all, from) => {
        const [set, model] = made(all);
        let absent = from;
        while (model.has(absent)) absent++;
        expect(set.nextAbsent(from)).to.equal(absent);
      }),
    );
  });

  it('gives the numbers that a clone got since, in order, and none that the earlier one has', () => {
    fc.assert(
      fc.property(changes, changes, (before, after) => {
        const [earlier, model] = made(before);
        const later = earlier.clone();
        const added = after.filter(([op]) => op !== 'delete');
        apply(later, added);
        const all = new Set(model);
        apply(all, added);
        expect([...later.since(earlier)]).to.deep.equal(sorted([...all].filter((value) => !model.has(value))));
        expect([...later.clone().since(later)]).to.deep.equal([]);
      }),
    );
  });

  it('is the same after it was written as bytes and read again', () => {
    fc.assert(
      fc.property(changes, changes, (all, more) => {
        const [set, model] = made(all);
        const length = MOST + RUN;
        const bytes = set.bytes(length);
        expect(bytes).to.have.length(Math.ceil(length / 8));
        const again = BitSet.of(bytes);
        expect(numbersOf(again)).to.deep.equal(sorted(model));
        expect(again.size).to.equal(model.size);
        apply(again, more);
        apply(model, more);
        expect(numbersOf(again)).to.deep.equal(sorted(model));
        expect(numbersOf(BitSet.of(bytes))).to.deep.equal(numbersOf(set));
      }),
    );
  });

  it('has eight numbers in each byte, the smallest in the lowest bit', () => {
    const set = new BitSet();
    for (const value of [0, 9, 15]) set.add(value);
    expect([...set.bytes(17)]).to.deep.equal([0b1, 0b1000_0010, 0]);
    expect([...new BitSet().bytes(9)]).to.deep.equal([0, 0]);
    expect(BitSet.of(new Uint8Array(0)).size).to.equal(0);
  });
});
