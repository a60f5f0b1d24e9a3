import { expect } from 'chai';
import { keyOf } from '../key.js';
import { heldOf } from './held.js';

const key = keyOf('notes.x', 'default', 'a b');

function rowsOf(index: readonly string[], counted: readonly string[] = []) {
  const document = { _id: key, revision: 3, metadata: { name: 'a b', namespace: 'default' }, body: '{"ä":1}' };
  return heldOf({ ...document, index: index.map((row) => `${row} ${key}`), counted });
}

describe('the rows of an object, from the names of them', () => {
  it('are its index and tuple', () => {
    const { rows, ...stored } = rowsOf(['byTag sa!', 'byTime n1!']);
    expect(rows).to.deep.equal([
      { index: 'byTag', tuple: 'sa!' },
      { index: 'byTime', tuple: 'n1!' },
    ]);
    expect(stored).to.deep.equal({ key, revision: 3, value: Buffer.from('{"ä":1}') });
    const { index, ...plain } = { index: [], _id: key, revision: 1, metadata: { name: '', namespace: '' }, body: '{}' };
    expect(heldOf(plain).rows).to.deep.equal(index);
  });

  it('are counted under the prefix that the object names', () => {
    expect(rowsOf(['byTag sa!sb!', 'byTag sc!'], ['byTag sa!']).rows).to.deep.equal([
      { index: 'byTag', tuple: 'sa!sb!', counted: 'sa!' },
      { index: 'byTag', tuple: 'sc!' },
    ]);
    // Two rows have the same prefix, and each is counted under it.
    expect(rowsOf(['byTag sa!s1!', 'byTag sa!s2!'], ['byTag sa!']).rows).to.deep.equal([
      { index: 'byTag', tuple: 'sa!s1!', counted: 'sa!' },
      { index: 'byTag', tuple: 'sa!s2!', counted: 'sa!' },
    ]);
  });

  it('are counted under what is no prefix of any, in a row of the same index that is not counted yet', () => {
    const rows = rowsOf(['byTime n1!', 'byTag sa!', 'byTag scut', 'byTag sd!'], ['byTag sa!', 'byTag slong!']).rows;
    expect(rows).to.deep.equal([
      { index: 'byTime', tuple: 'n1!' },
      { index: 'byTag', tuple: 'sa!', counted: 'sa!' },
      { index: 'byTag', tuple: 'scut', counted: 'slong!' },
      { index: 'byTag', tuple: 'sd!' },
    ]);
    expect(rowsOf(['byTag sa!'], ['byTag sa!', 'byTag sb!']).rows).to.deep.equal([
      { index: 'byTag', tuple: 'sa!', counted: 'sa!' },
    ]);
    expect(rowsOf(['byTag scut'], ['byTag slong!']).rows).to.deep.equal([
      { index: 'byTag', tuple: 'scut', counted: 'slong!' },
    ]);
    expect(rowsOf(['byTag sa!'], ['byTime n1!']).rows).to.deep.equal([{ index: 'byTag', tuple: 'sa!' }]);
  });
});
