import { expect } from 'chai';
import { z } from 'zod';
import type { KindStorage } from './definition/storage.js';
import type { KindVersions } from './definition/versions.js';
import { defineKind, type Kind } from './kind.js';

const ENVIRONMENT = {
  domain: 'svc.app',
  features: { nestedFolders: true, alerting: true, queryHistory: true, maxFolderDepth: 4 },
};

function kindOf(storage: KindStorage, scope: Kind['scope'] = 'Namespaced', versions: KindVersions = {}): Kind {
  return defineKind(ENVIRONMENT, {
    identity: {
      group: 'rule',
      version: 'v1',
      kind: 'Rule',
      resource: 'rules',
      singular: 'rule',
      scope,
      description: 'Rule.',
      spec: z.strictObject({}),
    },
    storage,
    versions,
  });
}

describe('a kind with history or trash', () => {
  it('is stored and in namespaces', () => {
    const conversion = { storageKind: 'logs.rule.svc.app', convert: (object: never) => object };
    for (const [scope, versions] of [
      ['Cluster', {}],
      ['Namespaced', { conversion }],
    ] as const) {
      expect(() => kindOf({ history: {} }, scope, versions)).to.throw('Rule cannot have history or trash');
      expect(() => kindOf({ trash: true }, scope, versions)).to.throw('Rule cannot have history or trash');
    }
    const { subresources } = kindOf({ history: {}, trash: true });
    expect(subresources.map(({ name }) => name)).to.deep.equal(['history', 'restore']);
  });
});
