import { expect } from 'chai';
import { z } from 'zod';
import { defineKind, type Kind, type KindDefinition } from './kind.js';

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

describe('a kind with history or trash', () => {
  it('is stored and in namespaces', () => {
    const conversion = { storageKind: 'logs.rule.svc.app', convert: (object: never) => object };
    for (const more of [{ scope: 'Cluster' }, { conversion }] as const) {
      expect(() => kindOf({ ...more, history: {} })).to.throw('Rule cannot have history or trash');
      expect(() => kindOf({ ...more, trash: true })).to.throw('Rule cannot have history or trash');
    }
    const { subresources } = kindOf({ history: {}, trash: true });
    expect(subresources.map(({ name }) => name)).to.deep.equal(['history', 'restore']);
  });
});
