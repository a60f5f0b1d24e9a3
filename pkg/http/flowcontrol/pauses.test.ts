import { expect } from 'chai';
import { Pauses } from './pauses.js';
import { testLoop } from './testing/loop.js';

describe('Pauses', () => {
  it('end after about a second, or when the client leaves', async () => {
    const loop = testLoop();
    const pauses = new Pauses(loop);
    const ended: string[] = [];
    const leaving = new AbortController();
    void pauses.pause('a', leaving.signal).then(() => ended.push('left'));
    void pauses.pause('a', new AbortController().signal).then(() => ended.push('waited'));
    await loop.turns(1, 499);
    expect(ended).to.deep.equal([]);
    leaving.abort();
    await loop.turns(1);
    expect(ended).to.deep.equal(['left']);
    await loop.turns(1, 1001);
    expect(ended).to.deep.equal(['left', 'waited']);
  });

  it('are not for a flow that has its share of them', async () => {
    const loop = testLoop();
    const pauses = new Pauses(loop);
    let ended = 0;
    for (let i = 0; i < 5002; i++) void pauses.pause('a', new AbortController().signal).then(() => ended++);
    await loop.turns(1);
    expect(ended).to.equal(2);
    await loop.turns(1, 1500);
    expect(ended).to.equal(5002);
  });
});
