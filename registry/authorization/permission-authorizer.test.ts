import { expect } from 'chai';
import type { RequestAttributes } from '../kinds/authorizer.js';
import type { Kind } from '../kinds/kind.js';
import { missingActions } from './denied.js';
import { BOX, DESK, HALL, LABEL, LETTER, type Notes, PEN, TOY, TRUNK } from './testing/boxes.js';
import { authorizer, lacks, MASTER, READER, refusal, request, USER } from './testing/decisions.js';

describe('the permission on an object', () => {
  const bear = request('get', TOY, 'bear', { notes: { in: 'inner' } });
  const ball = request('get', TOY, 'ball', { notes: {} });

  it('is one on the object, on a container above it, or on all objects of a kind of these', () => {
    for (const scope of ['toys:uid:bear', 'boxes:uid:inner', 'boxes:uid:outer', 'boxes:*', 'toys:*', '*', ''])
      expect(lacks([`toys:read ${scope}`], bear), scope).to.deep.equal([]);
    for (const scope of ['toys:uid:ball', 'boxes:uid:other', 'boxes:uid:floor', 'halls:*', 'labels:*'])
      expect(lacks([`toys:read ${scope}`], bear), scope).to.deep.equal(['toys:read']);
    expect(lacks(['toys:write *', 'boxes:read *'], bear)).to.deep.equal(['toys:read']);
    expect(lacks(['toys:* *'], bear)).to.deep.equal([]);
  });

  it('is one on the root for what lies there, except for containers', () => {
    expect(lacks(['toys:read boxes:uid:floor'], ball)).to.deep.equal([]);
    expect(lacks(['toys:read boxes:uid:outer'], ball)).to.deep.equal(['toys:read']);
    const outer = request('get', BOX, 'outer', { notes: {} });
    expect(lacks(['boxes:read boxes:uid:floor'], outer)).to.deep.equal(['boxes:read']);
    expect(
      lacks(['boxes:read boxes:uid:outer'], request('get', BOX, 'inner', { notes: { in: 'outer' } })),
    ).to.deep.equal([]);
  });

  it('is one on what the object is about, or on the containers of that', () => {
    const label = request('get', LABEL, 'x', { notes: { of: 'bear' } });
    for (const scope of ['toys:uid:bear', 'boxes:uid:outer'])
      expect(lacks([`labels:read ${scope}`], label)).to.deep.equal([]);
    for (const scope of ['toys:uid:ball', 'boxes:uid:floor'])
      expect(lacks([`labels:read ${scope}`], label)).to.deep.equal(['labels:read']);
    const gone = request('get', LABEL, 'x', { notes: { of: 'gone' } });
    expect(lacks(['labels:read toys:uid:gone'], gone)).to.deep.equal(['labels:read']);
    expect(lacks(['labels:read toys:*'], request('get', LABEL, 'x', { notes: {} }))).to.deep.equal(['labels:read']);
  });

  it('is every one that the verb takes, each on one of the scopes', () => {
    const trunk = request('get', TRUNK, 't', { notes: { in: 'inner', of: 'outer', colour: 'red' } });
    expect(lacks(['trunks:read *'], trunk)).to.deep.equal(['trunks:open']);
    expect(lacks([], trunk)).to.deep.equal(['trunks:read', 'trunks:open']);
    for (const scope of ['trunks:uid:t', 'colours:uid:red', 'boxes:sign:inner', 'boxes:sign:outer'])
      expect(lacks(['trunks:read *', `trunks:open ${scope}`], trunk), scope).to.deep.equal([]);
    const elsewhere = request('get', TRUNK, 't', { notes: { in: 'other', of: 'outer' } });
    expect(lacks(['trunks:read *', 'trunks:open boxes:sign:outer'], elsewhere)).to.deep.equal([]);
    expect(lacks(['trunks:read *', 'trunks:open boxes:uid:floor'], trunk)).to.deep.equal(['trunks:open']);
  });

  it('is found although containers form a circle', () => {
    const wheel = request('get', TOY, 'wheel', { notes: { in: 'round' } });
    expect(lacks(['toys:read boxes:uid:outer'], wheel)).to.deep.equal(['toys:read']);
    expect(lacks(['toys:read boxes:uid:round'], wheel)).to.deep.equal([]);
    expect(lacks(['toys:read toys:* basic'], wheel)).to.deep.equal([]);
  });

  it('is one on everything for what has no scope', () => {
    const label = request('get', LABEL, 'x', { notes: {} });
    expect([lacks(['labels:read *'], label), lacks(['labels:read labels:*'], label)]).to.deep.equal([
      [],
      ['labels:read'],
    ]);
    expect(authorizer(['labels:read labels:*']).hasAction(label, 'labels:read', label.object, READER)).to.equal(true);
  });

  it('on a place is one on no object of a kind without places', () => {
    const desk = request('get', DESK, 'x', { notes: {} });
    const has = (permission: string, asked = desk) =>
      authorizer([permission]).hasAction(asked, permission.slice(0, permission.indexOf(' ')), undefined, READER);
    expect([has('desks:read boxes:uid:outer'), has('desks:read boxes:*')]).to.deep.equal([false, false]);
    expect([has('desks:read boxes:* basic'), has('desks:read desks:* basic')]).to.deep.equal([false, true]);
    expect([has('desks:read *'), has('desks:read desks:uid:x'), has('toys:read boxes:uid:outer', bear)]).to.deep.equal([
      true,
      true,
      true,
    ]);
  });

  it('is the one of its verb', () => {
    const verbs = {
      get: 'read',
      list: 'read',
      watch: 'read',
      update: 'write',
      patch: 'write',
      delete: 'delete',
      deletecollection: 'delete',
    };
    for (const [verb, action] of Object.entries(verbs)) {
      const asked = request(verb, TOY, 'bear', { notes: { in: 'inner' } });
      expect(lacks([], asked), verb).to.deep.equal([`toys:${action}`]);
      expect(lacks([`toys:${action} toys:uid:bear`], asked), verb).to.deep.equal([]);
    }
    for (const verb of ['connect', 'constructor', ''])
      expect(lacks(['* *'], request(verb, TOY, 'bear', { notes: {} }))).to.equal(undefined);
    expect(lacks(['* *'], { ...bear, kind: { ...TOY, permissions: undefined } as unknown as Kind })).to.equal(
      undefined,
    );
  });

  it('may depend on its content', () => {
    const [open, secret] = [{}, { secret: 'yes' }].map((notes) => request('get', LETTER, 'l', { notes }));
    if (open === undefined || secret === undefined) throw new Error('there are two');
    expect([lacks(['letters:read *'], open), lacks(['letters:read *'], secret)]).to.deep.equal([[], ['letters:open']]);
    expect([lacks(['letters:open *'], open), lacks(['letters:open *'], secret)]).to.deep.equal([['letters:read'], []]);
  });

  it('is not needed for one’s own objects, by members of the namespace', () => {
    const own = request('update', DESK, 'anns', { notes: {} });
    expect(lacks([], own)).to.deep.equal([]);
    expect(lacks([], request('delete', DESK, 'anns', { notes: {} }))).to.deep.equal(['desks:delete']);
    expect(lacks([], request('update', DESK, 'bobs', { notes: {} }))).to.deep.equal(['desks:write']);
    expect(authorizer([], false).missing(own, READER)).to.deep.equal(['desks:write']);
    expect(authorizer([]).isOwnOnly(own, READER)).to.equal(true);
    expect(authorizer(['desks:write *']).isOwnOnly(own, READER)).to.equal(false);
    expect(authorizer([]).isOwnOnly({ ...own, user: MASTER }, READER)).to.equal(false);
    expect(authorizer([]).isOwnOnly({ ...own, verb: 'connect' }, READER)).to.equal(false);
  });

  it('is needed by nobody who may do everything', () => {
    const asked = { ...bear, user: MASTER };
    expect(lacks([], asked)).to.deep.equal([]);
    expect(refusal(() => authorizer([]).authorize(asked, READER))).to.equal(undefined);
    expect(refusal(() => authorizer([]).admit(asked, READER))).to.equal(undefined);
    expect(authorizer([]).hasAction(asked, 'toys:read', undefined, READER)).to.equal(true);
  });

  it('is demanded by 403, which names it', () => {
    const error = refusal(() => authorizer([]).authorize(bear, READER));
    expect([error?.code, missingActions(error)]).to.deep.equal([403, ['toys:read']]);
    expect(refusal(() => authorizer(['toys:read *']).authorize(bear, READER))).to.equal(undefined);
    expect(refusal(() => authorizer(['* *']).authorize({ ...bear, verb: 'connect' }, READER))?.code).to.equal(403);
  });
});

