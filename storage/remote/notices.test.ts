import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Port } from '../../pkg/system/ipc/calls.js';
import { Signal } from '../signal.js';
import { appendedOf, Notices } from './notices.js';

describe('remote: notices', () => {
  it('tells of the first append at once, and of many that follow with one message, which names the last', async () => {
    const ends: (number | undefined)[] = [];
    const told = new Signal();
    const post = (message: unknown): void => {
      ends.push(appendedOf(message));
      told.notify();
    };
    const port: Port = { post, listen: () => undefined, closed: new AbortController().signal };
    const notices = new Notices(port);
    for (let i = 1; i < 10; i++) notices.tell(i);
    expect(ends).to.deep.equal([1]);
    await told.wait();
    expect(ends).to.deep.equal([1, 9]);
    await turn();
    expect(ends, 'nothing is told twice').to.deep.equal([1, 9]);
    notices.stop();
  }).timeout(2000);

  it('tells nothing more after its end', async () => {
    const ends: unknown[] = [];
    const told = new Signal();
    const closed = new AbortController().signal;
    const notices = new Notices({ post: (message) => ends.push(appendedOf(message)), listen: () => undefined, closed });
    const clock = new Notices({ post: () => told.notify(), listen: () => undefined, closed });
    for (const one of [notices, clock]) for (const end of [1, 2]) one.tell(end);
    notices.stop();
    await told.wait();
    await turn();
    expect(ends).to.deep.equal([1]);
    clock.stop();
  });

  it('knows its messages among others', () => {
    const others = [undefined, null, 'appended', 7, {}, { answer: 1 }];
    expect(others.map(appendedOf)).to.deep.equal(others.map(() => undefined));
    expect(appendedOf({ appended: 7 })).to.equal(7);
  });
});
