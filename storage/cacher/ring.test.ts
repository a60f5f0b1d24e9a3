import { expect } from 'chai';
import fc from 'fast-check';
import { encodeText } from '../codec.js';
import { Entry } from '../entry.js';
import { StorageError } from '../errors.js';
import { keyOf } from '../key.js';
import type { Event } from './event.js';
import { Ring, type RingLimits } from './ring.js';

const NO_ATTRIBUTES = { labels: undefined, fields: undefined };
const LARGE: RingLimits = { events: 1000, bytes: 1 << 20 };

function eventAt(revision: number): Event {
  const key = keyOf('r', '', 'a');
  const value = encodeText('{"metadata":{"name":"a"}}', revision);
  return { key, revision, current: new Entry(key, revision, value, NO_ATTRIBUTES), previous: undefined };
}

function ringOf(floor: number, limits: RingLimits, revisions: readonly number[]): Ring {
  const ring = new Ring(floor, limits);
  for (const revision of revisions) ring.push(eventAt(revision));
  return ring;
}

/** The revisions from a position, as a watcher reads them. */
function from(ring: Ring, position: number): readonly number[] {
  const found: number[] = [];
  for (let at = position; at < ring.end; at++) found.push(ring.at(at)?.revision ?? -1);
  return found;
}

describe('Ring', () => {
  it('gives exactly the later events for any revision that it covers, and refuses others', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5 }),
        fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        (floor, gaps, events) => {
          let revision = floor;
          const revisions = gaps.map((gap) => {
            revision += gap;
            return revision;
          });
          const ring = ringOf(floor, { events, bytes: 1 << 20 }, revisions);
          const dropped = Math.max(0, revisions.length - events);
          expect(ring.floor).to.equal(revisions[dropped - 1] ?? floor);
          for (let after = 0; after <= revision + 1; after++) {
            if (after < ring.floor) expect(() => ring.position(after)).to.throw(StorageError, /too old/);
            else expect(from(ring, ring.position(after))).to.deep.equal(revisions.filter((one) => one > after));
          }
        },
      ),
    );
  });

  it('keeps positions stable while old events leave', () => {
    const ring = ringOf(0, { events: 100, bytes: 1 << 20 }, []);
    for (let revision = 1; revision <= 20_000; revision++) {
      ring.push(eventAt(revision));
      if (revision % 1111 === 0) expect(ring.at(ring.end - 1)?.revision).to.equal(revision);
    }
    expect(ring.end).to.equal(20_000);
    expect(ring.at(19_900)?.revision).to.equal(19_901);
    expect(() => ring.at(19_899)).to.throw(StorageError, /too old/);
    expect(ring.at(ring.end)).to.equal(undefined);
  });

  it('keeps one event of any size', () => {
    const ring = ringOf(0, { events: 10, bytes: 1 }, [1, 2, 3]);
    expect([ring.floor, from(ring, ring.position(2))]).to.deep.equal([2, [3]]);
  });

  it('encodes a frame once, and keeps the frames of the newest 1024 events', () => {
    const ring = ringOf(0, { events: 5000, bytes: 1 << 30 }, [1]);
    const frame = (): Buffer => ring.frame(0, { type: 'ADDED', event: ring.at(0) ?? eventAt(1) });
    const first = frame();
    expect(frame()).to.equal(first);
    for (let revision = 2; revision <= 1024; revision++) ring.push(eventAt(revision));
    expect(frame(), 'still among the newest').to.equal(first);
    ring.push(eventAt(1025));
    expect(frame()).to.not.equal(first);
    expect(frame()).to.deep.equal(first);
  });

  it('refuses every reader once it is retired', () => {
    const ring = ringOf(0, LARGE, [1, 2]);
    ring.retire();
    for (const position of [0, 1, 2]) expect(() => ring.at(position)).to.throw(StorageError, /too old/);
    expect(() => ring.position(2)).to.throw(StorageError, /too old/);
  });
});
