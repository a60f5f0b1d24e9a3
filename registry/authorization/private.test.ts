import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { Reader } from '../read/reader.js';
import { readerOf } from '../testing/reader.js';
import { hasRestrictedIn } from './restricted-contents.js';
import { BOX, LABEL, objectOf, PARCEL, TOY, WAITING } from './testing/boxes.js';
import { authorizer, MASTER, request, USER } from './testing/decisions.js';

const VIEWER = 'toys:read toys:* basic';

/** The box `safe` is private, and in `shelf`. The box `drawer` is in `safe`, and `crate` waits. */
const newReader = (): Reader =>
  readerOf([
    [BOX, objectOf(BOX, 'shelf')],
    [BOX, objectOf(BOX, 'safe', { in: 'shelf', private: 'yes' })],
    [BOX, objectOf(BOX, 'drawer', { in: 'safe' })],
    [BOX, objectOf(BOX, 'tray', { in: 'shelf' })],
    [BOX, { ...objectOf(BOX, 'crate', { in: 'ship' }), status: WAITING }],
    [TOY, objectOf(TOY, 'ball')],
    [TOY, objectOf(TOY, 'kite', { in: 'shelf' })],
    [TOY, objectOf(TOY, 'coin', { in: 'safe' })],
    [TOY, objectOf(TOY, 'ring', { in: 'drawer' })],
    [TOY, objectOf(TOY, 'lost', { in: 'gone' })],
    [TOY, objectOf(TOY, 'boat', { in: 'crate' })],
    [PARCEL, { ...objectOf(PARCEL, 'open', { in: 'ship' }), status: WAITING }],
    [PARCEL, { ...objectOf(PARCEL, 'closed', { in: 'ship', secret: 'yes' }), status: WAITING }],
    [LABEL, objectOf(LABEL, 'of-boat', { of: 'boat' })],
    [LABEL, objectOf(LABEL, 'of-kite', { of: 'kite' })],
  ]);

function list(
  permissions: readonly string[],
  kind = TOY,
): { readonly all: boolean; readonly names: readonly string[] } {
  const attributes = { user: USER, verb: 'list', kind, namespace: 'default' };
  const reader = newReader();
  const filter = authorizer(permissions).readFilter(attributes, reader);
  const entries = [...reader.inNamespace(kind.qualified, 'default')].filter((entry) => filter.allows(entry));
  return { all: filter.all, names: entries.map(({ key }) => key.slice(key.lastIndexOf('/') + 1)) };
}

const lacks = (permissions: readonly string[], asked: ReturnType<typeof request>): readonly string[] | undefined =>
  authorizer(permissions).missing(asked, newReader());

describe('a permission of a basic role', () => {
  it('ends at what is private, at any depth, in lists as in gets', () => {
    expect(list([VIEWER])).to.deep.equal({ all: false, names: ['ball', 'kite', 'lost'] });
    for (const [name, box] of [
      ['coin', 'safe'],
      ['ring', 'drawer'],
    ] as const)
      expect(lacks([VIEWER], request('get', TOY, name, { notes: { in: box } })), name).to.deep.equal(['toys:read']);
    expect(lacks([VIEWER], request('get', TOY, 'kite', { notes: { in: 'shelf' } }))).to.deep.equal([]);
  });

  it('holds again where a private place gives it', () => {
    expect(list([VIEWER, 'toys:read boxes:uid:safe basic']).names).to.include.members(['coin', 'ring']);
    expect(list(['toys:read boxes:uid:shelf basic']).names).to.deep.equal(['kite']);
    const coin = request('get', TOY, 'coin', { notes: { in: 'safe' } });
    expect(lacks(['toys:read boxes:uid:safe basic'], coin)).to.deep.equal([]);
    expect(lacks(['toys:read boxes:uid:shelf basic'], coin)).to.deep.equal(['toys:read']);
  });

  it('is not enough to delete a place with something private in it, or to move it', () => {
    const shelf = request('delete', BOX, 'shelf', { notes: {} });
    expect(lacks(['boxes:delete boxes:* basic'], shelf)).to.deep.equal(['boxes:delete']);
    for (const more of ['boxes:delete boxes:uid:safe', 'boxes:delete boxes:uid:safe basic', 'boxes:delete boxes:*'])
      expect(lacks(['boxes:delete boxes:* basic', more], shelf), more).to.deep.equal([]);
    expect(lacks(['boxes:delete boxes:uid:shelf'], shelf)).to.deep.equal([]);
    const tray = request('delete', BOX, 'tray', { notes: { in: 'shelf' } });
    expect(lacks(['boxes:delete boxes:* basic'], tray)).to.deep.equal([]);
    const moved = request('update', BOX, 'shelf', { before: {}, notes: { in: 'tray' } });
    const editor = ['boxes:write boxes:* basic', 'boxes:create boxes:* basic'];
    expect(lacks(editor, moved)).to.deep.equal(['boxes:write']);
    // A review asks about a write that nobody sends.
    expect(lacks(editor, request('update', BOX, 'shelf', { notes: {} }))).to.deep.equal([]);
  });

  it('reaches what is about an object, and what lies in a place that is gone only by itself', () => {
    const ofKite = request('get', LABEL, 'of-kite', { notes: { of: 'kite' } });
    for (const scope of ['toys:uid:kite', 'boxes:uid:shelf'])
      expect(lacks([`labels:read ${scope} basic`], ofKite), scope).to.deep.equal([]);
    expect(lacks(['labels:read boxes:uid:tray basic'], ofKite)).to.deep.equal(['labels:read']);
    const lost = request('get', TOY, 'lost', { notes: { in: 'gone' } });
    expect(lacks(['toys:read boxes:uid:shelf basic'], lost)).to.deep.equal(['toys:read']);
    expect(lacks(['toys:read toys:uid:lost basic'], lost)).to.deep.equal([]);
  });
});

