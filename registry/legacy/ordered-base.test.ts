import { expect } from 'chai';
import fc from 'fast-check';
import { keyOf } from '../../storage/key.js';
import { type Entry, MemoryEntry } from '../../storage/state/entry.js';
import { encodeTuple } from '../../storage/state/tuple.js';
import { baseOf, isWanted, type SearchConditions } from './ordered-base.js';

const INDEX = 'byTag';

interface Thing {
  readonly text: string;
  readonly tags: readonly string[];
  readonly container: string | undefined;
}

function entryOf({ text, tags, container }: Thing, number: number): Entry {
  const rows = tags.map((tag) => ({ index: INDEX, tuple: encodeTuple([tag]) }));
  const attributes = { labels: undefined, fields: undefined, text, container };
  return new MemoryEntry(keyOf('things.x', 'here', `n${number}`), 1, Buffer.from('{}'), attributes, rows);
}

const word = fc.constantFrom('red', 'blue', 'green', 're', 'ee', 'none');
const place = fc.constantFrom<string | undefined>(undefined, 'a', 'b', 'c');
const thing: fc.Arbitrary<Thing> = fc.record({
  text: fc.array(word, { maxLength: 4 }).map((words) => words.join(' ')),
  tags: fc.uniqueArray(word, { maxLength: 3 }),
  container: place,
});

/** Counts how often it is asked whether a text includes a word that is counted. */
function countIncludes(isCounted: (word: string) => boolean) {
  const { includes } = String.prototype;
  const asked = { count: 0, restore: () => Object.assign(String.prototype, { includes }) };
  Object.assign(String.prototype, {
    includes(this: string, word: string): boolean {
      if (isCounted(word)) asked.count++;
      return includes.call(this, word);
    },
  });
  return asked;
}

describe('a search in the ordered entries of an index', () => {
  it('finds what has all words and rows and lies in no excluded container, in order or in reverse order', () => {
    const query = fc.record({
      words: fc.array(word, { maxLength: 3 }),
      tags: fc.array(word, { maxLength: 2 }),
      excluded: fc.array(place, { maxLength: 2 }),
      isDescending: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(thing, { maxLength: 60 }), query, (things, { words, tags, excluded, isDescending }) => {
        const entries = things.map(entryOf);
        const rows = tags.map((tag) => ({ index: INDEX, tuple: [tag] }));
        const wanted: SearchConditions = {
          words,
          rows,
          isDescending,
          excludes: (container) => excluded.includes(container),
        };
        const expected = entries.filter(
          (entry) =>
            words.every((one) => entry.attributes.text?.includes(one)) &&
            tags.every((tag) => things[entries.indexOf(entry)]?.tags.includes(tag)) &&
            !excluded.includes(entry.attributes.container),
        );
        if (isDescending) expected.reverse();
        expect([...baseOf(entries).matching(wanted)].map((position) => entries[position])).to.deep.equal(expected);
        expect(
          entries.filter((entry) => isWanted(entry, wanted) && !wanted.excludes(entry.attributes.container)).length,
        ).to.equal(expected.length);
      }),
      { numRuns: 500 },
    );
  });

  it('finds words that are in too many entries to be looked up, too', () => {
    const entries = Array.from({ length: 9000 }, (_, number) =>
      entryOf(
        { text: `common ${number % 2 === 0 ? 'even' : 'odd'} ${number}`, tags: [], container: undefined },
        number,
      ),
    );
    const find = (...words: readonly string[]): readonly Entry[] =>
      [...baseOf(entries).matching({ words, rows: [], isDescending: false, excludes: () => false })].flatMap(
        (position) => entries[position] ?? [],
      );
    expect(find('common')).to.have.length(9000);
    expect(find('common', 'even')).to.have.length(4500);
    expect(find('common', 'even', '8998')).to.deep.equal([entries[8998]]);
    expect(find('common', 'even', '8999')).to.deep.equal([]);
  });

  describe('looks at few entries', () => {
    const things = Array.from({ length: 9000 }, (_, number): Thing => {
      const tags = ['all', ...(number % 2 === 0 ? ['even'] : []), ...(number === 4000 ? ['one'] : [])];
      return { text: `common ${number % 2 === 0 ? 'even' : 'odd'} ${number}`, tags, container: undefined };
    });
    const base = baseOf(things.map(entryOf));
    /** How many entries are found, and how many texts are looked at: each is asked for the first word. */
    const looks = (words: readonly string[], tags: readonly string[]): readonly [number, number] => {
      const rows = tags.map((tag) => ({ index: INDEX, tuple: [tag] }));
      const asked = countIncludes((word) => word === words[0]);
      try {
        const found = [...base.matching({ words, rows, isDescending: false, excludes: () => false })];
        return [found.length, asked.count];
      } finally {
        asked.restore();
      }
    };

    it('if a row is rare, whatever else is wanted', () => {
      for (const tags of [['one'], ['all', 'one'], ['one', 'all'], ['even', 'all', 'one']])
        expect(looks(['common'], tags)).to.deep.equal([1, 1]);
      expect(looks(['common'], ['none', 'all'])).to.deep.equal([0, 0]);
    });

    it('if a word is rare, whatever else is wanted', () => {
      for (const words of [['8998'], ['common', '8998'], ['8998', 'common', 'even']])
        expect(looks(words, ['all'])).to.deep.equal([1, 1]);
      // Both words are rare, so the longer one is used.
      expect(looks(['m', 'common even 12'], [])[1]).to.be.below(200);
    });

    it('if a row is as rare as the words', () => {
      expect(looks(['common'], ['even'])).to.deep.equal([4500, 4500]);
      expect(looks(['odd'], ['even'])[0]).to.equal(0);
    });
  });
});
