import { expect } from 'chai';
import { endsWithin } from './bounded.js';

const never = new Promise<void>(() => undefined);

describe('work with a bound', () => {
  it('is waited for', async () => {
    expect(await endsWithin(Promise.resolve(), 60_000)).to.equal(true);
  });

  it('is left alone when it does not end', async () => {
    expect(await endsWithin(never, 1)).to.equal(false);
  });

  it('tells how it failed', async () => {
    const failed = await endsWithin(Promise.reject(new Error('the disk is full')), 60_000).catch(String);
    expect(failed).to.equal('Error: the disk is full');
  });
});
