import { expect } from 'chai';
import { MASTERS_GROUP, type UserInfo } from '../../pkg/authn/user.js';
import { grantsOf, type Permission } from '../../pkg/authz/grants.js';
import { ApiError } from '../../pkg/status/status.js';
import type { Kind } from '../kind.js';
import { type Authorizer, newAttributes, type RequestAttributes } from './authorizer.js';
import { missingActions } from './denied.js';
import { ESCALATION } from './move-escalation.js';
import { createAuthorizer } from './permission-authorizer.js';
import {
  BOX,
  DESK,
  HALL,
  KINDS,
  LABEL,
  LETTER,
  MOVER,
  type Notes,
  objectOf,
  PEN,
  readerOf,
  TOY,
  TRUNK,
} from './testing/boxes.js';

const USER: UserInfo = { name: 'ann', uid: 'anns', groups: [], extra: {} };
const MASTER: UserInfo = { ...USER, groups: [MASTERS_GROUP] };

/** The box `inner` is in `outer`, which is on the floor. The toy `bear` is in `inner`, and `ball` on the floor. */
const READER = readerOf([
  [BOX, objectOf(BOX, 'outer')],
  [BOX, objectOf(BOX, 'round', { in: 'round' })],
  [BOX, objectOf(BOX, 'inner', { in: 'outer' })],
  [TOY, objectOf(TOY, 'bear', { in: 'inner' })],
  [TOY, objectOf(TOY, 'ball')],
]);

/** Permissions as `action scope`. */
const granted = (texts: readonly string[]): readonly Permission[] =>
  texts.map((text) => {
    const [action = '', scope = ''] = text.split(' ');
    return { action, scope };
  });

function authorizer(permissions: readonly string[], isMember = true): Authorizer {
  const grants = grantsOf(granted(permissions));
  const resolved = { grants: () => grants, isMember: () => isMember, isCurrent: () => true };
  return createAuthorizer(KINDS, { resolve: () => resolved });
}

interface Asked extends Partial<Omit<RequestAttributes, 'object' | 'old'>> {
  /** Absent: there is no such object. */
  readonly notes?: Notes;
  readonly before?: Notes;
}

function request(verb: string, kind: Kind, name: string, { notes, before, ...more }: Asked = {}): RequestAttributes {
  const namespace = kind.scope === 'Cluster' ? '' : 'default';
  const attributes = (one: Notes) => newAttributes(kind, objectOf(kind, name, one));
  const [object, old] = [notes && attributes(notes), before && attributes(before)];
  return { user: USER, verb, kind, namespace, name, ...(object && { object }), ...(old && { old }), ...more };
}

/** What a caller with these permissions lacks. */
const lacks = (permissions: readonly string[], asked: RequestAttributes): readonly string[] | undefined =>
  authorizer(permissions).missing(asked, READER);

