import { expect } from 'chai';
import type { Backend, Commit, Put } from '../backend.js';
import { StorageError } from '../errors.js';
import { type Key, keyOf } from '../key.js';
import { memoryStore, openMemory } from '../memory/backend.js';
import { encodeText } from '../state/codec.js';
import { batchOf, expectCode } from '../testing/backend/fixture.js';
import { around } from '../testing/engine/around.js';
import { DASHBOARDS, DEFINITIONS, FOLDERS, key, NOTES, objectAt } from '../testing/engine/resources.js';
import { Cacher } from './cacher.js';
import type { Event } from './event.js';
import { Recalls } from './recall.js';
import { Recent } from './recent.js';
import { Ring, type RingLimits } from './ring.js';

const WIDE: RingLimits = { events: 1000, bytes: 1 << 24 };

/** Appends one commit with a change of each key. */
async function write(backend: Backend, keys: readonly Key[], text = ''): Promise<void> {
  const [after, stored] = [await backend.end(), await backend.get(keys)];
  const changes = keys.map((at, i): Put => {
    const [revision, previous] = [after + i + 1, stored.get(at)];
    const value = encodeText(JSON.stringify(objectAt(at, { text })), revision);
    return { key: at, revision, value, ...(previous && { previous }) };
  });
  await backend.append(after, batchOf(changes));
}

function eventsOf(ring: Ring): readonly Event[] {
  const found: Event[] = [];
  for (let at = ring.start; at < ring.end; at++) found.push(ring.at(at) as Event);
  return found;
}

const revisions = (ring: Ring): readonly number[] => eventsOf(ring).map(({ revision }) => revision);

