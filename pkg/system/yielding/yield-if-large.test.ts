import { expect } from 'chai';
import { yieldIfLarge } from './yielding.js';

/** Whether others get a turn after a step of the work on a body of this many bytes. */
async function othersRun(bytes: number): Promise<boolean> {
  let hasRun = false;
  setImmediate(() => {
    hasRun = true;
  });
  await yieldIfLarge(new Uint8Array(bytes));
  return hasRun;
}

describe('the work on a body', () => {
  it('lets others run after each step on a large one, and does not wait with a small one', async () => {
    expect(await othersRun(64 * 1024)).to.equal(true);
    expect(await othersRun(64 * 1024 - 1)).to.equal(false);
    expect(await othersRun(0)).to.equal(false);
  });
});