function refusal(work: () => void): ApiError | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return undefined;
}

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
    expect(lacks(['trunks:read *', 'trunks:open boxes:uid:floor'], trunk)).to.deep.equal(['trunks:open']);
  });

  it('is found although containers form a circle', () => {
    const wheel = request('get', TOY, 'wheel', { notes: { in: 'round' } });
    expect(lacks(['toys:read boxes:uid:outer'], wheel)).to.deep.equal(['toys:read']);
    expect(lacks(['toys:read boxes:uid:round'], wheel)).to.deep.equal([]);
  });

  it('is one on everything for what has no scope', () => {
    const label = request('get', LABEL, 'x', { notes: {} });
    expect([lacks(['labels:read *'], label), lacks(['labels:read labels:*'], label)]).to.deep.equal([
      [],
      ['labels:read'],
    ]);
    expect(authorizer(['labels:read labels:*']).hasAction(label, 'labels:read', label.object, READER)).to.equal(true);
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

describe('the permission to move', () => {
  const moved = request('update', TOY, 'bear', { before: { in: 'inner' }, notes: { in: 'other' } });

  it('is that to update the object, and to create it in the new place', () => {
    expect(lacks(['toys:write boxes:uid:inner', 'toys:create boxes:uid:other'], moved)).to.deep.equal([]);
    expect(lacks(['toys:write boxes:uid:inner'], moved)).to.deep.equal(['toys:create']);
    expect(lacks(['toys:write boxes:uid:other', 'toys:create boxes:uid:other'], moved)).to.deep.equal(['toys:write']);
    const stays = request('update', TOY, 'bear', { before: { in: 'inner' }, notes: { in: 'inner' } });
    expect(lacks(['toys:write boxes:uid:inner'], stays)).to.deep.equal([]);
    const down = request('update', TOY, 'bear', { before: { in: 'inner' }, notes: {} });
    expect(lacks(['toys:write *', 'toys:create boxes:uid:inner'], down)).to.deep.equal(['toys:create']);
    expect(lacks(['toys:write *', 'toys:create boxes:uid:floor'], down)).to.deep.equal([]);
  });

  it('is another one if the kind says so', () => {
    const cart = request('patch', MOVER, 'c', { before: { in: 'inner' }, notes: { in: 'other' } });
    expect(lacks(['carts:write *', 'carts:create *'], cart)).to.deep.equal(['carts:move']);
    expect(lacks(['carts:write boxes:uid:inner', 'carts:move boxes:uid:other'], cart)).to.deep.equal([]);
  });

  it('is that on both, if the object becomes about another one', () => {
    const changed = request('update', LABEL, 'x', { before: { of: 'bear' }, notes: { of: 'ball' } });
    expect(lacks(['labels:write toys:uid:bear'], changed)).to.deep.equal(['labels:write']);
    expect(lacks(['labels:write toys:uid:ball'], changed)).to.deep.equal(['labels:write']);
    expect(lacks(['labels:write toys:uid:ball', 'labels:write toys:uid:bear'], changed)).to.deep.equal([]);
  });

  it('is one on the new scopes, too, if they change', () => {
    const before = { in: 'inner', colour: 'red' };
    const painted = request('update', TRUNK, 't', { before, notes: { ...before, colour: 'blue' } });
    expect(lacks(['trunks:write colours:uid:red'], painted)).to.deep.equal(['trunks:write']);
    expect(lacks(['trunks:write colours:uid:red', 'trunks:write colours:uid:blue'], painted)).to.deep.equal([]);
    const both = request('update', TRUNK, 't', { before, notes: { in: 'other', colour: 'blue' } });
    expect(lacks(['trunks:write colours:uid:red', 'trunks:create *'], both)).to.deep.equal(['trunks:write']);
    const change = refusal(() => authorizer(['trunks:create *']).authorizeChange(painted, READER));
    expect(missingActions(change)).to.deep.equal(['trunks:write']);
  });

  it('is asked for by the check of a change alone', () => {
    const check = (permissions: readonly string[], asked: RequestAttributes) =>
      refusal(() => authorizer(permissions).authorizeChange(asked, READER));
    expect(missingActions(check(['toys:write *'], moved))).to.deep.equal(['toys:create']);
    expect(check(['toys:create boxes:uid:other'], moved)).to.equal(undefined);
    expect(check([], { ...moved, user: MASTER })).to.equal(undefined);
    expect(check([], request('update', TOY, 'bear', { before: { in: 'inner' }, notes: { in: 'inner' } }))).to.equal(
      undefined,
    );
    expect(check([], request('update', TOY, 'bear', { notes: { in: 'other' } }))).to.equal(undefined);
  });

  it('gives nobody more than they had on a container', () => {
    const box = request('update', BOX, 'other', { before: {}, notes: { in: 'outer' } });
    const mover = ['boxes:write *', 'boxes:create *', 'boxes:read boxes:uid:inner'];
    const gains = [...mover, 'toys:read boxes:uid:outer', 'boxes:grant boxes:uid:outer'];
    expect(lacks(gains, box)).to.deep.equal(['toys:read', 'boxes:grant']);
    for (const refused of [
      refusal(() => authorizer(gains).authorize(box, READER)),
      refusal(() => authorizer(gains).authorizeChange(box, READER)),
    ]) {
      expect(refused?.code).to.equal(403);
      const expected = ['toys:read', 'boxes:grant'].map((message) => ({ reason: ESCALATION, message }));
      expect(refused?.details?.causes).to.deep.equal(expected);
      expect(missingActions(refused)).to.deep.equal([]);
    }
    const had = [...mover, 'toys:read boxes:uid:outer', 'toys:read boxes:uid:other'];
    expect(lacks(had, box)).to.deep.equal([]);
    const down = request('update', BOX, 'other', { before: { in: 'outer' }, notes: {} });
    expect(lacks([...mover, 'toys:read boxes:uid:floor'], down)).to.deep.equal([]);
    expect(lacks([...mover, 'toys:read boxes:uid:floor', 'toys:read boxes:uid:outer'], box)).to.deep.equal([
      'toys:read',
    ]);
    const within = request('update', BOX, 'other', { before: { in: 'outer' }, notes: { in: 'inner' } });
    expect(lacks(['boxes:write *', 'boxes:create *', 'toys:read boxes:uid:outer'], within)).to.deep.equal([]);
    expect(lacks(mover, within)).to.deep.equal(['boxes:read']);
    expect(refusal(() => authorizer([...mover, 'toys:read *']).authorize(box, READER))).to.equal(undefined);
    expect(lacks([...mover, 'toys:* boxes:uid:outer', 'toys:write *', 'toys:create *'], moved)).to.deep.equal([]);
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
