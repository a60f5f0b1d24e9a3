import { expect } from 'chai';
import { compactedError, isStorageError, StorageError } from './errors.js';

describe('an error of the store', () => {
  it('has a code, a message, and the cause and the key if there are some', () => {
    const cause = new Error('why');
    const bare = new StorageError('behind', 'x');
    expect([bare.name, bare.code, bare.message, bare.key, 'cause' in bare]).to.deep.equal([
      'StorageError',
      'behind',
      'x',
      undefined,
      false,
    ]);
    const full = new StorageError('rejected', 'x', { cause, key: 'k' });
    expect([full.cause, full.key]).to.deep.equal([cause, 'k']);
    expect([
      isStorageError(bare),
      isStorageError(bare, 'behind'),
      isStorageError(bare, 'closed'),
      isStorageError(cause),
    ]).to.deep.equal([true, true, false, false]);
    expect(compactedError(3, 5)).to.include({
      code: 'compacted',
      message: 'The changes after 3 were removed: the log starts after 5.',
    });
  });
});
