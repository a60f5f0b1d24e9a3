import { expect } from 'chai';
import { keyOf } from '../key.js';
import { type Entry, MemoryEntry } from '../state/entry.js';
import { ResourceState } from '../state/resource-state.js';
import { Recent } from './recent.js';
import { Ring, type RingLimits } from './ring.js';

const LIMITS = { events: 1000, bytes: 100_000 };
const NOW = Date.UTC(2026, 0, 1);

function entryAt(resource: string, revision: number, name = 'a'): Entry {
  const attributes = { labels: undefined, fields: undefined };
  return new MemoryEntry(keyOf(resource, '', name), revision, Buffer.alloc(1000, 'x'), attributes);
}

/** Two resources, each with one object that is written again and again. */
class Writes {
  readonly recent: Recent;
  #revision = 0;

  constructor(limits = LIMITS) {
    this.recent = new Recent(() => NOW, limits);
    this.recent.replace(new Map(['a', 'b'].map((resource) => [resource, new Ring(0, LIMITS)])), 0);
  }

  write(resource: string): void {
    this.push(resource);
    this.recent.trim();
  }

  /** A change of a commit with several. */
  push(resource: string): void {
    const revision = ++this.#revision;
    const key = keyOf(resource, '', 'a');
    const previous = entryAt(resource, revision - 1);
    this.recent.ring(resource).push({ key, revision, current: entryAt(resource, revision), previous });
  }

