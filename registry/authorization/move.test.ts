import { expect } from 'chai';
import type { RequestAttributes } from '../kinds/authorizer.js';
import { missingActions } from './denied.js';
import { ESCALATION } from './move-escalation.js';
import { BOX, LABEL, MOVER, TOY, TRUNK } from './testing/boxes.js';
import { authorizer, lacks, MASTER, READER, refusal, request } from './testing/decisions.js';

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
      expect(refused?.message).to.contain(
        'cannot move resource "boxes" in API group "box.svc.app" in the namespace "default"',
      );
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
