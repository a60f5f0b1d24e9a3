import { expect } from 'chai';
import type { ManagedFieldsEntry } from '../meta/types.js';
import {
  capped,
  entriesOf,
  isReset,
  keyOf,
  type Managed,
  managersOf,
  sameBesideTimes,
  sentManagers as sentSteps,
} from './managers.js';
import { atOnce } from './testing/at-once.js';

const sentManagers = atOnce(sentSteps);
const SENT = { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' } as const;
const second = (at: number): string => `2001-01-01T00:00:${String(at).padStart(2, '0')}Z`;
const fieldsRead = (fieldsV1: unknown): unknown => {
  const read = sentManagers([{ ...SENT, fieldsV1 } as ManagedFieldsEntry]);
  return read && [...read.values()][0]?.fields;
};

function updateOf(at: number, more: Partial<Managed> = {}): Managed {
  const fields = { [`f:${more.manager ?? at}`]: {} };
  return { manager: `m${at}`, operation: 'Update', apiVersion: 'v1', time: second(at), fields, ...more };
}

function kept(all: readonly Managed[]): readonly Managed[] {
  return [...capped(new Map(all.map((one) => [keyOf(one), one]))).values()];
}

describe('fieldmanager: entries that a client sent', () => {
  it('are read, with path elements in the form in which they are stored', () => {
    const fieldsV1 = {
      'f:a': { '.': {}, 'k:{"n":1, "m":"<"}': { '.': 7 } },
      'f:b': { 'v:"x"': {}, 'v: 1.0': {}, 'i:007': {}, 'i:-1': {} },
    };
    expect(fieldsRead(fieldsV1)).to.deep.equal({
      'f:a': { '.': {}, 'k:{"m":"\\u003c","n":1}': { '.': {} } },
      'f:b': { 'v:"x"': {}, 'v:1': {}, 'i:7': {}, 'i:-1': {} },
    });
    expect(fieldsRead(undefined)).to.deep.equal({});
  });

  it('do not count if one of them cannot be read', () => {
    const elements = [
      'spec',
      '',
      'f',
      'x:a',
      'k:[]',
      'k:null',
      'k:1',
      'k:{',
      'v:',
      'v:{',
      'i:',
      'i:x',
      'i:1x',
      'i:x1',
      'i:1.5',
    ];
    for (const element of [...elements, 'i:1234567890'])
      expect(fieldsRead({ [element]: {} }), element).to.equal(undefined);
    for (const wrong of [null, [], 1, 'a']) {
      expect(fieldsRead(wrong), JSON.stringify(wrong)).to.equal(undefined);
      expect(fieldsRead({ 'f:a': wrong }), JSON.stringify(wrong)).to.equal(undefined);
    }
    const read = (more: object) => sentManagers([{ ...SENT, fieldsV1: {}, ...more } as ManagedFieldsEntry]);
    for (const more of [
      { operation: undefined },
      { operation: 'Patch' },
      { apiVersion: '' },
      { apiVersion: undefined },
    ])
      expect(read(more), JSON.stringify(more)).to.equal(undefined);
    for (const fieldsType of [undefined, 'FieldsV2']) expect(read({ fieldsType })).to.equal(undefined);
    expect(read({ operation: 'Apply' })).to.have.property('size', 1);
  });

  it('have at most a hundred levels', () => {
    const nested = (levels: number): object => (levels === 0 ? {} : { 'f:a': nested(levels - 1) });
    expect(fieldsRead(nested(100))).to.deep.equal(nested(100));
    expect(fieldsRead(nested(101))).to.equal(undefined);
  });

  it('have values that are as deep as a body may be', () => {
    const element = (levels: number, open = '[', close = ']'): string =>
      `k:{"a":${open.repeat(levels)}1${close.repeat(levels)}}`;
    expect(fieldsRead({ [element(99)]: {} })).to.deep.equal({ [element(99)]: {} });
    for (const levels of [100, 100_000]) {
      expect(fieldsRead({ [element(levels)]: {} })).to.equal(undefined);
      expect(fieldsRead({ [element(levels, '{"b":', '}')]: {} })).to.equal(undefined);
      expect(fieldsRead({ [`v:${'['.repeat(levels + 1)}${']'.repeat(levels + 1)}`]: {} })).to.equal(undefined);
    }
  });

  it('ask to forget all managers if they are one that is empty, and not if they are none', () => {
    const asked = [[{}], [], [SENT], [{}, {}]].map((entries) => isReset(entries as ManagedFieldsEntry[]));
    expect(asked).to.deep.equal([true, false, false, false]);
  });
});

describe('fieldmanager: the entries of managers', () => {
  it('come in the order of Kubernetes: operation, second, name, version, subresource', () => {
    const ordered: readonly Managed[] = [
      updateOf(9, { operation: 'Apply' }),
      updateOf(1, { manager: 'z', time: undefined }),
      updateOf(1, { manager: 'a', time: '2001-01-01T00:00:01.9Z' }),
      updateOf(1, { manager: 'b', time: '2001-01-01T00:00:01.1Z' }),
      updateOf(1, { manager: 'b', apiVersion: 'v2' }),
      updateOf(1, { manager: 'b', apiVersion: 'v2', subresource: 'ephemeral' }),
      updateOf(1, { manager: 'b', apiVersion: 'v2', subresource: 'status' }),
      updateOf(2, { manager: '0' }),
    ];
    const entries = entriesOf(new Map(ordered.toReversed().map((one) => [keyOf(one), one])));
    expect([...managersOf(entries).values()].map(keyOf)).to.deep.equal(ordered.map(keyOf));
    expect(entriesOf(new Map())).to.equal(undefined);
  });

  it('begin with who has scaled, which has no time in Kubernetes, and has its time here', () => {
    const scaled = updateOf(5, { manager: 'scaler', subresource: 'scale' });
    const [applied, updated] = [updateOf(9, { operation: 'Apply' }), updateOf(2, { manager: 'a' })];
    const entries = entriesOf(new Map([updated, applied, scaled].map((one) => [keyOf(one), one])));
    expect(entries?.map(({ manager, time }) => [manager, time])).to.deep.equal(
      [applied, scaled, updated].map(({ manager, time }) => [manager, time]),
    );
  });

  it('leave out what is empty', () => {
    const bare = { operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} } as const;
    expect(entriesOf(managersOf([{ ...bare, manager: '', subresource: '' }]))).to.deep.equal([bare]);
    const full = { ...bare, manager: 'm', subresource: 'status', time: second(1) };
    expect(entriesOf(managersOf([full]))).to.deep.equal([full]);
  });

  it('are those of one manager if only the version of what it applies differs', () => {
    const [v1, v2] = (['v1', 'v2'] as const).map((apiVersion) => updateOf(1, { apiVersion }));
    const applied = [v1, v2].map((one) => keyOf({ ...(one as Managed), operation: 'Apply' }));
    expect(applied[0]).to.equal(applied[1]);
    expect(keyOf(v1 as Managed)).to.not.equal(keyOf(v2 as Managed));
  });

  it('are the same if only times differ, in any order', () => {
    const [one, two] = [1, 2].map(
      (at): ManagedFieldsEntry => ({ ...SENT, manager: `m${at}`, fieldsV1: { 'f:a': {} } }),
    );
    if (one === undefined || two === undefined) throw new Error('there are two');
    expect(sameBesideTimes([one, two], [{ ...two, time: second(3) }, one])).to.equal(true);
    expect(sameBesideTimes()).to.equal(true);
    const others = [
      { ...two, fieldsV1: {} },
      { ...two, manager: 'x' },
      { ...two, apiVersion: 'v2' },
    ];
    for (const other of others) expect(sameBesideTimes([one, two], [one, other])).to.equal(false);
    expect(sameBesideTimes([one, two], [one])).to.equal(false);
    expect(sameBesideTimes([one], [one, one])).to.equal(false);
    const applied = { ...one, operation: 'Apply' } as const;
    expect(sameBesideTimes([applied], [{ ...applied, apiVersion: 'v2' }])).to.equal(false);
  });
});

