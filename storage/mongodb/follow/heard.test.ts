import { expect } from 'chai';
import { Binary, type Document } from 'mongodb';
import type { Revision } from '../../backend.js';
import { encodeWhole } from '../../log/segment.js';
import { created } from '../../testing/mongodb.js';
import { LogFollower } from './log-follower.js';

const [NEXT, ID] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000000'];

function segmentOf(after: Revision, count: number): Binary {
  const changes = Array.from({ length: count }, (_, i) => created(after + 1 + i));
  return new Binary(encodeWhole(after, { commitId: 'c', changes, counters: new Map() }));
}

/** The follower of a server, with a change stream that the test fills. */
function listening({ fails = 0 }: { readonly fails?: number } = {}) {
  const told: string[] = [];
  const pipelines: unknown[] = [];
  const events: Document[] = [];
  let arrived = (): void => undefined;
  let closed = false;
  let opened = 0;
  const stream = () => ({
    async *[Symbol.asyncIterator]() {
      while (!closed) {
        for (let event = events.shift(); event !== undefined; event = events.shift()) yield event;
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      }
    },
    close: async () => {
      closed = true;
      told.push('closed');
      arrived();
    },
  });
  const logHead = {
    watch: (pipeline: unknown) => {
      if (opened++ < fails) throw new Error('no change streams');
      pipelines.push(pipeline);
      return stream();
    },
  };
  const database = { logHead, reached: (time: unknown) => told.push(`reached ${time}`) };
  const turns = {
    committed: (server: string, revision: Revision) => told.push(`${server} committed ${revision}`),
    requested: (server: string) => told.push(`${server} asked`),
  };
  const follower = new LogFollower(database as never, { id: ID } as never, turns as never);
  const send = async (event: Document): Promise<void> => {
    events.push({ clusterTime: told.length, ...event });
    arrived();
    await new Promise(setImmediate);
  };
  const update = (updatedFields: Document): Promise<void> => send({ updateDescription: { updatedFields } });
  return { follower, told, pipelines, send, update };
}

describe('what a server hears of the others', () => {
  let stop: AbortController;
  let signal: AbortSignal;
  beforeEach(() => {
    stop = new AbortController();
    signal = stop.signal;
  });
  afterEach(() => stop.abort());

  it('is every update of the log that it has not made itself', async () => {
    const { follower, pipelines, update } = listening();
    const waiting = follower.wait(0, signal);
    const [[{ $match }]] = pipelines as [[{ readonly $match: Readonly<Record<string, unknown>> }]];
    const { $not } = $match['updateDescription.updatedFields.writer'] as { readonly $not: RegExp };
    expect([`${ID} c1`, `${NEXT} c1`, `x${ID} c1`].map((writer) => $not.test(writer))).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect($match['documentKey._id']).to.equal('log');
    await update({ revision: 1, writer: `${NEXT} c1` });
    await waiting;
    await follower.stop();
    await new Promise(setImmediate);
  });

  it('wakes who waits for it, and no one else', async () => {
    const { follower, told, update } = listening();
    const woken: number[] = [];
    for (const position of [0, 1, 5]) void follower.wait(position, signal).then(() => woken.push(position));
    await update({ revision: 1, writer: `${NEXT} c1` });
    expect([woken, follower.isBeyond(0), follower.isBeyond(1)]).to.deep.equal([[0], true, false]);
    await update({ revision: 1, writer: `${NEXT} c1` });
    expect(woken).to.deep.equal([0]);
    await update({ revision: 5, writer: `${NEXT} c2` });
    expect(woken).to.deep.equal([0, 1]);
    follower.advance({ revision: 3, commitId: undefined });
    expect(follower.isBeyond(4)).to.equal(true);
    expect(told).to.deep.equal([
      ...['reached 0', `${NEXT} committed 1`, 'reached 2', `${NEXT} committed 1`],
      ...['reached 4', `${NEXT} committed 5`],
    ]);
    await follower.stop();
  });

  it('can be the whole commit, which is kept if a tail waits right before it', async () => {
    const { follower, update } = listening();
    void follower.wait(3, signal);
    await update({ revision: 5, writer: `${NEXT} c`, segment: segmentOf(3, 2) });
    expect(follower.after(3)?.changes.map(({ revision }) => revision)).to.deep.equal([4, 5]);
    expect([follower.after(4), follower.after(5)]).to.deep.equal([undefined, undefined]);
    // Nobody waits for this one, and the one before is kept no longer.
    await update({ revision: 6, writer: `${NEXT} c`, segment: segmentOf(5, 1) });
    expect([follower.after(3), follower.after(5)]).to.deep.equal([undefined, undefined]);
    await update({ revision: 7, writer: `${NEXT} c` });
    expect(follower.isBeyond(6)).to.equal(true);
    await follower.stop();
  });

  it('is not kept for a tail that does not wait any more', async () => {
    const { follower, update } = listening();
    const [mine, others] = [new AbortController(), new AbortController()];
    const waits = [follower.wait(0, others.signal), follower.wait(3, mine.signal)];
    mine.abort();
    await waits[1];
    await update({ revision: 4, writer: `${NEXT} c`, segment: segmentOf(3, 1) });
    await waits[0];
    expect(follower.after(3)).to.equal(undefined);
    await follower.stop();
  });

  it('is that a server asks for a turn, or a document that was written anew', async () => {
    const { follower, told, update, send } = listening();
    void follower.wait(0, signal);
    await update({ asked: `${NEXT} r` });
    await send({ fullDocument: { revision: 2, writer: `${NEXT} c` } });
    await update({ counters: 1 });
    await send({});
    await update({ revision: 3 });
    expect(told.filter((one) => !one.startsWith('reached'))).to.deep.equal([`${NEXT} asked`, `${NEXT} committed 2`]);
    expect(follower.isBeyond(2)).to.equal(true);
    await follower.stop();
  });

  it('is nothing if there are no change streams, or after it has stopped', async () => {
    const without = listening({ fails: 1 });
    const waiting = without.follower.wait(0, signal);
    without.follower.advance({ revision: 1, commitId: undefined });
    await waiting;
    await without.follower.stop();
    const stopped = listening();
    await stopped.follower.stop();
    const gone = new AbortController();
    const after = stopped.follower.wait(0, gone.signal);
    expect(stopped.pipelines).to.deep.equal([]);
    gone.abort();
    await after;
  });

  it('begins once, with the first that waits', async () => {
    const { follower, pipelines } = listening();
    expect(pipelines).to.have.length(0);
    void follower.wait(0, signal);
    void follower.wait(0, signal);
    expect(pipelines).to.have.length(1);
    await follower.stop();
  });
});

describe('what is compacted', () => {
  it('never becomes less, and is known after a look', async () => {
    const heads = [
      [
        { _id: 'log', revision: 7 },
        { _id: 'compaction', revision: 3 },
      ],
      [
        { _id: 'compaction', revision: 2 },
        { _id: 'log', revision: 7 },
      ],
    ];
    const find = () => ({ toArray: async () => heads.shift() });
    const database = { read: (work: (session: undefined) => unknown) => work(undefined), heads: { find } };
    const follower = new LogFollower(database as never, { id: ID } as never, {} as never);
    expect([follower.point, follower.isBeyond(0)]).to.deep.equal([0, false]);
    for (let look = 0; look < 2; look++) {
      await follower.look();
      expect([follower.point, follower.isBeyond(6), follower.isBeyond(7)]).to.deep.equal([3, true, false]);
    }
  });
});