describe('a private place', () => {
  const both = { before: { in: 'shelf' }, notes: { in: 'other', private: 'yes' } };

  it('takes a permission of its own to be made private, also together with a move', () => {
    const write = ['boxes:write *', 'boxes:create *'];
    for (const asked of [both, { ...both, notes: { in: 'shelf', private: 'yes' } }]) {
      expect(lacks(write, request('update', BOX, 'tray', asked))).to.deep.equal(['boxes.permissions:write']);
      expect(lacks([...write, 'boxes.permissions:write *'], request('update', BOX, 'tray', asked))).to.deep.equal([]);
    }
  });

  it('is found in the place that it lies in, and in no other', () => {
    const isPrivateIn = (name: string): boolean => hasRestrictedIn([BOX], BOX, name, 'default', newReader());
    expect([isPrivateIn('shelf'), isPrivateIn('tray'), isPrivateIn('safe')]).to.deep.equal([true, false, false]);
  });
});

describe('what waits', () => {
  it('is seen with its contents, and what is about these, only by callers who may write everywhere', () => {
    expect(list(['toys:read toys:*']).names).to.not.include('boat');
    expect(list(['toys:read toys:*', 'toys:write toys:*']).names).to.include('boat');
    expect(list(['labels:read labels:*'], LABEL)).to.deep.equal({ all: false, names: ['of-kite'] });
    expect(list(['labels:read *', 'labels:write *'], LABEL)).to.deep.equal({
      all: true,
      names: ['of-boat', 'of-kite'],
    });
  });

  it('is read one by one by the same callers', () => {
    const boat = request('get', TOY, 'boat', { notes: { in: 'crate' } });
    expect(lacks(['toys:read toys:*'], boat)).to.deep.equal(['toys:write']);
    expect(lacks(['toys:read toys:uid:boat', 'toys:write toys:*'], boat)).to.deep.equal(['toys:read']);
    expect(lacks(['toys:* toys:*'], boat)).to.deep.equal([]);
  });

  it('is seen only with the actions that the object itself needs', () => {
    expect(list(['parcels:* *'], PARCEL).names).to.deep.equal(['open']);
    expect(list(['letters:* *'], PARCEL).names).to.deep.equal(['closed']);
  });

  it('is written only by callers who may write every object of the kind', () => {
    const mayAs = (user: UserInfo, permissions: readonly string[]): boolean => {
      const attributes = { user, verb: 'update', kind: TOY, namespace: 'default' };
      return authorizer(permissions).mayWriteEverywhere(attributes, objectOf(TOY, 'new', { in: 'ship' }), newReader());
    };
    const may = (...permissions: readonly string[]): boolean => mayAs(USER, permissions);
    expect([may('toys:write toys:*'), mayAs(MASTER, [])]).to.deep.equal([true, true]);
    expect([may('toys:write toys:uid:new'), may('toys:write toys:* basic'), may()]).to.deep.equal([
      false,
      false,
      false,
    ]);
  });
});
