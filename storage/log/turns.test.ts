import { expect } from 'chai';
import { viewOfA } from '../testing/view-of-turns.js';

describe('Turns', () => {
  it('let a server that is alone append at once', async () => {
    const { commit, ask } = viewOfA();
    expect(await ask()).to.equal(0);
    commit('a', 'a', 'a');
    expect(await ask()).to.equal(3);
  });

  it('let the server append next whose last append is the longest ago', async () => {
    const { commit, ask } = viewOfA();
    commit('a', 'b', 'c', 'a', 'b', 'c');
    expect(await ask(), 'after c').to.equal(6);
    commit('a');
    expect(await ask(), 'after a').to.equal(undefined);
    commit('b');
    expect(await ask(), 'after b').to.equal(undefined);
    commit('c');
    expect(await ask(), 'after c again').to.equal(9);
  });

  it('pass over a server that does not use its turn, and wait for it no longer', async () => {
    const { commit, ask, pass } = viewOfA();
    commit('a', 'b', 'a', 'b', 'a');
    expect(await ask(), 'it is the turn of b').to.equal(undefined);
    pass(1000);
    expect(await ask(), 'b is late').to.equal(5);
    commit('a');
    expect(await ask(), 'b has missed its turn').to.equal(6);
  });

  it('do not wait for a server that rarely appends', async () => {
    const { commit, ask } = viewOfA();
    commit('a', 'a', 'a', 'a', 'a', 'a', 'b', 'a');
    expect(await ask()).to.equal(8);
  });

  it('give the next turn to a server that asks for it', async () => {
    const { turns, commit, ask, pass } = viewOfA();
    commit('a', 'a', 'a');
    turns.requested('b');
    expect(await ask(), 'b has asked').to.equal(undefined);
    commit('b');
    expect(await ask(), 'b had its turn').to.equal(4);
    turns.requested('b');
    pass(1000);
    expect(await ask(), 'b has stopped').to.equal(4);
  });

  it('keep the turn of a server that asks while another one is appending', async () => {
    const { turns, commit, ask, pass } = viewOfA();
    commit('a', 'c', 'a', 'c', 'a');
    turns.requested('b');
    commit('c');
    expect(await ask(), 'c was appending already').to.equal(undefined);
    commit('b');
    expect(await ask(), 'b had its turn').to.equal(7);
    turns.requested('b');
    commit('c');
    pass(1000);
    commit('c');
    expect(await ask(), 'b has missed its turn').to.equal(9);
  });

  it('make a server ask that was refused, and let the others finish then', async () => {
    const { turns, commit, ask } = viewOfA();
    commit('b', 'b', 'b');
    expect(turns.lost()).to.equal(true);
    expect(await ask(), 'b appends now').to.equal(undefined);
    commit('b');
    expect(await ask()).to.equal(4);
  });

  it('let a server that has asked try again and again if nobody commits', async () => {
    const { turns, commit, ask, pass } = viewOfA();
    commit('b', 'b', 'b');
    expect(turns.lost()).to.equal(true);
    expect(await ask(), 'b may be appending').to.equal(undefined);
    pass(1000);
    for (let i = 0; i < 10; i++) {
      expect(await ask(), 'b has stopped').to.equal(3);
      expect(turns.lost(), 'it has asked already').to.equal(false);
    }
  });

  it('give servers more time that were passed over although they wanted their turn', async () => {
    const { turns, commit, ask, pass } = viewOfA();
    for (let i = 0; i < 3; i++) {
      turns.requested('b');
      commit('a');
    }
    turns.requested('b');
    pass(20);
    expect(await ask(), 'b has more time').to.equal(undefined);
    pass(1000);
    expect(await ask(), 'b has stopped').to.equal(3);
  });

  it('end a wait when the store is closed', async () => {
    const { turns, commit } = viewOfA();
    commit('a', 'b', 'a', 'b', 'a');
    const stop = new AbortController();
    const waiting = turns.wait(stop.signal);
    stop.abort();
    expect(await waiting).to.equal(5);
  });
});
