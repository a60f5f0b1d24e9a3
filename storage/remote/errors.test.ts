import { expect } from 'chai';
import { isStorageError, StorageError } from '../errors.js';
import { storageErrors } from './errors.js';

describe('remote: errors', () => {
  const sent = (error: unknown): Error => storageErrors.decode(structuredClone(storageErrors.encode(error)));

  it('arrive as errors of a store, with code, message and key', () => {
    const error = sent(new StorageError('rejected', 'too large', { key: 'a/b/c' }));
    expect(isStorageError(error, 'rejected')).to.equal(true);
    expect(error).to.include({ message: 'too large', key: 'a/b/c' });
    expect(sent(new StorageError('unavailable', 'full', { isFull: true }))).to.include({ isFull: true });
    expect(sent(new StorageError('behind', 'late'))).to.include({ code: 'behind', key: undefined });
  });

  it('arrive as errors with their message, if they are others', () => {
    const error = sent(new TypeError('a bug'));
    expect(isStorageError(error)).to.equal(false);
    expect([error.constructor, error.message, sent('a text').message]).to.deep.equal([Error, 'a bug', 'a text']);
  });
});
