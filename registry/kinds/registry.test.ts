import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { encodeTuple } from '../../storage/state/tuple.js';
import { bodyOf, CHEST, HOUSE, LAMP, LEAF, LIGHT } from '../testing/house.js';
import type { Kind } from './kind.js';
import { INTERNAL_ID_INDEX, kindOf, requireKind, resourceDefinition, resourceDefinitions } from './registry.js';

const rowsOf = (kind: Kind, spec: object, metadata: object = {}) =>
  resourceDefinition(kind).rows?.(bodyOf(kind, 'a', spec, { namespace: 'hall', ...metadata }), 'key' as never, 100) ??
  [];
const rowsIn = (index: string, ...all: Parameters<typeof rowsOf>) =>
  rowsOf(...all).filter((row) => row.index === index);
const OAK = { tree: 'oak', size: 2 };

describe('the rows of an object', () => {
  it('have its number only if it has one', () => {
    const labels = { [LEAF.ownedKeys.internalId]: '7' };
    expect(rowsIn(INTERNAL_ID_INDEX, LEAF, OAK, { labels })).to.deep.equal([
      { index: INTERNAL_ID_INDEX, tuple: encodeTuple([7]) },
    ]);
    for (const more of [{}, { labels: {} }]) expect(rowsIn(INTERNAL_ID_INDEX, LEAF, OAK, more)).to.deep.equal([]);
  });

  it('have its container, its owners and what it refers to', () => {
    const owner = { apiVersion: CHEST.apiVersion, kind: 'Chest', name: 'oak', uid: 'u1' };
    const references = ({ spec }: KubeObject) => [
      { resource: CHEST.qualified, namespace: 'hall', name: `${(spec as { watts: number }).watts}`, field: 'spec' },
    ];
    const lamp = [
      { ...LAMP, references },
      { watts: 9 },
      { annotations: { in: 'oak' }, ownerReferences: [owner] },
    ] as const;
    expect(rowsIn('container', ...lamp)[0]?.tuple).to.equal(encodeTuple(['hall', 'oak']));
    expect(rowsIn('owner', ...lamp)[0]?.tuple).to.equal(encodeTuple(['u1']));
    expect(rowsIn('reference', ...lamp)[0]?.tuple).to.equal(encodeTuple([CHEST.qualified, 'hall', '9']));
    for (const index of ['container', 'owner', 'reference'])
      expect(rowsIn(index, LAMP, { watts: 9 })).to.deep.equal([]);
  });
});

describe('the kinds of a registry', () => {
  it('are found by what they are stored as, and a hook that names another one is told so', () => {
    expect(kindOf({ kinds: HOUSE }, LAMP.qualified)).to.equal(LAMP);
    expect(kindOf({ kinds: HOUSE }, 'none')).to.equal(undefined);
    expect(requireKind({ kinds: HOUSE }, CHEST.qualified)).to.equal(CHEST);
    expect(() => requireKind({ kinds: HOUSE }, 'none')).to.throw('none, which is no kind of this server');
  });

  it('are stored once, and what others depend on is known by its uid', () => {
    const definitions = resourceDefinitions(HOUSE);
    expect(HOUSE).to.include(LIGHT);
    expect(definitions.map(({ resource }) => resource)).to.have.members(
      HOUSE.filter((kind) => kind !== LIGHT).map(({ qualified }) => qualified),
    );
    const uidOf = (kind: Kind) => {
      const definition = definitions.find(({ resource }) => resource === kind.qualified);
      return definition?.extract(bodyOf(kind, 'a', {}, { uid: 'u1' }), 'key' as never).uid;
    };
    expect([uidOf(CHEST), uidOf(LAMP)]).to.deep.equal(['u1', undefined]);
    const alone = resourceDefinition(CHEST).extract(bodyOf(CHEST, 'a', {}, { uid: 'u1' }), 'key' as never);
    expect(alone.uid).to.equal(undefined);
  });
});