describe('the permission on an object that does not exist', () => {
  it('is one on all objects with any name, so that nobody learns what exists', () => {
    const none = request('get', TOY, 'none');
    for (const scope of ['*', 'toys:*', 'boxes:*'])
      expect(lacks([`toys:read ${scope}`], none), scope).to.deep.equal([]);
    for (const scope of ['toys:uid:none', 'boxes:uid:outer'])
      expect(lacks([`toys:read ${scope}`], none), scope).to.deep.equal(['toys:read']);
    for (const kind of [DESK, PEN]) {
      const asked = request('get', kind, 'none');
      expect(lacks([`${kind.resource}:read boxes:*`], asked)).to.deep.equal([`${kind.resource}:read`]);
    }
    expect(lacks(['toys:read toys:uid:x'], request('get', TOY, ''))).to.deep.equal([]);
    expect(lacks([], request('get', TOY, ''))).to.deep.equal(['toys:read']);
  });

  it('is not needed if the object would be one’s own', () => {
    expect(lacks([], request('get', DESK, 'anns'))).to.deep.equal([]);
    expect(lacks([], request('delete', DESK, 'anns'))).to.deep.equal(['desks:delete']);
    expect(authorizer([], false).missing(request('get', DESK, 'anns'), READER)).to.deep.equal(['desks:read']);
  });
});

