import { expect } from 'chai';
import { keyOf } from '../key.js';
import { encodeText } from '../state/codec.js';
import { type Entry, MemoryEntry } from '../state/entry.js';
import { deliveryType, type Event, eventOf, frameOf, objectOf } from './event.js';

const key = keyOf('r', '', 'a');

function entry(revision: number, selected: boolean): Entry {
  const attributes = { labels: { in: String(selected) }, fields: undefined };
  return new MemoryEntry(key, revision, encodeText(`{"metadata":{"name":"a"},"n":${revision}}`, revision), attributes);
}

const selects = ({ attributes }: Entry): boolean => attributes.labels?.['in'] === 'true';

function event(previous: boolean | undefined, current: boolean | undefined): Event {
  return {
    key,
    revision: 12,
    previous: previous === undefined ? undefined : entry(9, previous),
    current: current === undefined ? undefined : entry(12, current),
  };
}

describe('deliveryType', () => {
  for (const [previous, current, type] of [
    [undefined, true, 'ADDED'],
    [undefined, false, undefined],
    [false, true, 'ADDED'],
    [true, true, 'MODIFIED'],
    [true, false, 'DELETED'],
    [false, false, undefined],
    [true, undefined, 'DELETED'],
    [false, undefined, undefined],
    [undefined, undefined, undefined],
  ] as const) {
    it(`is ${type} for selected before: ${previous}, now: ${current} (undefined: absent)`, () => {
      expect(deliveryType(event(previous, current), selects)).to.equal(type);
    });
  }
});

describe('objectOf', () => {
  // Promise: contract 4.8
  it('is the new object, or the last object at the revision of its deletion', () => {
    const shown = (type: 'ADDED' | 'MODIFIED' | 'DELETED', of: Event): string =>
      Buffer.from(objectOf({ type, event: of })).toString();
    const [now, before] = [12, 9].map((n) => `{"metadata":{"resourceVersion":"12","name":"a"},"n":${n}}`);
    expect(shown('ADDED', event(undefined, true))).to.equal(now);
    expect(shown('MODIFIED', event(true, true))).to.equal(now);
    expect(shown('DELETED', event(true, undefined))).to.equal(before);
    expect(shown('DELETED', event(true, false))).to.equal(before);
    expect(() => shown('DELETED', event(undefined, undefined))).to.throw(/no object/);
  });

  // Promise: contract 4.9
  it('is the whole last object, whatever the revision of its deletion', () => {
    for (const revision of [1, 2, 3, 10, 12, 99, 100, 1001]) {
      const [last, gone] = [revision - 1, revision].map((at) => encodeText('{"metadata":{"name":"a"},"t":"t1"}', at));
      const previous = new MemoryEntry(key, revision - 1, last ?? new Uint8Array(), entry(1, true).attributes);
      const deletion: Event = { key, revision, previous, current: undefined };
      expect(Buffer.from(objectOf({ type: 'DELETED', event: deletion }))).to.deep.equal(Buffer.from(gone ?? []));
    }
  });

  it('does not change the previous object', () => {
    const deletion = event(true, undefined);
    objectOf({ type: 'DELETED', event: deletion });
    expect(Buffer.from(deletion.previous?.value ?? []).toString()).to.contain('"resourceVersion":"9"');
  });
});

describe('frameOf', () => {
  // Promise: contract 4.1
  it('is one line of JSON', () => {
    const frame = frameOf('ADDED', Buffer.from('{"a":1}'));
    expect(frame.toString()).to.equal('{"type":"ADDED","object":{"a":1}}\n');
  });
});

describe('eventOf', () => {
  const definition = { resource: 'r', extract: () => ({ labels: undefined, fields: undefined }) };
  const value = encodeText('{"metadata":{"name":"a"}}', 12);
  const previous = { key, revision: 9, value: encodeText('{"metadata":{"name":"a"}}', 9) };
  const revisions = ({ previous, current }: Event) => [previous?.revision, current?.revision];

  it('has the object before and after the change, or undefined where there was none', () => {
    expect(revisions(eventOf(definition, { key, revision: 12, value }, undefined))).to.deep.equal([undefined, 12]);
    expect(revisions(eventOf(definition, { key, revision: 12, value, previous }, undefined))).to.deep.equal([9, 12]);
    expect(revisions(eventOf(definition, { key, revision: 12, previous }, undefined))).to.deep.equal([9, undefined]);
  });

  it('takes the object before from the cache, if it has it', () => {
    const known = entry(9, true);
    expect(eventOf(definition, { key, revision: 12, value, previous }, known).previous).to.equal(known);
  });
});
