import { expect } from 'chai';
import { PendingBytes } from './pending-answers.js';

const bytes = (length: number): Uint8Array => new Uint8Array(length);

describe('PendingBytes', () => {
  it('are shared between flows, and are free again when they are given back', () => {
    const pending = new PendingBytes(100);
    const [first, second] = [bytes(25), bytes(25)];
    expect([pending.take('a', first), pending.take('a', second), pending.take('a', bytes(1))]).to.deep.equal([
      true,
      true,
      false,
    ]);
    expect([pending.take('b', bytes(25)), pending.take('b', bytes(25))]).to.deep.equal([true, false]);
    pending.give('a', first);
    pending.give('a', second);
    expect(pending.used).to.equal(25);
  });

  it('count once for the answers of a flow that have the same bytes', () => {
    const pending = new PendingBytes(100);
    const shared = bytes(40);
    for (let answer = 0; answer < 10; answer++) expect(pending.take('a', shared)).to.equal(true);
    expect(pending.used).to.equal(40);
    for (let answer = 0; answer < 9; answer++) pending.give('a', shared);
    expect(pending.used).to.equal(40);
    pending.give('a', shared);
    expect(pending.used).to.equal(0);
  });

  it('may be of any number in the first answer of a flow, while anything is free', () => {
    const pending = new PendingBytes(100);
    const large = bytes(1_000);
    expect([pending.take('a', large), pending.take('a', bytes(1))]).to.deep.equal([true, false]);
    // Others still have a half.
    expect([pending.take('b', large), pending.take('c', bytes(1))]).to.deep.equal([true, false]);
    pending.give('a', large);
    expect([pending.used, pending.take('c', bytes(1))]).to.deep.equal([50, true]);
  });

  it('of answers that must be sent fill the share of their flow, and of no other', () => {
    const pending = new PendingBytes(100);
    const large = bytes(300);
    pending.add('a', large);
    expect([pending.isFull('a'), pending.isFull('b')]).to.deep.equal([true, false]);
    pending.give('a', large);
    expect([pending.isFull('a'), pending.used]).to.deep.equal([false, 0]);
  });
});
