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
    news.stop();
  });
});
