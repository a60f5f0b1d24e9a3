import { expect } from 'chai';
import fc from 'fast-check';
import { keyOf } from '../../storage/key.js';
import { MemoryEntry } from '../../storage/state/entry.js';
import { frequencyOf, isInOneText, positionsOf, textsOf } from './texts.js';

const entriesOf = (texts: readonly (string | undefined)[]) =>
  texts.map((text, i) => {
    const attributes = { labels: undefined, fields: undefined, ...(text !== undefined && { text }) };
    return new MemoryEntry(keyOf('things.x', 'here', `n${i}`), 1, Buffer.from('{}'), attributes);
  });
const find = (texts: readonly (string | undefined)[], word: string, isDescending = false): readonly number[] => [
  ...positionsOf(textsOf(entriesOf(texts)), word, isDescending),
];

describe('texts that are joined to one', () => {
  it('have the positions of the texts with a word, in order or in reverse order', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'ab', ' '), { maxLength: 4 }).map((parts) => parts.join(''));
    const word = fc.constantFrom('a', 'b', 'ab', 'ba', 'a b', ' ');
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), word, (texts, wanted) => {
        const expected = texts.flatMap((one, position) => (one.includes(wanted) ? [position] : []));
        expect(find(texts, wanted)).to.deep.equal(expected);
        expect(find(texts, wanted, true)).to.deep.equal(expected.reverse());
      }),
    );
  });

  it('may be empty or absent, and there may be none', () => {
    expect(find([undefined, '', 'a'], 'a')).to.deep.equal([2]);
    expect(find(['a', undefined], 'a', true)).to.deep.equal([0]);
    for (const isDescending of [false, true]) expect(find([], 'a', isDescending)).to.deep.equal([]);
  });

  it('do not contain a word that reaches from one into the next', () => {
    for (const isDescending of [false, true])
      for (const word of ['a\0b', 'a\nb', '\0', '\n', 'ab'])
        expect(find(['a', 'b', 'a\nb'], word, isDescending)).to.deep.equal([]);
    expect(['a', 'a\nb', 'a\0', ''].map(isInOneText)).to.deep.equal([true, false, false, true]);
  });

  it('are found as well if there are many of them, and few or many match', () => {
    const texts = Array.from({ length: 3000 }, (_, i) => (i % 7 === 0 ? 'seven' : i === 1999 ? 'once' : 'other'));
    const sevens = texts.flatMap((text, i) => (text === 'seven' ? [i] : []));
    expect(find(texts, 'seven')).to.deep.equal(sevens);
    expect(find(texts, 'seven', true)).to.deep.equal([...sevens].reverse());
    expect(find(texts, 'once')).to.deep.equal([1999]);
    expect(find(texts, 'once', true)).to.deep.equal([1999]);
  });

  it('are searched no further than somebody reads', () => {
    const positions = positionsOf(textsOf(entriesOf(['a', 'b', 'a'])), 'a');
    expect(positions.next().value).to.equal(0);
    expect(positions.next().value).to.equal(2);
    expect(positions.next().done).to.equal(true);
  });
});

describe('how often a word is in texts', () => {
  /** 64 characters each, with what ends them. */
  const texts = (count: number, wordOf: (i: number) => string) =>
    textsOf(entriesOf(Array.from({ length: count }, (_, i) => wordOf(i).padEnd(63, '.'))));
  const MANY = 16_384;

  it('is told about right from samples, for words that are everywhere', () => {
    const often = texts(MANY, (i) => (i % 4 === 0 ? 'fourth' : 'other'));
    expect(frequencyOf(often, 'other')).to.be.within(0.95 * 0.75 * MANY, 1.05 * 0.75 * MANY);
    expect(frequencyOf(often, 'fourth')).to.be.within(0.95 * 0.25 * MANY, 1.05 * 0.25 * MANY);
    expect(frequencyOf(often, '.')).to.be.within(0.95 * 58 * MANY, 1.05 * 58 * MANY);
  });

  it('counts whole words only once', () => {
    const long = texts(MANY, () => 'aaaa');
    expect(frequencyOf(long, 'aa')).to.be.within(0.95 * 2 * MANY, 1.05 * 2 * MANY);
  });

  it('also counts a word that begins a text', () => {
    const first = texts(MANY, () => 'begin'.repeat(12));
    expect(frequencyOf(first, 'begin'.repeat(12))).to.be.within(0.95 * MANY, 1.05 * MANY);
  });

  it('is none for words that are in no sample', () => {
    expect(
      frequencyOf(
        texts(MANY, () => 'other'),
        'none',
      ),
    ).to.equal(0);
    expect(frequencyOf(textsOf([]), 'none')).to.equal(0);
  });

  it('is no less for few texts than what is there', () => {
    expect(frequencyOf(textsOf(entriesOf(['red', 'blue'])), 'red')).to.be.at.least(1);
  });
});
