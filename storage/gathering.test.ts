import { mock } from 'node:test';
import { expect } from 'chai';
import { Gathering } from './gathering.js';

const COMMIT = 4;

describe('gathering', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('lets a writer who is alone go on at once', async () => {
    await new Gathering().wait(0, 1, COMMIT);
    await new Gathering().wait(3, 0, COMMIT);
  });

  it('ends as soon as those who were answered are back', async () => {
    const gathering = new Gathering();
    const pause = over(gathering.wait(1, 2, COMMIT));
    gathering.grownTo(2);
    expect(await pause()).to.equal(false);
    gathering.grownTo(3);
    expect(await pause()).to.equal(true);
  });

  it('lasts one and a half commits while they come back, and never more than 12 ms', async () => {
    expect(await lengthOf(new Gathering(), COMMIT)).to.equal(6);
    expect(await lengthOf(new Gathering(), 1000)).to.equal(12);
  });

  it('lasts half a commit after two in which few came back, but for one in eight', async () => {
    const gathering = new Gathering();
    const lengths: number[] = [];
    for (let i = 0; i < 18; i++) lengths.push(await lengthOf(gathering, COMMIT));
    expect(lengths).to.deep.equal([6, 6, 2, 2, 2, 2, 2, 2, 2, 6, 2, 2, 2, 2, 2, 2, 2, 6]);
  });

  it('is long again once most come back in a long one', async () => {
    const gathering = new Gathering();
    for (let i = 0; i < 9; i++) await lengthOf(gathering, COMMIT);
    const pause = over(gathering.wait(0, 4, COMMIT));
    gathering.grownTo(2);
    mock.timers.tick(6);
    expect(await pause()).to.equal(true);
    expect(await lengthOf(gathering, COMMIT)).to.equal(6);
  });
});

/** Whether it has ended by now. */
function over(work: Promise<void>): () => Promise<boolean> {
  let isOver = false;
  void work.then(() => {
    isOver = true;
  });
  return async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return isOver;
  };
}

/** Milliseconds of a pause in which nobody comes back. */
async function lengthOf(gathering: Gathering, took: number): Promise<number> {
  const isOver = over(gathering.wait(0, 4, took));
  for (let passed = 1; passed < 100; passed++) {
    mock.timers.tick(1);
    if (await isOver()) return passed;
  }
  throw new Error('the pause does not end');
}