describe('the permission to list or watch', () => {
  it('is one on any object, and none if objects differ, or across namespaces', () => {
    for (const verb of ['list', 'watch']) {
      expect(lacks(['toys:read toys:uid:x'], request(verb, TOY, '')), verb).to.deep.equal([]);
      expect(lacks(['toys:write *'], request(verb, TOY, '')), verb).to.deep.equal(['toys:read']);
      for (const kind of [DESK, LETTER]) expect(lacks([], request(verb, kind, '')), verb).to.deep.equal([]);
      expect(lacks([], request(verb, TOY, '', { namespace: '' }))).to.deep.equal([]);
      expect(lacks([], request(verb, HALL, ''))).to.deep.equal(['halls:read']);
    }
    expect(lacks(['* *'], request('connect', TOY, ''))).to.equal(undefined);
    const one = request('list', TOY, 'bear', { notes: { in: 'inner' } });
    expect(lacks(['toys:read toys:uid:x'], one)).to.deep.equal(['toys:read']);
    expect(lacks([], request('create', DESK, ''))).to.deep.equal(['desks:create']);
  });

  it('is demanded before the body is read, of all verbs', () => {
    const admits = (permissions: readonly string[], asked: RequestAttributes): boolean =>
      refusal(() => authorizer(permissions).admit(asked, READER)) === undefined;
    const create = request('create', TOY, '');
    expect([admits(['toys:create boxes:uid:inner'], create), admits(['toys:read *'], create)]).to.deep.equal([
      true,
      false,
    ]);
    expect(admits([], request('create', DESK, ''))).to.equal(true);
    expect(admits(['* *'], request('connect', TOY, ''))).to.equal(false);
  });
});

describe('the permission to create', () => {
  it('is one on the new place, or on the object, unless the object is a container', () => {
    const toy = request('create', TOY, 'new', { notes: { in: 'inner' } });
    for (const scope of ['boxes:uid:inner', 'boxes:uid:outer', 'toys:uid:new'])
      expect(lacks([`toys:create ${scope}`], toy)).to.deep.equal([]);
    expect(lacks(['toys:create boxes:uid:floor'], toy)).to.deep.equal(['toys:create']);
    const box = request('create', BOX, 'new', { notes: { in: 'inner' } });
    expect(lacks(['boxes:create boxes:uid:outer'], box)).to.deep.equal([]);
    expect(lacks(['boxes:create boxes:uid:new'], box)).to.deep.equal(['boxes:create']);
    expect(lacks(['boxes:create boxes:uid:floor'], request('create', BOX, 'new', { notes: {} }))).to.deep.equal([]);
    expect(lacks(['boxes:create boxes:uid:outer'], request('create', BOX, 'new', { notes: {} }))).to.deep.equal([
      'boxes:create',
    ]);
  });
});

describe('whether a caller has an action', () => {
  const has = (permissions: readonly string[], notes?: Notes): boolean => {
    const asked = request('get', TOY, 'bear', notes && { notes });
    return authorizer(permissions).hasAction(asked, 'toys:paint', asked.object, READER);
  };

  it('depends on the object, if there is one', () => {
    const notes = { in: 'inner' };
    for (const scope of ['toys:uid:bear', 'boxes:uid:outer', 'toys:*', '*'])
      expect(has([`toys:paint ${scope}`], notes), scope).to.equal(true);
    for (const scope of ['toys:uid:ball', 'boxes:uid:floor'])
      expect(has([`toys:paint ${scope}`], notes), scope).to.equal(false);
    expect([has(['toys:paint toys:uid:ball']), has(['toys:read *']), has(['toys:read *'], notes)]).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect(has(['toys:paint boxes:uid:floor'], {})).to.equal(true);
    const outer = request('get', BOX, 'outer', { notes: {} });
    const onFloor = authorizer(['boxes:paint boxes:uid:floor']);
    expect(onFloor.hasAction(outer, 'boxes:paint', outer.object, READER)).to.equal(false);
    expect(onFloor.grantsOf(USER, 'default', READER).scopesOf('boxes:paint')?.exact).to.include('boxes:uid:floor');
  });
});