describe('the changes that are recalled from the log', () => {
  const [a, b, d] = [key(FOLDERS, 'a'), key(FOLDERS, 'b'), key(DASHBOARDS, 'd')];
  let backend: Backend;
  let tails: number[];
  let opened: Cacher[];

  beforeEach(() => {
    const memory = openMemory(memoryStore(), Date.now, false);
    [tails, opened] = [[], []];
    backend = around(memory, {
      tail: (after, signal): AsyncIterable<Commit> => {
        tails.push(after);
        return memory.tail(after, signal);
      },
    });
  });

  afterEach(async () => {
    for (const cacher of opened) await cacher.close();
    await backend.close();
  });

  async function restarted(ringLimits = WIDE): Promise<Cacher> {
    const cacher = await Cacher.open(backend, { definitions: DEFINITIONS, ringLimits });
    opened.push(cacher);
    return cacher;
  }

  it('are those after the revision, of each resource its own, and those of unknown resources are skipped', async () => {
    for (const keys of [[a], [d, a], [keyOf('unknown.newer', '', 'x')], [b, a]]) await write(backend, keys);
    const cacher = await restarted();
    await cacher.past.recall(1);
    expect(revisions(cacher.ring(FOLDERS))).to.deep.equal([3, 5, 6]);
    expect(revisions(cacher.ring(DASHBOARDS))).to.deep.equal([2]);
    expect(revisions(cacher.ring(NOTES))).to.deep.equal([]);
    for (const resource of [FOLDERS, DASHBOARDS, NOTES]) expect(cacher.ring(resource).floor).to.equal(1);
    expect(cacher.past.at(FOLDERS, 1).get(a)?.revision).to.equal(1);
    expect(cacher.past.at(FOLDERS, 4).size).to.equal(1);
  });

  it('are those of all resources', async () => {
    const note = key(NOTES, 'n');
    for (const keys of [[note], [note]]) await write(backend, keys);
    const cacher = await restarted();
    await cacher.past.recall(0);
    expect(eventsOf(cacher.ring(NOTES)).map(({ current }) => current?.revision)).to.deep.equal([1, 2]);
  });

  it('share each object with the change before and with the state', async () => {
    for (let i = 0; i < 3; i++) await write(backend, [a]);
    const cacher = await restarted();
    await cacher.past.recall(0);
    const [first, second, third] = eventsOf(cacher.ring(FOLDERS));
    expect([first, second, third].map((event) => event?.current?.revision)).to.deep.equal([1, 2, 3]);
    expect(first?.previous).to.equal(undefined);
    expect(second?.previous).to.equal(first?.current).and.not.equal(undefined);
    expect(third?.current).to.equal(cacher.resource(FOLDERS).get(a)).and.not.equal(undefined);
  });

  it('come before those that are known, each once', async () => {
    for (const keys of [[a], [d], [b], [a, d]]) await write(backend, keys);
    const cacher = await restarted();
    for (const revision of [3, 1, 0]) await cacher.past.recall(revision);
    expect(revisions(cacher.ring(FOLDERS))).to.deep.equal([1, 3, 4]);
    expect(revisions(cacher.ring(DASHBOARDS))).to.deep.equal([2, 5]);
  });

  it('are not read again, even if a resource had no room', async () => {
    for (let i = 0; i < 6; i++) await write(backend, [a]);
    const cacher = await restarted({ ...WIDE, events: 5 });
    await Promise.all([cacher.past.recall(0), cacher.past.recall(0)]);
    for (const revision of [0, 2]) await cacher.past.recall(revision);
    expect(tails).to.deep.equal([0]);
    await cacher.past.recall(6);
    expect(tails).to.deep.equal([0]);
  });

  it('fill a ring up to its limit, and leave out a resource with more', async () => {
    for (let i = 0; i < 5; i++) await write(backend, [a, d]);
    await write(backend, [d]);
    const cacher = await restarted({ ...WIDE, events: 5 });
    await cacher.past.recall(0);
    expect(revisions(cacher.ring(FOLDERS))).to.deep.equal([1, 3, 5, 7, 9]);
    expect([cacher.ring(DASHBOARDS).floor, revisions(cacher.ring(DASHBOARDS))]).to.deep.equal([11, []]);
  });

  it('leave out the resource whose changes take most, and have room for the others then', async () => {
    const large = 'x'.repeat(20_000);
    for (let i = 0; i < 3; i++) await write(backend, [a], large);
    for (let i = 0; i < 9; i++) await write(backend, [d], large);
    for (let i = 0; i < 3; i++) await write(backend, [b], large);
    const cacher = await restarted({ ...WIDE, bytes: 150_000 });
    await cacher.past.recall(0);
    expect(revisions(cacher.ring(FOLDERS))).to.deep.equal([1, 2, 3, 13, 14, 15]);
    expect([cacher.ring(DASHBOARDS).floor, revisions(cacher.ring(DASHBOARDS))]).to.deep.equal([15, []]);
  });

  interface Recalling {
    readonly revision?: number;
    readonly limits?: RingLimits;
    readonly signal?: AbortSignal;
    /** Runs before the log is read. */
    readonly before?: () => void;
    /** Runs before each commit that is read. */
    readonly each?: () => void;
    /** Runs after the log was read. */
    readonly after?: () => void;
  }

  /** Recalls the changes of the store after a revision into these rings. */
  async function recallInto(
    rings: Readonly<Record<string, Ring>>,
    { revision = 0, limits = WIDE, signal = new AbortController().signal, before, each, after }: Recalling = {},
  ): Promise<Recent> {
    const cacher = await restarted();
    const recent = new Recent(Date.now, limits);
    recent.replace(new Map(Object.entries(rings)), 0);
    const busy = around(backend, {
      tail: async function* (from, stop) {
        before?.();
        try {
          for await (const commit of backend.tail(from, stop)) {
            each?.();
            yield commit;
          }
        } finally {
          after?.();
        }
      },
    });
    const { definitions, state } = cacher;
    await new Recalls().recall(() => ({ backend: busy, definitions, recent, state, signal }), revision);
    return recent;
  }

  const removal = (revision: number): Event => ({ key: a, revision, current: undefined, previous: undefined });

  it('are not put before a gap, if changes left the ring while the log was read', async () => {
    for (const at of [a, d]) await write(backend, [at]);
    const [folders, dashboards] = [new Ring(2, WIDE), new Ring(2, WIDE)];
    const before = (): void => {
      for (const revision of [3, 4, 5]) folders.push(removal(revision));
      folders.drop();
    };
    await recallInto({ [FOLDERS]: folders, [DASHBOARDS]: dashboards }, { before });
    expect([folders.floor, revisions(folders)]).to.deep.equal([3, [4, 5]]);
    expect([dashboards.floor, revisions(dashboards)]).to.deep.equal([0, [2]]);
  });

  it('are only those that a ring does not have, if the rings begin at different revisions', async () => {
    for (const at of [a, d, a, d]) await write(backend, [at]);
    const [folders, dashboards] = [new Ring(1, WIDE), new Ring(4, WIDE)];
    folders.push(removal(3));
    await recallInto({ [FOLDERS]: folders, [DASHBOARDS]: dashboards });
    expect([folders.floor, revisions(folders)]).to.deep.equal([0, [1, 3]]);
    expect([dashboards.floor, revisions(dashboards)]).to.deep.equal([0, [2, 4]]);
  });

  it('stay away if the log does not have them any more, and other failures are reported', async () => {
    for (let i = 0; i < 3; i++) await write(backend, [a]);
    await backend.compact(2);
    const cacher = await restarted();
    await cacher.past.recall(1);
    expect([cacher.ring(FOLDERS).floor, revisions(cacher.ring(FOLDERS))]).to.deep.equal([3, []]);
    const away = (): never => {
      throw new StorageError('unavailable', 'on purpose');
    };
    await expectCode(recallInto({ [FOLDERS]: new Ring(3, WIDE) }, { before: away }), 'unavailable');
  });

  it('take nothing from a ring that has more', async () => {
    for (const at of [a, d, a, d]) await write(backend, [at]);
    const [folders, dashboards] = [new Ring(1, WIDE), new Ring(4, WIDE)];
    folders.push(removal(3));
    await recallInto({ [FOLDERS]: folders, [DASHBOARDS]: dashboards }, { revision: 2 });
    expect([folders.floor, revisions(folders)]).to.deep.equal([1, [3]]);
    expect([dashboards.floor, revisions(dashboards)]).to.deep.equal([2, [4]]);
  });

  it('are not read if the rings have all', async () => {
    await write(backend, [a]);
    for (const floor of [0, 1]) {
      await recallInto({ [FOLDERS]: new Ring(floor, WIDE) }, { revision: 1 });
      expect(tails).to.deep.equal([]);
    }
  });

  it('stay away if the server shuts down before all are read', async () => {
    for (const at of [a, b, a]) await write(backend, [at]);
    const [ring, stop] = [new Ring(3, WIDE), new AbortController()];
    await recallInto({ [FOLDERS]: ring }, { signal: stop.signal, each: () => stop.abort() });
    expect([ring.floor, revisions(ring)]).to.deep.equal([3, []]);
  });

  it('stay away if the ring has no room any more when they are read', async () => {
    for (const at of [a, b, a]) await write(backend, [at]);
    const [limits, filled] = [
      { ...WIDE, events: 4 },
      { ...WIDE, events: 4 },
    ];
    const [free, full] = [new Ring(3, limits), new Ring(3, filled)];
    const push = (ring: Ring, count: number) => () => {
      for (let i = 0; i < count; i++) ring.push(removal(4 + i));
    };
    await recallInto({ [FOLDERS]: free }, { after: push(free, 1) });
    expect([free.floor, revisions(free)]).to.deep.equal([0, [1, 2, 3, 4]]);
    await recallInto({ [FOLDERS]: full }, { after: push(full, 2) });
    expect([full.floor, revisions(full)]).to.deep.equal([3, [4, 5]]);
  });

  it('use all the room that there is, and not more, also if it has become less meanwhile', async () => {
    for (let i = 0; i < 4; i++) await write(backend, [a], 'x'.repeat(1000));
    const { bytes } = (await recallInto({ [FOLDERS]: new Ring(4, WIDE) })).ring(FOLDERS);
    const recalled = async (room: number, dashboards = new Ring(4, WIDE), after?: () => void) => {
      const rings = { [FOLDERS]: new Ring(4, WIDE), [DASHBOARDS]: dashboards };
      const recent = await recallInto(rings, { limits: { ...WIDE, bytes: room }, ...(after && { after }) });
      return [recent.ring(FOLDERS).end - recent.ring(FOLDERS).start, recent.free >= 0];
    };
    expect(await recalled(bytes)).to.deep.equal([4, true]);
    expect(await recalled(bytes - 1)).to.deep.equal([0, true]);
    const dashboards = new Ring(4, WIDE);
    const change = { ...removal(5), key: d };
    expect(await recalled(bytes, dashboards, () => dashboards.push(change))).to.deep.equal([3, true]);
  });

  it('of a resource with too many take no room from the others', async () => {
    for (let i = 0; i < 3; i++) await write(backend, [a], 'x'.repeat(20_000));
    for (let i = 0; i < 12; i++) await write(backend, [d], 'x'.repeat(5000));
    const cacher = await restarted({ events: 5, bytes: 72_000 });
    await cacher.past.recall(0);
    expect(revisions(cacher.ring(FOLDERS))).to.deep.equal([1, 2, 3]);
    expect([cacher.ring(DASHBOARDS).floor, revisions(cacher.ring(DASHBOARDS))]).to.deep.equal([15, []]);
  });

  it('are read in steps, between which the server does other work', async () => {
    for (let i = 0; i < 4; i++) await write(backend, [a]);
    const [done, clock] = [{ others: 0 }, (): number => performance.now()];
    const each = (): void => {
      for (const until = clock() + 2; clock() < until; );
      setImmediate(() => done.others++);
    };
    let atTheEnd = 0;
    await recallInto({ [FOLDERS]: new Ring(4, WIDE) }, { each, after: () => (atTheEnd = done.others) });
    expect(atTheEnd).to.be.greaterThan(0);
  });
});
