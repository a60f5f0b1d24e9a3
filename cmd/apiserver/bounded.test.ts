import { expect } from 'chai';
import { endsWithin } from './bounded.js';

const never = new Promise<void>(() => undefined);

describe('work with a bound', () => {
  it('waits for work that ends in time', async () => {
    expect(await endsWithin(Promise.resolve(), 60_000)).to.equal(true);
  });

  it('returns false for work that does not end in time', async () => {
    expect(await endsWithin(never, 1)).to.equal(false);
  });

  it('rejects if the work fails', async () => {
    const failed = await endsWithin(Promise.reject(new Error('the disk is full')), 60_000).catch(String);
    expect(failed).to.equal('Error: the disk is full');
  });
});
