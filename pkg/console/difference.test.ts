import { expect } from 'chai';
import { compare, folded, type Part, type Row } from './client/pages/object/history/compare.js';
import { manifestsIn } from './client/pages/sets/manifests.js';

const lines = (count: number, name = 'line'): string =>
  Array.from({ length: count }, (_, i) => `${name} ${i}\n`).join('');
const textOf = (row: Row, side: 'left' | 'right'): string | undefined =>
  row[side]?.pieces.map(({ text }) => text).join('');
const sizes = (parts: readonly Part[]) =>
  parts.map((part) => ('folded' in part ? `folded ${part.folded.length}` : `shown ${part.rows.length}`));

describe('a difference of two texts', () => {
  it('has changed lines side by side, with what differs in them', () => {
    const { rows, added, removed } = compare('a\nb: one two\nc\n', 'a\nb: one three\nc\nd\n');
    expect([added, removed]).to.deep.equal([2, 1]);
    expect(rows.map((row) => [textOf(row, 'left'), textOf(row, 'right'), row.isSame])).to.deep.equal([
      ['a', 'a', true],
      ['b: one two', 'b: one three', false],
      ['c', 'c', true],
      [undefined, 'd', false],
    ]);
    expect(rows[1]?.right?.pieces.filter(({ isChanged }) => isChanged)).to.deep.equal([
      { text: 'three', isChanged: true },
    ]);
    expect(rows.map(({ left, right }) => [left?.line, right?.line])).to.deep.equal([
      [1, 1],
      [2, 2],
      [3, 3],
      [undefined, 4],
    ]);
  });

  it('cuts long lines', () => {
    const { rows } = compare('', `${'x'.repeat(5000)}\n`);
    expect(textOf(rows.at(-1) as Row, 'right')).to.match(/^x{2000}… \(5000 characters\)$/);
  });

  it('shows three equal lines beside a change, and folds the others', () => {
    const { rows } = compare(`${lines(20)}old\n${lines(30, 'more')}`, `${lines(20)}new\n${lines(30, 'more')}`);
    expect(sizes(folded(rows))).to.deep.equal(['folded 17', 'shown 7', 'folded 27']);
  });

  it('folds no short runs, and all of what is equal', () => {
    const { rows } = compare(`a\n${lines(10)}b\n`, `A\n${lines(10)}B\n`);
    expect(sizes(folded(rows))).to.deep.equal(['shown 12']);
    expect(sizes(folded(compare(lines(20), lines(20)).rows))).to.deep.equal(['folded 20']);
  });

  it('is there for large texts that have nothing in common', function large() {
    this.timeout(20_000);
    const { added, removed } = compare(lines(20_000, 'one'), lines(20_000, 'two'));
    expect([added, removed]).to.deep.equal([20_000, 20_000]);
  });
});

describe('the manifests in a text', () => {
  const MANIFEST = 'apiVersion: v1\nkind: A\nmetadata:\n  name: a\n';

  it('are those of all documents and lists, with their places', () => {
    const list = JSON.stringify({ kind: 'AList', items: [{ apiVersion: 'v1', kind: 'A', metadata: { name: 'b' } }] });
    const { manifests = [] } = manifestsIn(`${MANIFEST}---\n# nothing\n---\n${list}\n`);
    expect(manifests.map(({ object, origin }) => [object['metadata'], origin.split(' (')[0]])).to.deep.equal([
      [{ name: 'a' }, 'document 1'],
      [{ name: 'b' }, 'document 3'],
    ]);
  });

  it('are told to be wrong with the place', () => {
    expect(manifestsIn('').problem).to.equal('There is nothing to apply yet.');
    expect(manifestsIn('a: [').problem).to.match(/at line 1/);
    expect(manifestsIn(`${MANIFEST}---\nkind: A\n`).problem).to.match(/document 2 \(line \d\): apiVersion is missing/);
    expect(manifestsIn('- x').problem).to.match(/this is no object/);
  });
});
