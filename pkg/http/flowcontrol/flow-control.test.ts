import { expect } from 'chai';
import fc from 'fast-check';
import { FlowControl, type LevelOptions, RejectedError } from './flow-control.js';
import { testLoop } from './testing/loop.js';

type Name = 'read' | 'watch' | 'exempt';

function control({ read = 8, watch = 10, maxQueued = 40, waitLimit = 100 } = {}) {
  const loop = testLoop();
  const seen: string[] = [];
  const levels: Record<Name, LevelOptions> = {
    read: { seats: read, type: 'Queue' },
    watch: { seats: watch, type: 'Reject' },
    exempt: { seats: Number.POSITIVE_INFINITY, type: 'Exempt' },
  };
  const observer = {
    waited: (level: string, seconds: number, isExecuted: boolean) => seen.push(`${level} ${seconds} ${isExecuted}`),
    rejected: (level: string, reason: string) => seen.push(`${level} ${reason}`),
  };
  const flows = new FlowControl<Name>({ levels, maxQueued, waitLimit, observer, loop });
  /** Sends a request, which stays until `leave`. Resolves to what became of it. */
  const send = async (name: Name, flow: string, signal = new AbortController().signal): Promise<string> => {
    if (flows.start(name, flow)) return 'at once';
    return flows.wait(name, flow, signal).then(
      () => 'waited',
      (error: unknown) => (error instanceof RejectedError ? error.reason : String(error)),
    );
  };
  return { loop, seen, flows, send };
}

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

