import { expect } from 'chai';
import type { ApiError } from '../../pkg/kube/status/status.js';
import { StorageError } from '../../storage/errors.js';
import { apiErrorOf } from './storage-errors.js';

type Code = StorageError['code'];

const shown = (code: Code) => {
  const error = new StorageError(code, 'what the store says');
  const { code: status, reason, message, cause } = apiErrorOf(error) as ApiError;
  return { status, reason, message, isCaused: cause === error };
};
const NOTHING = 'the store cannot be reached or cannot write at the moment; nothing was changed';

describe('what the store could not do', () => {
  it('has the status that clients act by', () => {
    const codes: readonly Code[] = [
      'compacted',
      'future',
      'overloaded',
      'too-large',
      'rejected',
      'unavailable',
      'behind',
      'closed',
      'unknown',
      'refused',
    ];
    expect(codes.map((code) => [code, shown(code).status, shown(code).reason])).to.deep.equal([
      ['compacted', 410, 'Expired'],
      ['future', 504, 'Timeout'],
      ['overloaded', 429, 'TooManyRequests'],
      ['too-large', 413, 'RequestEntityTooLarge'],
      ['rejected', 413, 'RequestEntityTooLarge'],
      ['unavailable', 503, 'ServiceUnavailable'],
      ['behind', 503, 'ServiceUnavailable'],
      ['closed', 503, 'ServiceUnavailable'],
      ['unknown', 500, 'InternalError'],
      ['refused', 400, 'BadRequest'],
    ]);
  });

  it('says whether something was changed, and keeps what the store says for the log', () => {
    expect(shown('unavailable')).to.deep.include({ message: NOTHING, isCaused: true });
    expect(shown('behind')).to.deep.include({ message: NOTHING, isCaused: true });
    expect(shown('too-large')).to.deep.include({
      message: 'the request writes more than the store can commit at once; nothing was changed',
      isCaused: true,
    });
    expect(shown('unknown').message).to.include('it is unknown whether the store has written the change');
    for (const code of ['compacted', 'rejected', 'refused'] as const)
      expect(shown(code).message).to.equal('what the store says');
    expect(shown('rejected').isCaused).to.equal(true);
  });

  // Promise: contract 6
  it('tells clients to try again where nothing was written, and nowhere else', () => {
    const retry = (code: Code) => (apiErrorOf(new StorageError(code, '')) as ApiError).details?.retryAfterSeconds;
    const codes = ['unavailable', 'behind', 'closed', 'overloaded', 'future'] as const;
    expect(codes.map(retry)).to.deep.equal([2, 2, 1, 1, 1]);
    for (const code of ['unknown', 'too-large', 'rejected', 'refused', 'compacted'] as const)
      expect(retry(code), code).to.equal(undefined);
  });

  it('is only about failures of the store', () => {
    for (const error of [new TypeError('a defect'), undefined, 'text']) expect(apiErrorOf(error)).to.equal(error);
  });
});
