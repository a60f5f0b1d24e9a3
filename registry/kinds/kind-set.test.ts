import { expect } from 'chai';
import { z } from 'zod';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { Client } from '../client/client.js';
import { openRegistry } from '../testing/open-registry.js';
import { ROOT, START } from '../testing/served.js';
import { defineKind, type Kind } from './kind.js';
import type { KindSource } from './kind-set.js';
import { resourceDefinition } from './registry.js';

const ENVIRONMENT = { domain: 'svc.app' };

/** An object of this kind defines a kind: its name is `<plural>.<group>`. */
const PLAN: Kind = defineKind(ENVIRONMENT, {
  identity: {
    group: 'plan',
    version: 'v1',
    kind: 'Plan',
    resource: 'plans',
    singular: 'plan',
    scope: 'Cluster',
    description: 'A kind of a test.',
    spec: z.strictObject({ kind: z.string() }),
  },
  serving: { summary: ({ spec }) => JSON.stringify(spec) },
});

function kindOf(resource: string, kind = 'Thing'): Kind {
  const [plural = '', ...group] = resource.split('.');
  const named = { kind, resource: plural, singular: kind.toLowerCase(), group: group.join('.') };
  return defineKind(ENVIRONMENT, {
    identity: { ...named, version: 'v1', scope: 'Cluster', description: '' },
    versions: { definedBy: resource },
  });
}

const SOURCE: KindSource = {
  resource: PLAN.qualified,
  kindsOf: ({ metadata, spec }: KubeObject) => {
    const { kind } = spec as { readonly kind: string };
    if (kind === 'Broken') throw new Error('this kind cannot be made');
    return [kindOf(metadata.name, kind)];
  },
  plain: (resource) => resourceDefinition(kindOf(resource)),
};

describe('the kinds of a state', () => {
  const opened = async () => {
    const resolved = { grants: () => new Map() as never, isMember: () => true, isCurrent: () => true };
    const grants = { resolve: () => resolved };
    const { registry, close } = await openRegistry([PLAN], { now: () => START, grants, source: SOURCE, own: {} });
    const plans = new Client(registry, { user: ROOT }).objects<{ readonly kind: string }>(PLAN);
    const named = (): readonly string[] => registry.kinds.map(({ kind }) => kind);
    return { registry, plans, named, close };
  };

  it('are those that are compiled in and those that its objects define', async () => {
    const { plans, named, close } = await opened();
    expect(named()).to.deep.equal(['Plan']);
    await plans.create({ metadata: { name: 'things.example.com' }, spec: { kind: 'Thing' } });
    expect(named()).to.deep.equal(['Plan', 'Thing']);
    await plans.delete('things.example.com');
    expect(named()).to.deep.equal(['Plan']);
    await close();
  });

  it('are the same objects as long as what defines them is the same', async () => {
    const { registry, plans, close } = await opened();
    await plans.create({ metadata: { name: 'things.example.com' }, spec: { kind: 'Thing' } });
    const [, thing] = registry.kinds;
    await plans.create({ metadata: { name: 'others.example.com' }, spec: { kind: 'Other' } });
    expect(registry.kinds).to.include(thing);
    const all = registry.kinds;
    await plans.update('things.example.com', (old) => ({ ...old, metadata: { ...old.metadata, labels: { a: 'b' } } }));
    expect(registry.kinds).to.equal(all);
    await plans.update('things.example.com', (old) => ({ ...old, spec: { kind: 'Changed' } }));
    expect(registry.hasKind(thing as Kind, registry.cacher)).to.equal(false);
    await close();
  });

  it('leave out what cannot be made, and keep all others', async () => {
    const { plans, named, close } = await opened();
    await plans.create({ metadata: { name: 'brokens.example.com' }, spec: { kind: 'Broken' } });
    await plans.create({ metadata: { name: 'things.example.com' }, spec: { kind: 'Thing' } });
    expect(named()).to.deep.equal(['Plan', 'Thing']);
    await close();
  });
});