describe('FlowControl', () => {
  it('starts requests at once as long as their flow has seats, and leaves half of them free', async () => {
    const { send, flows } = control();
    expect(await Promise.all(times(4, () => send('read', 'a')))).to.deep.equal(Array(4).fill('at once'));
    void send('read', 'a');
    expect(flows.level('read')).to.include({ executing: 4, waiting: 1, dispatched: 4 });
    expect(await send('read', 'b')).to.equal('at once');
  });

  it('starts the waiting requests of a flow in their order, as seats become free', async () => {
    const { send, flows, loop } = control({ read: 2 });
    await send('read', 'a');
    const order: number[] = [];
    const waiting = times(3, (i) => send('read', 'a').then(() => order.push(i)));
    for (let i = 0; i < 3; i++) {
      await loop.turns(3);
      expect(order).to.have.length(i);
      flows.leave('read', 'a');
    }
    await loop.turns(3);
    await Promise.all(waiting);
    expect(order).to.deep.equal([0, 1, 2]);
  });

  it('lets the flows take turns, however many requests one of them has waiting', async () => {
    const { send, flows, loop } = control({ read: 4 });
    await Promise.all([send('read', 'a'), send('read', 'a'), send('read', 'b')]);
    const order: string[] = [];
    for (const flow of ['a', 'a', 'a', 'a', 'b', 'b']) void send('read', flow).then(() => order.push(flow));
    for (const flow of ['a', 'a', 'b']) flows.leave('read', flow);
    for (let i = 0; i < 6; i++) {
      await loop.turns(2);
      for (const flow of order.slice(-4)) if (flows.level('read').executing > 0) flows.leave('read', flow);
    }
    expect(order.slice(0, 4)).to.deep.equal(['a', 'b', 'a', 'b']);
  });

  it('starts few requests of one flow in one turn of the event loop, and the first of every other', async () => {
    const { send, loop } = control({ read: 1000 });
    const flood = times(20, () => send('read', 'a'));
    expect(await Promise.all(flood.slice(0, 16))).to.deep.equal(Array(16).fill('at once'));
    expect(await send('read', 'b')).to.equal('at once');
    await loop.turns(1);
    expect(await Promise.all(flood.slice(16))).to.deep.equal(Array(4).fill('waited'));
  });

  it('starts fewer requests in a turn if the turns take long, and more again if they do not', async () => {
    const { send, loop, flows } = control({ read: 10_000, maxQueued: 10_000 });
    const started = { count: 0 };
    for (let i = 0; i < 1000; i++) void send('read', 'a').then(() => started.count++);
    const perTurn = async (milliseconds: number): Promise<number> => {
      const before = started.count;
      await loop.turns(1, milliseconds);
      return started.count - before;
    };
    const slow: number[] = [];
    for (let i = 0; i < 7; i++) slow.push(await perTurn(5));
    expect(slow.slice(-2)).to.deep.equal([1, 1]);
    const quick: number[] = [];
    for (let i = 0; i < 20; i++) quick.push(await perTurn(0.1));
    expect(quick.at(-1)).to.equal(16);
    expect(flows.level('read').waiting).to.be.greaterThan(0);
  });

  it('rejects what finds its queue full, waits too long, or whose client leaves', async () => {
    const { send, loop, seen, flows } = control({ read: 2, maxQueued: 6 });
    await send('read', 'a');
    const leaving = new AbortController();
    const left = send('read', 'a', leaving.signal);
    const late = [send('read', 'a'), send('read', 'a')];
    expect(await send('read', 'a')).to.equal('queue-full');
    leaving.abort();
    expect(await left).to.equal('cancelled');
    await loop.turns(1, 100);
    expect(await Promise.all(late)).to.deep.equal(['time-out', 'time-out']);
    expect(flows.level('read')).to.include({ executing: 1, waiting: 0 });
    expect(seen).to.include.members(['read queue-full', 'read cancelled', 'read time-out', 'read 0.1 false']);
    flows.leave('read', 'a');
    await loop.turns(3);
    expect(await send('read', 'a')).to.equal('at once');
  });

  it('rejects a watch without a seat instead of letting it wait', async () => {
    const { send, flows } = control({ watch: 10 });
    const of = (flow: string) => Promise.all(times(10, () => send('watch', flow)));
    expect((await of('a')).filter((one) => one === 'at once')).to.have.length(5);
    expect((await of('b')).filter((one) => one === 'at once')).to.have.length(3);
    expect(await send('watch', 'c')).to.equal('at once');
    expect(flows.level('watch')).to.include({ executing: 9, waiting: 0 });
  });

  it('gives the turn of the event loop to requests that start, and not to those that get no seat', async () => {
    const { send, flows } = control({ read: 1000, watch: 2 });
    const watches = await Promise.all(times(20, () => send('watch', 'a')));
    expect(watches.filter((one) => one === 'concurrency-limit')).to.have.length(19);
    for (let i = 0; i < 15; i++) void send('read', 'b');
    expect(flows.level('read')).to.include({ executing: 15, waiting: 0 });
  });

  it('rejects no watch that has a seat, even if many come at once', async () => {
    const { send, loop } = control({ watch: 1000, maxQueued: 2 });
    const watches = times(400, () => send('watch', 'a'));
    await loop.turns(100);
    expect(new Set(await Promise.all(watches))).to.deep.equal(new Set(['at once', 'waited']));
  });

  it('rejects no exempt request, even if its queue is full', async () => {
    const { send, flows, loop } = control({ maxQueued: 2 });
    const all = times(30, () => send('exempt', 'a'));
    await loop.turns(3);
    expect(new Set(await Promise.all(all))).to.deep.equal(new Set(['at once', 'waited']));
    expect(flows.level('exempt').executing).to.equal(30);
  });

  it('keeps a flow with one request at a time from waiting for others, whatever they do', async () => {
    const flood = fc.array(fc.record({ flow: fc.nat(3), requests: fc.integer({ min: 1, max: 60 }) }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(flood, { minLength: 1, maxLength: 10 }), async (turns) => {
        const { send, flows, loop } = control({ read: 40, maxQueued: 1000, waitLimit: 1e9 });
        const executing: string[] = [];
        for (const floods of turns) {
          for (const { flow, requests } of floods)
            for (let i = 0; i < requests; i++)
              void send('read', `flood-${flow}`).then(
                (fate) => fate !== 'queue-full' && executing.push(`flood-${flow}`),
              );
          expect(await send('read', 'polite')).to.equal('at once');
          flows.leave('read', 'polite');
          await loop.turns(1, 2);
          for (const flow of executing.splice(0, 3)) flows.leave('read', flow);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('serves flows that always have requests waiting equally often', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 2, max: 30 }), async (count, seats) => {
        const { send, flows, loop } = control({ read: seats, maxQueued: 100_000, waitLimit: 1e9 });
        const served = new Map<string, number>();
        let executing: string[] = [];
        // The first sends far more than the others.
        for (let flow = 0; flow < count; flow++)
          for (let i = 0; i < (flow === 0 ? 1000 : 300); i++)
            void send('read', `${flow}`).then((fate) => {
              executing.push(`${flow}`);
              if (fate === 'waited') served.set(`${flow}`, (served.get(`${flow}`) ?? 0) + 1);
            });
        for (let turn = 0; turn < 30; turn++) {
          await loop.turns(1, 2);
          const ended = executing;
          executing = [];
          for (const flow of ended) flows.leave('read', flow);
        }
        const counts = [...served.values()];
        expect(counts).to.have.length(count);
        expect(Math.max(...counts) - Math.min(...counts)).to.be.at.most(32);
      }),
      { numRuns: 10 },
    );
  });
});
