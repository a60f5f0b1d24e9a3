import { expect } from 'chai';
import { viewOfA } from '../testing/view-of-turns.js';
import { Turns } from './turns.js';

const repeat = (times: number, ...servers: readonly string[]): readonly string[] =>
  Array.from({ length: times }, () => servers).flat();

/** `a` and `b` have taken turns of 10 ms for long, and it is the turn of `b`. */
function usualTen() {
  const view = viewOfA();
  view.commitEach(10, ...repeat(60, 'b', 'a'));
  return view;
}

describe('the time that a server has for its turn', () => {
  it('is three times what turns have taken recently, and at least 15 ms', async () => {
    const { commitEach, patience } = usualTen();
    expect(await patience()).to.equal(30);
    commitEach(6, ...repeat(60, 'b', 'a'));
    expect(await patience()).to.be.within(18, 19);
    commitEach(1, ...repeat(60, 'b', 'a'));
    expect(await patience()).to.equal(15);
  });

  it('does not depend on a pause, or on commits that were not expected', async () => {
    const { commitEach, patience } = usualTen();
    commitEach(200, 'b');
    commitEach(10, 'a');
    expect(await patience(), 'after a pause').to.equal(30);
    commitEach(25, 'c');
    expect(await patience(), 'after c').to.equal(30);
  });

  it('does not depend on how often a server commits that is alone', async () => {
    const { turns, commitEach, patience } = viewOfA();
    commitEach(14, ...repeat(50, 'a'));
    turns.requested('b');
    expect(await patience()).to.equal(30);
  });

  it('is shorter after a server has missed its turn, and longer after one did not get it in time', async () => {
    const { turns, commitEach, patience } = usualTen();
    commitEach(10, 'a');
    turns.requested('b');
    expect(await patience(), '0.8 · 2 · 30').to.equal(48);
  });

  it('is the same after a server has asked in its own turn, which is still one turn', async () => {
    const { turns, commit, patience, ask } = usualTen();
    turns.requested('b');
    expect(await patience()).to.equal(30);
    commit('b');
    expect(await ask()).to.equal(121);
  });

  it('is that of one turn for a server that asks before its turn', async () => {
    const { turns, commitEach, patience } = usualTen();
    commitEach(10, 'b');
    turns.requested('b');
    commitEach(20, 'b', 'a');
    expect(await patience()).to.equal(60);
  });

  it('is at most 750 ms', async () => {
    const { turns, commit, patience } = viewOfA();
    for (let i = 0; i < 20; i++) {
      turns.requested('b');
      turns.requested('c');
    }
    commit('a');
    expect(await patience()).to.equal(750);
  });

  it('is not taken from a server that has asked while another one was appending', async () => {
    const { turns, commit, patience } = viewOfA();
    commit('a', 'c', 'a', 'c', 'a');
    turns.requested('b');
    commit('c');
    expect(await patience()).to.equal(30);
  });

  it('is twice as long after this server was refused, and ends by the clock', async () => {
    const { turns, commit, patience } = viewOfA();
    commit('b', 'b', 'b');
    expect(turns.lost()).to.equal(true);
    expect(await patience()).to.equal(30);
    const onClock = new Turns('a');
    onClock.committed('b', 1);
    onClock.lost();
    expect(await onClock.wait(new AbortController().signal)).to.equal(1);
  });
});

describe('the servers that are expected to append', () => {
  it('are none after the first commit of all', async () => {
    const { commit, ask } = viewOfA();
    commit('a');
    expect(await ask()).to.equal(1);
  });

  it('do not lose a turn that they can still use', async () => {
    const { turns, commit, ask } = viewOfA();
    commit('a', 'b', 'a', 'b');
    expect(turns.lost()).to.equal(false);
    expect(await ask()).to.equal(4);
  });

  it('let another one append at once, but not twice in a row', async () => {
    const { commit, ask, pass } = viewOfA();
    commit('b', 'c', 'b', 'c');
    expect(await ask()).to.equal(4);
    commit('a');
    expect(await ask(), 'b is next').to.equal(undefined);
    pass(1000);
    expect(await ask(), 'b is late').to.equal(5);
  });

  it('are those that appended twice of late, also if others appended more often', async () => {
    const { commit, ask } = viewOfA();
    commit('a', 'a', 'b', 'a', 'a', 'b', 'a');
    expect(await ask()).to.equal(undefined);
  });

  it('are not those that appended twice with long gaps, also if others were there long ago', async () => {
    const { commit, ask } = viewOfA();
    commit('c', 'd', 'e', ...repeat(40, 'a'), 'b', ...repeat(6, 'a'), 'b', 'a');
    expect(await ask()).to.equal(52);
  });

  it('stay so while they use their turns, also if they asked for the first', async () => {
    const { turns, commit, ask } = viewOfA();
    commit('a', 'a', 'a');
    turns.requested('b');
    commit('b', 'a');
    expect(await ask()).to.equal(undefined);
  });

  it('must append more often after a missed turn, until they use one', async () => {
    const { commit, ask } = viewOfA();
    for (let round = 0; round < 2; round++) {
      commit('a', 'b', 'a', 'b', 'a', 'b', 'a', 'b', 'a', 'a');
      expect(await ask(), 'b has missed its turn').to.be.a('number');
      commit('b', 'a');
      expect(await ask(), 'b has appended twice in five').to.be.a('number');
      commit('b', 'a', 'b', 'a');
      expect(await ask(), 'b has appended three times in five').to.equal(undefined);
      commit('b');
    }
  });
});