  /** Keeps the newest state, or with `mark` one from before the ring. */
  keep(resource: string, mark?: number): void {
    const [ring, state] = [this.recent.ring(resource), new ResourceState()];
    const at = mark === undefined ? { position: ring.end, mark: ring.mark(ring.end) } : { position: -1, mark };
    this.recent.keep({ resource, revision: this.#revision, state, ...at });
  }

  get bytes(): number {
    const { ringBytes, keptBytes } = this.recent.sizes();
    return ringBytes + keptBytes;
  }
}

describe('the recent history', () => {
  it('keeps no more alive than its limit, and drops the oldest change of any resource', () => {
    const writes = new Writes();
    for (let i = 0; i < 30; i++) writes.write('a');
    for (let i = 0; i < 30; i++) writes.write('b');
    expect(writes.bytes).to.be.within(90_000, LIMITS.bytes);
    expect(writes.recent.ring('a').floor).to.be.greaterThan(10);
    expect(writes.recent.ring('b').floor).to.equal(0);
    for (let i = 0; i < 100; i++) writes.write('b');
    expect(writes.bytes).to.be.within(90_000, LIMITS.bytes);
    expect(writes.recent.ring('a').floor).to.equal(30);
    expect(writes.recent.ring('b').floor).to.be.greaterThan(100);
  });

  it('drops the same changes if one commit has many', () => {
    const [one, many] = [new Writes(), new Writes()];
    for (let i = 0; i < 90; i++) {
      const resource = i % 10 < 7 ? 'a' : 'b';
      one.write(resource);
      many.push(resource);
    }
    many.recent.trim();
    for (const resource of ['a', 'b'])
      expect(many.recent.ring(resource).floor).to.equal(one.recent.ring(resource).floor);
    expect(many.bytes).to.equal(one.bytes);
  });

  it('counts what only a kept state keeps alive, and drops it before more changes leave', () => {
    const writes = new Writes();
    for (let i = 0; i < 10; i++) writes.write('a');
    writes.keep('a');
    expect(writes.recent.sizes()).to.include({ keptStates: 1, keptBytes: 0 });
    writes.keep('a', -20_000);
    expect(writes.recent.sizes()).to.include({ keptStates: 1, keptBytes: 20_000 });
    for (let i = 0; i < 100; i++) writes.write('a');
    expect(writes.recent.sizes()).to.include({ keptStates: 0, keptBytes: 0 });
    expect(writes.bytes).to.be.within(90_000, LIMITS.bytes);
  });

  it('keeps as many bytes as its limit allows, and not one more', () => {
    const single = new Writes();
    single.push('a');
    const left = (bytes: number, commits: 'one' | 'many'): number => {
      const writes = new Writes({ ...LIMITS, bytes });
      for (let i = 0; i < 10; i++) commits === 'one' ? writes.push('a') : writes.write('a');
      writes.recent.trim();
      return writes.recent.sizes().events;
    };
    for (const commits of ['one', 'many'] as const) {
      expect(left(5 * single.bytes, commits)).to.equal(5);
      expect(left(5 * single.bytes - 1, commits)).to.equal(4);
    }
  });

  it('tells how much room it has', () => {
    const writes = new Writes();
    for (const resource of ['a', 'b', 'a']) writes.write(resource);
    writes.keep('a', -20_000);
    expect(writes.recent.free).to.equal(LIMITS.bytes - writes.bytes);
    expect(writes.bytes).to.be.greaterThan(20_000);
  });

  it('drops a kept state that has no room at once', () => {
    const writes = new Writes();
    for (let i = 0; i < 3; i++) writes.write('a');
    writes.keep('a', -200_000);
    expect(writes.recent.sizes()).to.include({ keptStates: 0, events: 3 });
  });

  it('keeps a kept state as long as the changes after it are there', () => {
    const writes = new Writes({ ...LIMITS, bytes: 50_000 });
    for (let i = 0; i < 10; i++) writes.write('a');
    writes.keep('a');
    while (writes.recent.ring('a').start < 9) writes.write('a');
    expect(writes.recent.sizes()).to.include({ keptStates: 1, keptBytes: 0 });
    while (writes.recent.ring('a').start < 12) writes.write('a');
    expect(writes.recent.sizes()).to.include({ keptStates: 0 });
  });

  it('keeps a kept state from just before the changes, while there are older changes of another resource', () => {
    const writes = new Writes({ ...LIMITS, bytes: 50_000 });
    for (let i = 0; i < 20; i++) writes.write('b');
    writes.keep('a');
    while (writes.recent.ring('b').start < 10) writes.write('a');
    expect(writes.recent.sizes()).to.include({ keptStates: 1, keptBytes: 0 });
    expect(writes.recent.ring('a').start).to.equal(0);
  });

  it('drops the oldest of several kept states from before the changes', () => {
    const writes = new Writes();
    for (let i = 0; i < 2; i++) writes.write('a');
    const { recent } = writes;
    const keep = (resource: string, revision: number, mark: number): void => {
      recent.keep({ resource, revision, state: new ResourceState(), position: -1, mark });
    };
    const left = (): readonly number[] => recent.keptStates.all().map(({ revision }) => revision);
    for (const [resource, revision] of [
      ['a', 7],
      ['b', 5],
      ['b', 6],
    ] as const)
      keep(resource, revision, -40_000);
    expect(left()).to.have.members([7, 5, 6]);
    keep('a', 8, -60_000);
    expect(left(), 'one of them would free nothing').to.have.members([7, 8]);
  });

  it('counts the frames of events', () => {
    const writes = new Writes();
    writes.write('a');
    const before = writes.bytes;
    const ring = writes.recent.ring('a');
    const event = ring.at(0);
    const frame = ring.frame(0, { type: 'MODIFIED', event: event as NonNullable<typeof event> });
    expect(writes.bytes - before).to.equal(frame.length);
    for (let i = 0; i < 100; i++) writes.write('a');
    expect(ring.bytes).to.equal(writes.bytes);
    expect(writes.bytes).to.be.most(LIMITS.bytes);
  });

  it('keeps the newest change whatever it takes', () => {
    const writes = new Writes({ ...LIMITS, bytes: 100 });
    const [a, b] = ['a', 'b'].map((resource) => writes.recent.ring(resource));
    writes.write('a');
    expect(a?.oldest).to.equal(1);
    for (let i = 0; i < 3; i++) writes.push('a');
    writes.recent.trim();
    expect([a?.oldest, writes.recent.sizes().events]).to.deep.equal([4, 1]);
    writes.write('b');
    expect([a?.oldest, b?.oldest]).to.deep.equal([undefined, 5]);
  });

  it('drops a kept state from before the changes first, and loses no change by that', () => {
    const writes = new Writes();
    for (let i = 0; i < 10; i++) writes.write('a');
    writes.keep('a', -20_000);
    for (let i = 0; i < 100 && writes.recent.sizes().keptStates > 0; i++) writes.write('a');
    expect(writes.recent.sizes().keptStates).to.equal(0);
    expect(writes.recent.ring('a').floor).to.equal(0);
    expect(writes.bytes).to.be.greaterThan(LIMITS.bytes - 25_000);
  });

  it('counts what the oldest of several kept states keeps alive', () => {
    const writes = new Writes();
    writes.write('a');
    writes.keep('a', -20_000);
    writes.write('a');
    writes.keep('a', -5_000);
    expect(writes.recent.sizes()).to.include({ keptStates: 2, keptBytes: 20_000 });
  });

  it('counts the trees of a kept state by the changes since, up to what all its objects take', async () => {
    const entries = Array.from({ length: 100 }, (_, i) => entryAt('a', i + 1, `n${i}`));
    const state = await ResourceState.of(entries);
    const kept = (limits: RingLimits, changes: number) => {
      const { recent } = changedAfter(new Writes(limits), state, changes);
      const { keptStates, keptBytes } = recent.sizes();
      return [keptStates, keptBytes];
    };
    expect(kept(LIMITS, 1)).to.deep.equal([1, 6 * 1024]);
    expect(kept(LIMITS, 2)).to.deep.equal([1, 100 * 100]);
    const later = new Writes();
    for (let i = 0; i < 5; i++) later.write('b');
    for (let i = 0; i < 5; i++) later.write('a');
    expect(changedAfter(later, state, 1).recent.sizes()).to.include({ keptBytes: 6 * 1024 });
    expect(kept({ ...LIMITS, bytes: 5000 }, 1), 'one change is left, so the kept state goes').to.deep.equal([0, 0]);
  });
});

/** Keeps a state, with some changes after it. */
function changedAfter(writes: Writes, state: ResourceState, changes: number): Writes {
  const ring = writes.recent.ring('a');
  writes.recent.keep({ resource: 'a', revision: 0, state, position: ring.end, mark: ring.mark(ring.end) });
  for (let i = 0; i < changes; i++) writes.write('a');
  return writes;
}
