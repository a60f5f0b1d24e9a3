import { expect } from 'chai';
import { keyOf } from '../../../storage/key.js';
import { MemoryEntry } from '../../../storage/state/entry.js';
import type { Kind } from '../../kinds/kind.js';
import { parseSelection } from './selection.js';

const entry = new MemoryEntry(keyOf('things', '', 'a'), 1, Buffer.from('{}'), { labels: { size: 'L' }, fields: {} });
const never = (): never => {
  throw new Error('it is not converted');
};

describe('a selector of labels', () => {
  it('does not convert the objects of a version with the same fields, because that may take long', () => {
    const kind = { ownedKeys: { labels: [] }, conversion: { convert: never, keepsFields: true } } as unknown as Kind;
    expect(['size=L', 'size!=L', '!size'].map((one) => parseSelection(kind, one, '').matches(entry))).to.deep.equal([
      true,
      false,
      false,
    ]);
  });
});