describe('fieldmanager: the managers of updates', () => {
  const ten = Array.from({ length: 10 }, (_, i) => updateOf(i));

  it('are kept apart up to ten, whatever is applied', () => {
    const applied = Array.from({ length: 5 }, (_, i) => updateOf(i, { manager: `a${i}`, operation: 'Apply' }));
    expect(kept([...ten, ...applied])).to.deep.equal([...ten, ...applied]);
  });

  it('are merged, the oldest first, so that ten are left', () => {
    const twelve = [updateOf(11), ...ten, updateOf(10)];
    const merged = kept(twelve);
    const ancient = merged.find(({ manager }) => manager === 'ancient-changes');
    expect(ancient).to.deep.equal({
      manager: 'ancient-changes',
      operation: 'Update',
      apiVersion: 'v1',
      time: second(2),
      fields: { 'f:0': {}, 'f:1': {}, 'f:2': {} },
    });
    expect(merged.map(({ manager }) => manager)).to.have.members([
      'ancient-changes',
      ...twelve.slice(4).map(({ manager }) => manager),
      'm11',
    ]);
    const again = kept([...merged, updateOf(12)]);
    expect(again).to.have.length(10);
    expect(again.find(({ manager }) => manager === 'ancient-changes')?.fields).to.include.keys(
      'f:0',
      'f:1',
      'f:2',
      'f:3',
    );
  });

  it('lose no fields if one is older than the merged ones', () => {
    const ancient = updateOf(5, { manager: 'ancient-changes' });
    const merged = kept([updateOf(1), updateOf(2), ancient, ...Array.from({ length: 8 }, (_, i) => updateOf(10 + i))]);
    expect(merged).to.have.length(10);
    expect(merged.find(({ manager }) => manager === 'm1')?.fields).to.deep.equal({ 'f:1': {} });
    const fields = merged.find(({ manager }) => manager === 'ancient-changes')?.fields;
    expect(fields).to.deep.equal({ 'f:2': {}, 'f:ancient-changes': {} });
  });

  it('are only merged with those of the same version', () => {
    const merged = kept([updateOf(0, { manager: 'x', apiVersion: 'v2' }), ...ten.slice(1), updateOf(10)]);
    expect(merged.find(({ manager }) => manager === 'ancient-changes')?.fields).to.deep.equal({ 'f:1': {}, 'f:2': {} });
    expect(merged.some(({ manager }) => manager === 'x')).to.equal(true);
    expect(merged).to.have.length(10);
  });
});
