import { expect } from 'chai';
import { z } from 'zod';
import { defineKind, type Kind, type KindDefinition } from './kind.js';
import { checkKinds } from './kind-rules.js';

const ENVIRONMENT = {
  domain: 'svc.app',
  features: { nestedFolders: true, alerting: true, queryHistory: true, maxFolderDepth: 4 },
};

function kindOf(more: Partial<KindDefinition>): Kind {
  return defineKind(ENVIRONMENT, {
    group: 'rule',
    version: 'v1',
    kind: 'Rule',
    resource: 'rules',
    singular: 'rule',
    scope: 'Namespaced',
    description: 'Rule.',
    spec: z.strictObject({}),
    ...more,
  });
}

const LOG = { kind: 'Log', resource: 'logs', cached: false };
const LOGS = 'logs.rule.svc.app';

describe('a kind that is not cached', () => {
  it('cannot have members that need a search in the commit', () => {
    const wrong: readonly Partial<KindDefinition>[] = [{ uniques: {} }, { nameOf: String }, { isNamespace: true }];
    for (const more of wrong) {
      const [name] = Object.keys(more);
      expect(() => kindOf({ ...LOG, ...more })).to.throw(`Log is not cached, so it cannot have ${name}`);
    }
    expect(kindOf({ ...LOG, internalId: true, indexers: {} }).cached).to.equal(false);
  });

  it('can count the tuples of its own indexes', () => {
    const indexers = { byTag: () => [] };
    expect(kindOf({ ...LOG, indexers, counted: { byTag: 2 } }).counted).to.deep.equal({ byTag: 2 });
    expect(kindOf({ ...LOG, indexers, counted: { byTag: 1 } }).counted).to.deep.equal({ byTag: 1 });
    expect(() => kindOf({ ...LOG, indexers, counted: { byDay: 1 } })).to.throw('Log has no index byDay');
    expect(() => kindOf({ ...LOG, indexers, counted: { byTag: 0 } })).to.throw('Log must count byTag by at least one');
  });

  it('alone can have members that are about the store', () => {
    const wrong: readonly Partial<KindDefinition>[] = [
      { indexers: { byTag: () => [] }, counted: { byTag: 1 } },
      { dependsOn: { resource: 'folders.folder.svc.app', owner: () => undefined } },
      { expiry: { since: () => undefined, lasts: 1 } },
    ];
    for (const more of wrong) expect(() => kindOf(more)).to.throw(`Rule is cached, so it cannot have`);
  });

  it('cannot contain objects, and no cached kind can be converted from it', () => {
    const log = kindOf(LOG);
    const containment = { resource: LOGS, container: () => undefined, field: 'spec' };
    expect(() => checkKinds([log, kindOf({ containment })])).to.throw(`Rule cannot lie in ${LOGS}`);
    const conversion = { storageKind: LOGS, convert: (object: never) => object };
    expect(() => checkKinds([log, kindOf({ conversion })])).to.throw(`Rule must not be cached, because ${LOGS} is not`);
    checkKinds([log, kindOf({ conversion, cached: false })]);
    const dependsOn = { resource: LOGS, owner: () => undefined };
    expect(() => checkKinds([log, kindOf({ cached: false, dependsOn })])).to.throw(`Rule cannot depend on ${LOGS}`);
    checkKinds([log, kindOf({})]);
    // What is cached may be related to what is cached.
    const rules = 'rules.rule.svc.app';
    checkKinds([log, kindOf({}), kindOf({ containment: { ...containment, resource: rules } })]);
    checkKinds([log, kindOf({}), kindOf({ conversion: { ...conversion, storageKind: rules } })]);
    checkKinds([kindOf({}), kindOf({ ...LOG, dependsOn: { ...dependsOn, resource: rules } })]);
  });
});

describe('a kind with history or trash', () => {
  it('is cached and in namespaces', () => {
    for (const more of [{ scope: 'Cluster' }, { cached: false }] as const) {
      expect(() => kindOf({ ...more, history: {} })).to.throw('Rule cannot have history or trash');
      expect(() => kindOf({ ...more, trash: true })).to.throw('Rule cannot have history or trash');
    }
    const { subresources } = kindOf({ history: {}, trash: true });
    expect(subresources.map(({ name }) => name)).to.deep.equal(['history', 'restore']);
  });
});
