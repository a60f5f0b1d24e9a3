import { expect } from 'chai';
import type { ManagedFieldsEntry } from '../meta/types.js';
import type { ManagerId } from './managers.js';
import {
  applyTo,
  applyToSteps,
  entriesAfterUpdate,
  hasOnlySpec,
  isSoleManager,
  type Tracked,
  wholeEntry,
} from './tracking.js';
import { DEDUCED } from './type.js';

type Entries = readonly ManagedFieldsEntry[];

const ONE: ManagerId = { manager: 'one', operation: 'Update', apiVersion: 'v1' };
const TWO: ManagerId = { ...ONE, manager: 'two' };
const EARLY = '2001-01-01T00:00:00Z';
const LATE = '2001-01-01T00:00:09Z';
const note = (spec: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Note',
  metadata: { name: 'a', ...metadata },
  spec,
});
const LIVE = note({ title: 'a', text: 'b' });
const writing = (by: ManagerId, now = LATE) => ({ by, type: DEDUCED, now });
const made = (object: unknown = LIVE): Tracked => ({ object, entries: [wholeEntry(object, writing(ONE, EARLY))] });

/** The entries after `by` has replaced an object by another one, and has sent entries with it. */
function replaced(live: Tracked | undefined, object: unknown, by = ONE, sent?: Entries): Entries | undefined {
  return entriesAfterUpdate(live, { object, entries: sent }, writing(by));
}

/** Manager, operation, time and fields of each entry. */
const told = (entries: Entries = []) =>
  entries.map(({ manager, operation, time, fieldsV1 }) => [`${manager} ${operation}`, time, fieldsV1]);

describe('fieldmanager: the entries of an object', () => {
  it('are one short entry as long as one manager writes it', () => {
    const labelled = note({ title: 'a' }, { labels: { x: 'y' }, finalizers: ['f'] });
    const parts = { 'f:metadata': { 'f:finalizers': {}, 'f:labels': {} }, 'f:spec': { '.': {} } };
    expect(told(replaced(undefined, labelled))).to.deep.equal([['one Update', LATE, parts]]);
    expect(told(replaced(made(), labelled))).to.deep.equal([['one Update', LATE, parts]]);
    expect(told(replaced(made(labelled), LIVE))).to.deep.equal([['one Update', LATE, { 'f:spec': { '.': {} } }]]);
    const status = { ...ONE, subresource: 'status' };
    expect(wholeEntry(LIVE, writing(status))).to.deep.include({ subresource: 'status', fieldsType: 'FieldsV1' });
  });

  it('are one short entry if the client sends the short entry of the same manager with a new object', () => {
    const sent = made().entries as Entries;
    expect(told(replaced(undefined, LIVE, ONE, sent))).to.deep.equal([['one Update', LATE, { 'f:spec': { '.': {} } }]]);
    const bare = { spec: { title: 'a' } };
    expect(told(replaced(undefined, bare))).to.deep.equal([['one Update', LATE, { 'f:spec': { '.': {} } }]]);
  });

  it('keep the time if a write only removes fields, or changes none', () => {
    expect(told(replaced(made(), note({ title: 'a' })))[0]?.[1]).to.equal(EARLY);
    expect(told(replaced(made(), LIVE))[0]?.[1]).to.equal(EARLY);
    expect(told(replaced(made(), { ...LIVE, metadata: { name: 'a', uid: 'u' } }))[0]?.[1]).to.equal(EARLY);
    expect(told(replaced(made(), note({ title: 'a', text: 'c' })))[0]?.[1]).to.equal(LATE);
    expect(told(replaced(made(), note({ title: 'a', more: 'c' })))[0]?.[1]).to.equal(LATE);
  });

  it('get a time if they had none', () => {
    const entries = made().entries?.map(({ time: _, ...untimed }) => untimed);
    expect(told(replaced({ object: LIVE, entries }, LIVE))[0]?.[1]).to.equal(LATE);
  });

  it('name every field once there is a second manager, version, operation or subresource', () => {
    const both = ['one Update', EARLY, { 'f:spec': { '.': {}, 'f:title': {} } }];
    const next = note({ title: 'a', text: 'c' });
    expect(told(replaced(made(), next, TWO))).to.deep.equal([
      both,
      ['two Update', LATE, { 'f:spec': { 'f:text': {} } }],
    ]);
    for (const other of [
      { ...ONE, apiVersion: 'v2' },
      { ...ONE, subresource: 'status' },
    ]) {
      expect(told(replaced(made(), next, other))).to.deep.equal([
        both,
        ['one Update', LATE, { 'f:spec': { 'f:text': {} } }],
      ]);
    }
    const application = { ...writing({ ...TWO, operation: 'Apply' }), force: true };
    const applied = applyTo(made(), { spec: { text: 'c' } }, application);
    expect(told(applied.entries)).to.deep.equal([['two Apply', LATE, { 'f:spec': { '.': {}, 'f:text': {} } }], both]);
  });

  it('are found in steps by an apply, and are those of an apply at once', () => {
    const application = { ...writing({ ...TWO, operation: 'Apply' }), force: true };
    const first = applyTo(made(), { spec: { text: 'c' } }, application);
    const steps = applyToSteps(first, { spec: { title: 'd' } }, application);
    let step = steps.next();
    expect(step.done).to.equal(false);
    while (step.done !== true) step = steps.next();
    expect(step.value).to.deep.equal(applyTo(first, { spec: { title: 'd' } }, application));
  });

  it('are exact for an object without spec', () => {
    expect(
      [{}, { spec: {} }, { spec: 1 }, undefined, { spec: { a: 1 } }].map((one) => hasOnlySpec(one, {})),
    ).to.deep.equal([false, false, false, false, true]);
    const bare = { metadata: { name: 'a', labels: { x: 'y' } } };
    expect(told(replaced(undefined, bare))).to.deep.equal([
      ['one Update', LATE, { 'f:metadata': { 'f:labels': { '.': {}, 'f:x': {} } } }],
    ]);
    expect(replaced(undefined, { metadata: { name: 'a' } })).to.equal(undefined);
  });

  it('do not begin before an apply if nobody tracked the object', () => {
    expect(replaced({ object: LIVE, entries: undefined }, note({ title: 'c' }))).to.equal(undefined);
    expect(replaced({ object: LIVE, entries: [] }, note({ title: 'c' }))).to.equal(undefined);
  });

  it('belong to one manager only if they are one short entry of an update', () => {
    const [whole] = made().entries ?? [];
    if (whole === undefined) throw new Error('there is one');
    expect(isSoleManager([whole], ONE)).to.equal(true);
    expect(isSoleManager([], ONE)).to.equal(false);
    expect(isSoleManager([whole, whole], ONE)).to.equal(false);
    for (const other of [
      TWO,
      { ...ONE, apiVersion: 'v2' },
      { ...ONE, subresource: 'status' },
      { ...ONE, operation: 'Apply' } as const,
    ])
      expect(isSoleManager([whole], other)).to.equal(false);
    const exact = [{ 'f:spec': {} }, { 'f:spec': { '.': {}, 'f:title': {} } }, { 'f:spec': { 'f:title': {} } }, {}];
    for (const fieldsV1 of [...exact, undefined]) {
      expect(isSoleManager([{ ...whole, fieldsV1 } as ManagedFieldsEntry], ONE)).to.equal(false);
    }
    expect(isSoleManager([{ ...whole, operation: 'Apply' }], { ...ONE, operation: 'Apply' })).to.equal(false);
  });
});

