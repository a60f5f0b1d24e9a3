import { expect } from 'chai';
import { seldom } from './seldom.js';

describe('messages that strangers can cause', () => {
  it('are logged once a minute each', () => {
    const logged: string[] = [];
    let now = 0;
    const log = seldom(
      (message) => void logged.push(message),
      () => now,
    );
    for (const message of ['a', 'a', 'b', 'a']) log(message);
    now = 60_000;
    for (const message of ['a', 'a']) log(message);
    expect(logged).to.deep.equal(['a', 'b', 'a']);
  });
});
