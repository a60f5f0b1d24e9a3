import { mock } from 'node:test';
import { expect } from 'chai';
import { GroupCommitDelay } from './group-commit.js';

const COMMIT = 4;

describe('group commit delay', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('does not delay a single writer', async () => {
    await new GroupCommitDelay().wait(0, 1, COMMIT);
    await new GroupCommitDelay().wait(3, 0, COMMIT);
  });

  it('ends as soon as the answered writers have written again', async () => {
    const delay = new GroupCommitDelay();
    const isOver = watchEnd(delay.wait(1, 2, COMMIT));
    delay.grownTo(2);
    expect(await isOver()).to.equal(false);
    delay.grownTo(3);
    expect(await isOver()).to.equal(true);
  });

  it('lasts one and a half commits while writers come back, but at most 12 ms', async () => {
    expect(await lengthOf(new GroupCommitDelay(), COMMIT)).to.equal(6);
    expect(await lengthOf(new GroupCommitDelay(), 1000)).to.equal(12);
  });

  it('lasts half a commit after two long delays in which few came back, except every eighth time', async () => {
    const delay = new GroupCommitDelay();
    const lengths: number[] = [];
    for (let i = 0; i < 18; i++) lengths.push(await lengthOf(delay, COMMIT));
    expect(lengths).to.deep.equal([6, 6, 2, 2, 2, 2, 2, 2, 2, 6, 2, 2, 2, 2, 2, 2, 2, 6]);
  });

  it('is long again after most writers came back during a long delay', async () => {
    const delay = new GroupCommitDelay();
    for (let i = 0; i < 9; i++) await lengthOf(delay, COMMIT);
    const isOver = watchEnd(delay.wait(0, 4, COMMIT));
    delay.grownTo(2);
    mock.timers.tick(6);
    expect(await isOver()).to.equal(true);
    expect(await lengthOf(delay, COMMIT)).to.equal(6);
  });
});

/** Returns a function that tells whether the work has ended. */
function watchEnd(work: Promise<void>): () => Promise<boolean> {
  let hasEnded = false;
  void work.then(() => {
    hasEnded = true;
  });
  return async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return hasEnded;
  };
}

/** The length in milliseconds of a delay in which nobody writes. */
async function lengthOf(delay: GroupCommitDelay, took: number): Promise<number> {
  const isOver = watchEnd(delay.wait(0, 4, took));
  for (let passed = 1; passed < 100; passed++) {
    mock.timers.tick(1);
    if (await isOver()) return passed;
  }
  throw new Error('the delay does not end');
}
