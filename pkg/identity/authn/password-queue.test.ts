import { expect } from 'chai';
import { ApiError } from '../../kube/status/status.js';
import { PasswordQueue, type Turn } from './password-queue.js';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const A: Turn = { of: 'a' };
const B: Turn = { of: 'b' };
const KNOWN: Turn = { of: 'a', first: true };

/** A queue whose work ends when it is told to, with the names of the work in the order in which it was run. */
function recorded(options: ConstructorParameters<typeof PasswordQueue>[0]) {
  const queue = new PasswordQueue({ concurrency: 1, ...options });
  const ran: string[] = [];
  const open: (() => void)[] = [];
  const run = (name: string, turn: Turn): Promise<number> => {
    const work = () => {
      ran.push(name);
      return new Promise<void>((resolve) => open.push(resolve));
    };
    return queue.run(work, turn).then(
      () => 200,
      (error: unknown) => (error instanceof ApiError ? error.code : Number.NaN),
    );
  };
  const finish = async (): Promise<readonly string[]> => {
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      next();
      await nextTurn();
    }
    return ran;
  };
  return { run, finish };
}

describe('PasswordQueue', () => {
  it('runs the work of one key in order, and refuses more than may wait with 429', async () => {
    const { run, finish } = recorded({ maxWaiting: 2 });
    const codes = ['1', '2', '3', '4'].map((name) => run(name, A));
    expect(await finish()).to.deep.equal(['1', '2', '3']);
    expect(await Promise.all(codes)).to.deep.equal([200, 200, 200, 429]);
  });

  it('gives turns to keys, however much one of them wants', async () => {
    const { run, finish } = recorded({});
    for (const name of ['a1', 'a2', 'a3', 'a4']) run(name, A);
    for (const name of ['b1', 'b2']) run(name, B);
    expect(await finish()).to.deep.equal(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
  });

  it('runs the work of known callers first, and strangers wait for no more than three of them', async () => {
    const { run, finish } = recorded({});
    for (const name of ['s1', 's2', 's3']) run(name, B);
    for (const name of ['k1', 'k2', 'k3', 'k4']) run(name, KNOWN);
    expect(await finish()).to.deep.equal(['s1', 'k1', 'k2', 'k3', 's2', 'k4', 's3']);
  });

  it('refuses more than a share of one key, and lets those with more give way where it is full', async () => {
    const { run, finish } = recorded({ maxWaiting: 4, maxWaitingEach: 3 });
    const codes = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => run(name, A));
    codes.push(run('b1', B), run('b2', B), run('c1', { of: 'c' }), run('d1', { of: 'd' }));
    expect(await finish()).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'd1']);
    expect(await Promise.all(codes)).to.deep.equal([200, 200, 429, 429, 429, 200, 429, 200, 200]);
  });

  it('keeps places for strangers that known callers cannot take, and places for known callers', async () => {
    const { run, finish } = recorded({ maxWaiting: 2 });
    const codes = [run('s1', B)];
    for (const name of ['k1', 'k2', 'k3']) codes.push(run(name, KNOWN));
    for (const name of ['s2', 's3', 's4']) codes.push(run(name, B));
    expect(await finish()).to.have.members(['s1', 'k1', 'k2', 's2', 's3']);
    expect(await Promise.all(codes)).to.deep.equal([200, 200, 200, 429, 200, 200, 429]);
  });

  it('keeps the limit when work ends and new work comes in the same turn', async () => {
    const queue = new PasswordQueue({ concurrency: 2, maxWaitingEach: 64 });
    let running = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++running);
      await nextTurn();
      running--;
    };
    await Promise.all(Array.from({ length: 20 }, () => queue.run(work, A).then(() => queue.run(work, A))));
    expect([most, running]).to.deep.equal([2, 0]);
  });

  it('goes on after work that failed', async () => {
    const queue = new PasswordQueue({ concurrency: 1, maxWaiting: 1 });
    await queue.run(() => Promise.reject(new Error('x')), A).catch(() => undefined);
    expect(await queue.run(async () => 'ok', A)).to.equal('ok');
  });
});
