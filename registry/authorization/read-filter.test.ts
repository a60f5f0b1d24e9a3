import { expect } from 'chai';
import { MASTERS_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import { grantsOf, NO_GRANTS } from '../../pkg/identity/authz/grants.js';
import type { ReadFilter } from '../kinds/authorizer.js';
import type { Kind } from '../kinds/kind.js';
import { readerOf } from '../testing/reader.js';
import { createAuthorizer } from './permission-authorizer.js';
import { BOX, DESK, HALL, KINDS, LABEL, LETTER, type Notes, objectOf, PEN, TOY, TRUNK } from './testing/boxes.js';
import { granted, USER } from './testing/decisions.js';

const BOXES: readonly (readonly [string, Notes])[] = [
  ['outer', {}],
  ['inner', { in: 'outer' }],
  ['other', {}],
  ['round', { in: 'round' }],
];
const TOYS: readonly (readonly [string, Notes])[] = [
  ['bear', { in: 'inner' }],
  ['car', { in: 'outer' }],
  ['doll', { in: 'other' }],
  ['ball', {}],
  ['wheel', { in: 'round' }],
];
const LABELS: readonly (readonly [string, Notes])[] = [
  ['of-bear', { of: 'bear' }],
  ['of-ball', { of: 'ball' }],
  ['of-nothing', {}],
  ['of-gone', { of: 'gone' }],
];
const LETTERS: readonly (readonly [string, Notes])[] = [
  ['open', {}],
  ['closed', { secret: 'yes' }],
];
const TRUNKS: readonly (readonly [string, Notes])[] = [
  ['one', { in: 'outer', colour: 'red' }],
  ['two', { in: 'other', of: 'inner' }],
];
const HELD: readonly (readonly [Kind, readonly (readonly [string, Notes])[]])[] = [
  [BOX, BOXES],
  [TOY, TOYS],
  [LABEL, LABELS],
  [LETTER, LETTERS],
  [TRUNK, TRUNKS],
  [
    PEN,
    [
      ['boxed', { in: 'outer' }],
      ['lost', {}],
    ],
  ],
  [
    DESK,
    [
      ['anns', {}],
      ['bobs', {}],
    ],
  ],
  [HALL, [['great', {}]]],
];
const READER = readerOf([
  ...HELD.flatMap(([kind, all]) => all.map(([name, notes]) => [kind, objectOf(kind, name, notes)] as const)),
  [TOY, objectOf(TOY, 'far', {}, 'elsewhere')],
]);

interface Asked {
  readonly verb?: string;
  readonly namespace?: string;
  readonly user?: UserInfo;
  readonly isMember?: boolean;
}

/** The filter of a caller with these permissions in the namespace `default`, written as `action scope`. */
function filterOf(permissions: readonly string[], kind: Kind, asked: Asked = {}): ReadFilter {
  const { verb = 'list', namespace = kind.scope === 'Cluster' ? '' : 'default', user = USER, isMember = true } = asked;
  const grants = grantsOf(granted(permissions));
  const isHere = (where: string): boolean => where === 'default' || where === '';
  const resolved = {
    grants: (where: string) => (isHere(where) ? grants : NO_GRANTS),
    isMember: (where: string) => isMember && isHere(where),
    isCurrent: () => true,
  };
  return createAuthorizer(KINDS, { resolve: () => resolved }).readFilter({ user, verb, kind, namespace }, READER);
}

/** The names of the objects that a caller sees. */
function seen(permissions: readonly string[], kind: Kind, asked: Asked = {}): readonly string[] {
  const filter = filterOf(permissions, kind, asked);
  const entries = ['', 'default', 'elsewhere'].flatMap((where) => [...READER.inNamespace(kind.qualified, where)]);
  const allowed = entries.filter((entry) => filter.allows(entry));
  return allowed.map(({ key }) => key.slice(key.lastIndexOf('/') + 1));
}

describe('a list', () => {
  it('has the objects that the caller may view: by themselves, by the containers above, or by the root', () => {
    expect(seen(['toys:read toys:uid:bear'], TOY)).to.deep.equal(['bear']);
    expect(seen(['toys:read boxes:uid:inner'], TOY)).to.deep.equal(['bear']);
    expect(seen(['toys:read boxes:uid:outer', 'toys:read toys:uid:doll'], TOY)).to.deep.equal(['bear', 'car', 'doll']);
    expect(seen(['toys:read boxes:uid:floor'], TOY))
      .to.include('ball')
      .and.not.include('car');
    expect(seen(['toys:read boxes:uid:round'], TOY)).to.deep.equal(['wheel']);
    expect(seen(['boxes:read boxes:uid:outer'], BOX)).to.deep.equal(['inner', 'outer']);
    expect(seen(['boxes:read boxes:uid:floor'], BOX)).to.deep.equal([]);
    expect(seen(['toys:write *'], TOY)).to.deep.equal([]);
    expect(seen(['toys:write boxes:uid:inner'], TOY, { verb: 'deletecollection' })).to.deep.equal([]);
    expect(seen(['toys:delete boxes:uid:inner'], TOY, { verb: 'deletecollection' })).to.deep.equal(['bear']);
    expect(seen(['* *'], TOY, { verb: 'connect' })).to.deep.equal([]);
  });

  it('reads the containers above its objects once for all callers', () => {
    seen(['toys:read boxes:uid:outer'], TOY);
    const read: string[] = [];
    const entry = READER.entry.bind(READER);
    READER.entry = (resource, namespace, name) => {
      read.push(name);
      return entry(resource, namespace, name);
    };
    try {
      expect(seen(['toys:read boxes:uid:other'], TOY)).to.deep.equal(['doll']);
    } finally {
      READER.entry = entry;
    }
    expect(read.filter((name) => BOXES.some(([box]) => box === name))).to.deep.equal([]);
  });

  it('has everything, without asking for each, if the caller may view the whole kind', () => {
    const all = TOYS.map(([name]) => name).toSorted();
    for (const scope of ['*', 'toys:*', 'boxes:*']) {
      expect(filterOf([`toys:read ${scope}`], TOY).all, scope).to.equal(true);
      expect(seen([`toys:read ${scope}`], TOY)).to.include.members(all);
    }
    for (const scope of ['toys:uid:bear', 'boxes:uid:outer', 'labels:*', 'toys:uid:*'])
      expect(filterOf([`toys:read ${scope}`], TOY).all, scope).to.equal(false);
    expect(filterOf(['halls:read *'], HALL).all).to.equal(true);
    expect(filterOf(['letters:read *', 'letters:open *'], LETTER).all).to.equal(false);
    expect(filterOf([], TOY, { user: { ...USER, groups: [MASTERS_GROUP] } }).all).to.equal(true);
  });

  it('has what is about an object that the caller has the permission on', () => {
    expect(seen(['labels:read toys:uid:bear'], LABEL)).to.deep.equal(['of-bear']);
    expect(seen(['labels:read boxes:uid:outer'], LABEL)).to.deep.equal(['of-bear']);
    expect(seen(['labels:read boxes:uid:floor'], LABEL)).to.deep.equal(['of-ball']);
    expect(seen(['labels:read toys:uid:gone'], LABEL)).to.deep.equal([]);
    expect(seen(['labels:read labels:*'], LABEL)).to.have.length(LABELS.length);
  });

  it('has objects that the caller has every needed permission on, each on one of the scopes', () => {
    expect(seen(['trunks:read *'], TRUNK)).to.deep.equal([]);
    expect(filterOf(['trunks:read *', 'trunks:open boxes:uid:outer'], TRUNK).all).to.equal(false);
    expect(filterOf(['trunks:read *', 'trunks:open *'], TRUNK).all).to.equal(true);
    expect(seen(['trunks:read *', 'trunks:open colours:uid:red'], TRUNK)).to.deep.equal(['one']);
    expect(seen(['trunks:read *', 'trunks:open boxes:sign:inner'], TRUNK)).to.deep.equal(['two']);
    expect(seen(['trunks:read *', 'trunks:open boxes:sign:outer'], TRUNK)).to.deep.equal(['one', 'two']);
  });

  it('has what is in no container only with a permission on it or on all', () => {
    expect(seen(['pens:read boxes:*'], PEN)).to.deep.equal(['boxed']);
    expect(filterOf(['pens:read boxes:*'], PEN).all).to.equal(false);
    expect(seen(['pens:read pens:*'], PEN)).to.deep.equal(['boxed', 'lost']);
  });

  it('has the caller’s own objects, if the caller is a member', () => {
    expect(seen([], DESK)).to.deep.equal(['anns']);
    expect(seen([], DESK, { isMember: false })).to.deep.equal([]);
    expect(seen([], DESK, { verb: 'deletecollection' })).to.deep.equal([]);
    expect(seen(['desks:read desks:uid:bobs'], DESK)).to.deep.equal(['anns', 'bobs']);
  });

  it('has each object only with the actions that this object needs', () => {
    expect(seen(['letters:read *'], LETTER)).to.deep.equal(['open']);
    expect(seen(['letters:open *'], LETTER)).to.deep.equal(['closed']);
    expect(seen(['letters:seal *'], LETTER, { verb: 'deletecollection' })).to.deep.equal(['closed']);
    expect(seen(['letters:delete *'], LETTER, { verb: 'deletecollection' })).to.deep.equal(['open']);
  });

  it('across namespaces has those of each namespace by the permissions there', () => {
    const everywhere = { namespace: '' };
    expect(seen(['toys:read *'], TOY, everywhere)).to.have.members(TOYS.map(([name]) => name));
    expect(filterOf(['toys:read *'], TOY, everywhere).all).to.equal(false);
    expect(filterOf([], TOY, everywhere).excludes('outer')).to.equal(false);
    expect(seen(['halls:read *'], HALL)).to.deep.equal(['great']);
  });
});

describe('a container', () => {
  const excluded = (permissions: readonly string[], kind = TOY): readonly string[] =>
    [...BOXES.map(([name]) => name), undefined]
      .filter((name) => filterOf(permissions, kind).excludes(name))
      .map((name) => name ?? 'floor');

  it('is left out of a list at once if the caller may view nothing in it', () => {
    expect(excluded(['toys:read boxes:uid:outer'])).to.deep.equal(['other', 'round', 'floor']);
    expect(excluded(['toys:read boxes:uid:floor'])).to.deep.equal(['outer', 'inner', 'other', 'round']);
    expect(excluded(['toys:write *'])).to.deep.equal(['outer', 'inner', 'other', 'round', 'floor']);
    expect(excluded(['toys:read *'])).to.deep.equal([]);
  });

  it('is not if objects in it have permissions of their own', () => {
    expect(excluded(['toys:read boxes:uid:outer', 'toys:read toys:uid:ball'])).to.deep.equal([]);
    expect(excluded(['toys:read toys:uid:b*'])).to.deep.equal([]);
    expect(excluded(['boxes:read boxes:uid:outer'], BOX)).to.deep.equal([]);
    expect(excluded(['labels:read boxes:uid:outer'], LABEL)).to.deep.equal([]);
    expect(excluded([], DESK)).to.deep.equal([]);
    expect(excluded(['trunks:read *', 'trunks:open boxes:uid:inner'], TRUNK)).to.deep.equal([]);
    expect(excluded([], LETTER)).to.deep.equal([]);
  });
});
