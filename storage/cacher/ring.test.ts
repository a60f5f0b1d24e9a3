import { expect } from 'chai';
import fc from 'fast-check';
import { StorageError } from '../errors.js';
import { keyOf } from '../key.js';
import { encodeText } from '../state/codec.js';
import { MemoryEntry } from '../state/entry.js';
import type { Event } from './event.js';
import { Ring, type RingLimits } from './ring.js';

const NO_ATTRIBUTES = { labels: undefined, fields: undefined };
const LARGE_FRAMES: RingLimits = { events: 5000, bytes: 1 << 30 };
const LARGE: RingLimits = { events: 1000, bytes: 1 << 20 };

function eventAt(revision: number): Event {
  const key = keyOf('r', '', 'a');
  const value = encodeText('{"metadata":{"name":"a"}}', revision);
  return { key, revision, current: new MemoryEntry(key, revision, value, NO_ATTRIBUTES), previous: undefined };
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

  it('keeps as many bytes as the limit allows, and not one more', () => {
    const { bytes } = ringOf(0, LARGE, [1, 2]);
    expect(ringOf(0, { events: 10, bytes }, [1, 2]).floor).to.equal(0);
    expect(ringOf(0, { events: 10, bytes: bytes - 1 }, [1, 2]).floor).to.equal(1);
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

  it('counts the frames that it keeps, and no others', () => {
    const ring = ringOf(
      0,
      LARGE_FRAMES,
      Array.from({ length: 1025 }, (_, i) => i + 1),
    );
    const frame = (position: number): Buffer =>
      ring.frame(position, { type: 'ADDED', event: ring.at(position) ?? eventAt(1) });
    const before = ring.bytes;
    expect(frame(0)).to.not.equal(frame(0));
    expect(ring.bytes).to.equal(before);
    const kept = frame(1);
    expect(frame(1)).to.equal(kept);
    expect(ring.bytes).to.equal(before + kept.length);
    ring.push(eventAt(1026));
    expect(ring.bytes).to.equal(ringOf(0, LARGE_FRAMES, [1]).bytes + before);
  });

  it('gives the frame of an event that has left, for a watcher that is slow', () => {
    const ring = ringOf(0, { events: 2, bytes: 1 << 20 }, [1, 2, 3]);
    const [event, { bytes }] = [eventAt(1), ring];
    expect(JSON.parse(String(ring.frame(0, { type: 'ADDED', event })))).to.include({ type: 'ADDED' });
    expect(String(ring.frame(3, { type: 'ADDED', event }))).to.include('ADDED');
    expect(ring.bytes).to.equal(bytes);
  });

  it('counts both objects of an event, but the new one only if it is not in memory anyway', () => {
    const [one, two] = [eventAt(1), eventAt(2)];
    const [before, after] = [one.current?.footprint ?? 0, two.current?.footprint ?? 0];
    const cost = (event: Event, isCached: boolean): number => new Ring(0, LARGE, isCached).costOf(event);
    const nothing = { ...two, current: undefined };
    const overhead = cost(nothing, true);
    expect([overhead > 0, cost(nothing, false)]).to.deep.equal([true, overhead]);
    const changed = { ...two, previous: one.current };
    expect([true, false].map((isCached) => cost(changed, isCached) - overhead)).to.deep.equal([before, before + after]);
  });

  it('has nothing to drop if it is empty', () => {
    const ring = ringOf(5, LARGE, []);
    ring.drop();
    expect([ring.floor, ring.start, ring.end]).to.deep.equal([5, 0, 0]);
  });

  it('joins the same frames once', () => {
    const ring = ringOf(0, LARGE, []);
    const [a, b] = [Buffer.from('a'), Buffer.from('b')];
    const joined = ring.joined([a, b]);
    expect(String(joined)).to.equal('ab');
    expect(ring.joined([a, b])).to.equal(joined);
    for (const frames of [[a, a], [b, a], [a], [b, b], [a, a], [b, a, b], []]) {
      expect(String(ring.joined(frames))).to.equal(frames.join(''));
    }
  });

  it('takes up earlier events as if it had had them, and moves no position', () => {
    const ring = ringOf(5, { events: 3, bytes: 1 << 20 }, [6, 7, 8, 9]);
    const [start, end] = [ring.start, ring.end];
    expect([ring.floor, ring.oldest, ring.room]).to.deep.equal([6, 7, 0]);
    ring.prepend([4, 5, 6].map(eventAt), 3);
    expect([ring.floor, ring.oldest, ring.room, ring.start, ring.end]).to.deep.equal([3, 4, -3, start - 3, end]);
    expect(from(ring, ring.position(3))).to.deep.equal([4, 5, 6, 7, 8, 9]);
    expect(ring.at(start)?.revision).to.equal(7);
    const whole = ringOf(3, LARGE, [4, 5, 6, 7, 8, 9]);
    expect(ring.bytes).to.equal(whole.bytes);
    for (let i = 0; i <= 6; i++) {
      expect(ring.mark(ring.start + i) - ring.mark(ring.start)).to.equal(whole.mark(i) - whole.mark(0));
    }
  });

  it('refuses every reader once it is retired, and keeps nothing alive', () => {
    const ring = ringOf(0, LARGE, [1, 2]);
    expect([ring.isRetired, ring.bytes > 0]).to.deep.equal([false, true]);
    ring.retire();
    expect([ring.isRetired, ring.bytes]).to.deep.equal([true, 0]);
    for (const position of [0, 1, 2]) expect(() => ring.at(position)).to.throw(StorageError, /too old/);
    expect(() => ring.position(2)).to.throw(StorageError, /too old/);
  });
});
