import { expect } from 'chai';
import fc from 'fast-check';
import { Ring } from '../../storage/cacher/ring.js';
import { keyOf, partsOf } from '../../storage/key.js';
import { type Entry, MemoryEntry } from '../../storage/state/entry.js';
import { BOX, HALL } from '../authorization/testing/boxes.js';
import type { Kind } from '../kinds/kind.js';
import type { Registry } from '../kinds/registry.js';
import { readerOf } from '../testing/reader.js';
import { objectOfKind } from '../testing/write-context.js';
import { eventsAfter, mayGiveWork, newest, waitingOwners, workOf } from './changes.js';

const KIND = { qualified: 'boxes.x' } as Kind;

interface Box {
  readonly revision: number;
  readonly isOwned?: boolean;
  readonly finalizers?: readonly string[] | undefined;
}

const keyNamed = (name: string) => keyOf('boxes.x', 'here', name);

/** A terminating object is one with finalizers. */
function box(name: string, { revision, isOwned = false, finalizers }: Box): Entry {
  const metadata = { name, finalizers, ...(finalizers && { deletionTimestamp: '2026-01-01T00:00:00Z' }) };
  const attributes = { labels: undefined, fields: undefined, isOwned, isTerminating: finalizers !== undefined };
  return new MemoryEntry(keyNamed(name), revision, Buffer.from(JSON.stringify({ metadata, n: revision })), attributes);
}

const event = (name: string, revision: number, previous: Entry | undefined, current: Entry | undefined) => {
  return { key: keyNamed(name), revision, previous, current };
};
const work = (events: Parameters<typeof workOf>[1], isAnyOwned = true) => {
  const { deleted: gone, dependents, finalizing, holders } = workOf(KIND, events, () => isAnyOwned);
  const named = (objects: readonly object[]) => objects.map((object) => (object as unknown as { n: number }).n);
  return {
    gone: named(gone),
    dependents: dependents.map(({ revision }) => revision),
    finalizing: finalizing.map(({ entry }) => entry.revision),
    holders: named(holders),
  };
};
const NONE = { gone: [], dependents: [], finalizing: [], holders: [] };