describe('fieldmanager: the entries that a client sends with a write', () => {
  const entry = (manager: string): ManagedFieldsEntry => ({
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:title': {} } },
    manager,
    operation: 'Update',
    time: EARLY,
  });

  it('replace those of the object', () => {
    expect(told(replaced(made(), LIVE, TWO, [entry('x')]))).to.deep.equal([
      ['x Update', EARLY, { 'f:spec': { 'f:title': {} } }],
    ]);
    const next = note({ title: 'a', text: 'c' });
    expect(told(replaced(made(), next, TWO, [entry('x')])).map(([who]) => who)).to.deep.equal([
      'x Update',
      'two Update',
    ]);
  });

  // Promise: contract 5.4
  it('reset those of the object if they are one that is empty, and leave them if they are none', () => {
    expect(replaced(made(), note({ title: 'c' }), TWO, [{}] as Entries)).to.equal(undefined);
    expect(replaced(made(), LIVE, TWO, [])).to.deep.equal(replaced(made(), LIVE, TWO));
  });

  it('stand for every field of a part that they have without fields, if the stored entry is short', () => {
    const short = made();
    const renamed = (spec: object): Entries => [
      {
        ...(short.entries?.[0] as ManagedFieldsEntry),
        manager: 'owner',
        operation: 'Apply',
        fieldsV1: { 'f:spec': spec },
      },
    ];
    for (const spec of [{}, { '.': {} }])
      expect(told(replaced(short, short.object, TWO, renamed(spec)))).to.deep.equal([
        ['owner Apply', EARLY, { 'f:spec': { '.': {}, 'f:text': {}, 'f:title': {} } }],
      ]);
    const exact = { 'f:spec': { 'f:title': {} } };
    expect(told(replaced(short, short.object, TWO, renamed({ 'f:title': {} })))).to.deep.equal([
      ['owner Apply', EARLY, exact],
    ]);
  });

  it('do not count if they cannot be read, are those of the object, or come through a subresource', () => {
    const { entries } = made();
    const wrong = [{ ...entry('x'), fieldsType: 'FieldsV0' }];
    const noObjects = ['', 1, null, []].flatMap((spec) => [{ 'f:spec': spec }, { 'f:metadata': spec }, spec]);
    const unreadable = noObjects.map((fieldsV1) => [{ ...entries?.[0], fieldsV1 }]);
    for (const sent of [wrong, entries, undefined, ...unreadable])
      expect(replaced(made(), LIVE, ONE, sent as Entries)).to.deep.equal(entries);
    const status = { ...TWO, subresource: 'status' };
    expect(told(replaced(made(), LIVE, status, [entry('x')])).map(([who]) => who)).to.deep.equal(['one Update']);
  });
});
