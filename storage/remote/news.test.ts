import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Port } from '../../pkg/ipc/calls.js';
import { Signal } from '../signal.js';
import { appendedOf, News } from './news.js';

describe('remote: news', () => {
  it('tells of the first append at once, and of many that follow with one message, which names the last', async () => {
    const ends: (number | undefined)[] = [];
    const told = new Signal();
    const post = (message: unknown): void => {
      ends.push(appendedOf(message));
      told.notify();
    };
    const port: Port = { post, listen: () => undefined, closed: new AbortController().signal };
    const news = new News(port);
    for (let i = 1; i < 10; i++) news.tell(i);
    expect(ends).to.deep.equal([1]);
    await told.wait();
    expect(ends).to.deep.equal([1, 9]);
    await turn();
    expect(ends, 'nothing is told twice').to.deep.equal([1, 9]);
    news.stop();
  }).timeout(2000);

  it('tells nothing more after its end', async () => {
    const ends: unknown[] = [];
    const told = new Signal();
    const closed = new AbortController().signal;
    const news = new News({ post: (message) => ends.push(appendedOf(message)), listen: () => undefined, closed });
    const clock = new News({ post: () => told.notify(), listen: () => undefined, closed });
    for (const one of [news, clock]) for (const end of [1, 2]) one.tell(end);
    news.stop();
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
