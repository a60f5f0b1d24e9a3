import { mock } from 'node:test';
import { expect } from 'chai';
import { GroupCommitDelay } from './group-commit.js';

const COMMIT = 4;

describe('group commit delay', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('does not delay a single writer, or the first batch', async () => {
    await delayAfter(0, 1).wait(1);
    await delayAfter(3, 0).wait(1);
    await new GroupCommitDelay().wait(1);
  });

  it('ends as soon as the answered writers have written again', async () => {
    const delay = delayAfter(1, 2);
    const isOver = watchEnd(delay.wait(1));
    delay.grownTo(2);
    expect(await isOver()).to.equal(false);
    delay.grownTo(3);
    expect(await isOver()).to.equal(true);
  });

  it('does not take place if all have written again already', async () => {
    await delayAfter(1, 2).wait(3);
  });

  it('lasts one and a half commits while writers come back, but at most 12 ms', async () => {
    expect(await lengthOf(new GroupCommitDelay(), COMMIT)).to.equal(6);
    expect(await lengthOf(new GroupCommitDelay(), 1000)).to.equal(12);
  });

  it('begins again with each writer that comes back', async () => {
    const delay = delayAfter(0, 4);
    const isOver = watchEnd(delay.wait(1));
    mock.timers.tick(5);
    delay.grownTo(2);
    mock.timers.tick(5);
    expect(await isOver()).to.equal(false);
    mock.timers.tick(1);
    expect(await isOver()).to.equal(true);
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
    delay.committed(0, 5, COMMIT);
    const isOver = watchEnd(delay.wait(1));
    delay.grownTo(3);
    mock.timers.tick(6);
    expect(await isOver()).to.equal(true);
    expect(await lengthOf(delay, COMMIT)).to.equal(6);
  });

  it('waits for one writer that was answered together with another, but not for one that was answered alone', async () => {
    expect(await watchEnd(delayAfter(0, 2).wait(1))()).to.equal(false);
    expect(await watchEnd(delayAfter(0, 1).wait(0))()).to.equal(true);
  });

  it('does not take place 20 ms after the commit, because the writers have gone', async () => {
    let now = 100;
    const delay = delayAfter(0, 5, () => now);
    now += 21;
    expect(await watchEnd(delay.wait(1))()).to.equal(true);
    now -= 1;
    expect(await watchEnd(delay.wait(1))()).to.equal(false);
  });

  it('does not begin again if it would then last longer than 12 ms in all', async () => {
    let now = 100;
    const pass = (milliseconds: number) => {
      now += milliseconds;
      mock.timers.tick(milliseconds);
    };
    const delay = delayAfter(0, 5, () => now);
    const isOver = watchEnd(delay.wait(1));
    pass(5);
    delay.grownTo(2);
    pass(5);
    delay.grownTo(3);
    pass(1);
    expect(await isOver()).to.equal(true);
  });

  it('takes up writers that come when nobody waits', () => {
    delayAfter(0, 2).grownTo(1);
    delayAfter(0, 2).grownTo(2);
  });
});

/** A delay after a commit with these numbers of writes. */
function delayAfter(queued: number, answered: number, now?: () => number): GroupCommitDelay {
  const delay = new GroupCommitDelay(now);
  delay.committed(queued, answered, COMMIT);
  return delay;
}

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

/** The length in milliseconds of a delay after a commit in which nobody but the first writes. */
async function lengthOf(delay: GroupCommitDelay, took: number): Promise<number> {
  delay.committed(0, 5, took);
  const isOver = watchEnd(delay.wait(1));
  for (let passed = 1; passed < 100; passed++) {
    mock.timers.tick(1);
    if (await isOver()) return passed;
  }
  throw new Error('the delay does not end');
}