describe('what changes give the collector to do', () => {
  it('is nothing for objects without owners, finalizers and deletions', () => {
    expect(work([event('a', 1, undefined, box('a', { revision: 1 }))])).to.deep.equal(NONE);
    expect(work([event('a', 2, box('a', { revision: 1 }), box('a', { revision: 2 }))])).to.deep.equal(NONE);
  });

  it('is nothing if no event may give work, whatever comes together', () => {
    const state = fc.record({
      isOwned: fc.boolean(),
      finalizers: fc.constantFrom(undefined, undefined, undefined, ['foregroundDeletion'], ['example.test/own']),
    });
    const step = fc.record({ name: fc.constantFrom('a', 'b'), state: fc.option(state, { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
        const now = new Map<string, Entry>();
        const events = steps.map(({ name, state: next }, i) => {
          const previous = now.get(name);
          const current = next && box(name, { ...next, revision: i + 1 });
          if (current === undefined) now.delete(name);
          else now.set(name, current);
          return event(name, i + 1, previous, current);
        });
        fc.pre(!events.some(mayGiveWork));
        expect(work(events)).to.deep.equal(NONE);
      }),
    );
  });

  it('is to look for what deleted objects owned, if any object is owned', () => {
    const deletions = [
      event('a', 2, box('a', { revision: 1 }), undefined),
      event('b', 3, undefined, undefined),
      event('c', 4, undefined, box('c', { revision: 4 })),
    ];
    expect(work(deletions)).to.deep.equal({ ...NONE, gone: [1] });
    expect(work(deletions, false)).to.deep.equal(NONE);
  });

  it('is to look at the last state of each object with owners', () => {
    const [first, last] = [box('a', { revision: 1, isOwned: true }), box('a', { revision: 2, isOwned: true })];
    expect(work([event('a', 1, undefined, first), event('a', 2, first, last)])).to.deep.equal({
      ...NONE,
      dependents: [2],
      holders: [1],
    });
  });

  it('is to tell the owners of objects that are gone or had owners', () => {
    const owned = box('a', { revision: 1, isOwned: true });
    expect(work([event('a', 2, owned, undefined)])).to.deep.equal({ ...NONE, gone: [1], holders: [1] });
    expect(work([event('a', 2, owned, box('a', { revision: 2 }))])).to.deep.equal({ ...NONE, holders: [1] });
  });

  it('is to finish terminating objects with finalizers of the collector, in their last state', () => {
    const live = box('a', { revision: 1 });
    for (const finalizer of ['foregroundDeletion', 'orphan']) {
      const current = box('a', { revision: 2, finalizers: ['x/y', finalizer] });
      expect(work([event('a', 2, live, current)])).to.deep.equal({ ...NONE, finalizing: [2] });
      expect(work([event('a', 2, live, current), event('a', 3, current, undefined)]).finalizing).to.deep.equal([]);
    }
    const other = box('a', { revision: 2, finalizers: ['x/y'] });
    expect(work([event('a', 2, live, other)])).to.deep.equal(NONE);
  });
});

describe('the events after a revision', () => {
  it('are the next 200, in order, or unknown if some have left the ring', () => {
    const ring = new Ring(5);
    for (let revision = 6; revision <= 306; revision++)
      ring.push(event('a', revision, undefined, box('a', { revision })));
    const revisions = (after: number) => eventsAfter(ring, after)?.map(({ revision }) => revision);
    expect(revisions(5)).to.have.length(200);
    expect(revisions(5)?.slice(0, 2)).to.deep.equal([6, 7]);
    expect(revisions(304)).to.deep.equal([305, 306]);
    expect(revisions(306)).to.deep.equal([]);
    expect(revisions(4)).to.equal(undefined);
  });
});

describe('the owners that waited for objects', () => {
  const FOREGROUND = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion'] };
  const owner = (kind: Kind, name: string, metadata = {}) => [kind, objectOfKind(kind, name, {}, metadata)] as const;
  const registry = {
    kinds: [BOX, HALL],
    reader: readerOf([
      owner(BOX, 'waiting', FOREGROUND),
      owner(BOX, 'orphaning', { ...FOREGROUND, finalizers: ['orphan'] }),
      owner(BOX, 'live'),
      owner(HALL, 'hall', FOREGROUND),
    ]),
  } as unknown as Registry;
  const held = (kind: string, name: string, blockOwnerDeletion?: boolean) => {
    const owner = {
      apiVersion: BOX.apiVersion,
      kind,
      name,
      uid: `${name}-uid`,
      ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }),
    };
    return objectOfKind(BOX, 'holder', {}, { ownerReferences: [owner] });
  };
  const waiting = async (...holders: readonly ReturnType<typeof held>[]) =>
    (await waitingOwners(registry, holders)).map(({ kind, entry }) => `${kind.kind} ${partsOf(entry.key).name}`);

  it('are those that are deleted in the foreground, if the objects blocked that, each once', async () => {
    const holder = held('Box', 'waiting', true);
    expect(await waiting(holder, holder, held('Hall', 'hall', true))).to.deep.equal(['Box waiting', 'Hall hall']);
  });

  it('are no others', async () => {
    for (const [kind, name] of [
      ['Box', 'orphaning'],
      ['Box', 'live'],
      ['Box', 'gone'],
      ['Unknown', 'waiting'],
    ] as const)
      expect(await waiting(held(kind, name, true)), name).to.deep.equal([]);
    for (const blocks of [false, undefined]) expect(await waiting(held('Box', 'waiting', blocks))).to.deep.equal([]);
    expect(await waiting(objectOfKind(BOX, 'holder'))).to.deep.equal([]);
  });
});

describe('the newest state of a changed object', () => {
  const registry = { reader: readerOf([[BOX, objectOfKind(BOX, 'a')]]) } as unknown as Registry;
  const key = (name: string) => keyOf(BOX.qualified, 'default', name);

  it('is that of this server', () => {
    const old = { key: key('a'), revision: 1, previous: undefined, current: box('old', { revision: 1 }) };
    expect(newest(registry, BOX, old)?.entry).to.equal(registry.reader.entry(BOX.qualified, 'default', 'a'));
    expect(newest(registry, BOX, { ...old, key: key('gone') })).to.equal(undefined);
  });
});
