import { expect } from 'chai';
import { CHEST, LAMP, LEAF } from '../testing/house.js';
import { extractor } from './attributes.js';
import type { Kind } from './kind.js';

const object = (kind: Kind, spec: object, metadata: object = {}) => ({
  apiVersion: kind.apiVersion,
  kind: kind.kind,
  metadata: { name: 'a', namespace: 'hall', uid: 'as-uid', ...metadata },
  spec,
});

describe('what is kept beside an object', () => {
  it('is what lists, searches and permissions need of it', () => {
    const labels = { x: 'y' };
    const attributes = extractor(
      LAMP,
      false,
    )(object(LAMP, { watts: 1, colour: 'red' }, { labels, annotations: { in: 'oak' } }));
    const { labels: kept, scopes, container, text, fields, summary } = attributes;
    expect({ kept, scopes, container, text, fields, summary }).to.deep.equal({
      kept: labels,
      scopes: ['lamps:uid:a'],
      container: 'oak',
      text: 'red',
      fields: { 'spec.colour': 'red' },
      summary: undefined,
    });
    const { isTerminating, isOwned, owner, uid, about, reading } = attributes;
    expect({ isTerminating, isOwned, owner, uid, about, reading }).to.deep.equal({
      isTerminating: false,
      isOwned: false,
      owner: undefined,
      uid: undefined,
      about: undefined,
      reading: undefined,
    });
  });

  it('is nothing that the kind does not have', () => {
    const { permissions: _, ...bare } = CHEST;
    const { labels, scopes, container, text, fields } = extractor(bare as Kind, false)(object(CHEST, {}));
    expect([labels, scopes, container, text, fields]).to.deep.equal(Array(5).fill(undefined));
  });

  it('has several scopes or none as they are', () => {
    const scoped = (scopes: readonly string[]) =>
      extractor(
        { ...LAMP, permissions: { ...LAMP.permissions, scopes: () => scopes } } as Kind,
        false,
      )(object(LAMP, {})).scopes;
    for (const scopes of [[], ['a'], ['a', 'b']]) expect(scoped(scopes)).to.deep.equal(scopes);
  });

  it('tells that the object is going, is owned, or belongs to another one', () => {
    const of = (kind: Kind, metadata: object, isOwner = false) =>
      extractor(kind, isOwner)(object(kind, { tree: 'oak', size: 1 }, metadata));
    expect(of(CHEST, { deletionTimestamp: '2026-01-01T00:00:00Z' })).to.include({
      isTerminating: true,
      isOwned: false,
    });
    expect(of(CHEST, { ownerReferences: [] })).to.include({ isTerminating: false, isOwned: true });
    expect(of(LEAF, { annotations: { home: 'oak one' } }).owner).to.deep.equal({ name: 'oak', uid: 'one' });
    expect([of(CHEST, {}, true).uid, of(CHEST, {}, false).uid]).to.deep.equal(['as-uid', undefined]);
  });

  it('has the actions that reading it takes, and the object that it is about', () => {
    const permissions = {
      ...CHEST.permissions,
      actionsOf: () => ({ get: ['secrets:open'], create: [], update: [], delete: [] }),
      about: { resource: 'lamps.house.svc.app', name: () => 'desk' },
    };
    const attributes = extractor(
      { ...CHEST, summary: () => ({ short: 1 }), permissions } as Kind,
      false,
    )(object(CHEST, {}));
    expect(attributes).to.include({ about: 'desk' });
    expect([attributes.reading, attributes.summary]).to.deep.equal([['secrets:open'], { short: 1 }]);
    // Another object of the kind may be read as the kind says.
    const usual = { ...CHEST, permissions: { ...CHEST.permissions, actionsOf: () => undefined } } as Kind;
    expect(extractor(usual, false)(object(CHEST, {})).reading).to.equal(undefined);
  });
});
