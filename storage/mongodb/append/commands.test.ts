import { expect } from 'chai';
import { inCommands } from './commands.js';

const MIB = 1024 * 1024;

/** How many items each command has. */
function counts(lengths: readonly number[]): readonly number[] {
  const commands = [
    ...inCommands(
      lengths,
      (length) => length,
      (documents) => ({ documents }),
    ),
  ];
  expect(commands.flatMap(({ documents }) => documents)).to.deep.equal(lengths);
  return commands.map(({ documents }) => documents.length);
}

describe('commands that write', () => {
  it('have all items in order, and are none for none', () => {
    expect(counts([])).to.deep.equal([]);
    expect(counts([1, 2, 3])).to.deep.equal([3]);
  });

  it('have at most two mebibytes, unless one item has more', () => {
    expect(counts([MIB, MIB, 1])).to.deep.equal([2, 1]);
    expect(counts([MIB, MIB + 1, MIB - 1])).to.deep.equal([1, 2]);
    expect(counts([3 * MIB, 1, 3 * MIB])).to.deep.equal([1, 1, 1]);
  });

  it('have at most 1000 items', () => {
    expect(counts(Array.from({ length: 2001 }, () => 1))).to.deep.equal([1000, 1000, 1]);
  });
});
