import { expect } from 'chai';
import { keyOf } from '../../storage/key.js';
import { LABEL, objectOf } from '../authorization/testing/boxes.js';
import type { Registry } from '../kinds/registry.js';
import { PAGE, page, SHELF } from '../write/testing/pages.js';
import { inOrder, type Node, prerequisites } from './order.js';

const NO_STEPS: readonly undefined[] = [];

/** Nodes by name, each with the names of those before it. */
function run(before: Readonly<Record<string, readonly string[]>>): { readonly order: string; readonly steps: number } {
  const order: string[] = [];
  const nodes = new Map<string, Step>();
  interface Step extends Node<Step> {}
  for (const [name, others] of Object.entries(before)) {
    nodes.set(name, {
      *before() {
        yield* NO_STEPS;
        return others.map((one) => nodes.get(one) as Step);
      },
      *run() {
        yield* NO_STEPS;
        order.push(name);
      },
    });
  }
  const steps = [...inOrder([...nodes.values()])].length;
  return { order: order.join(' '), steps };
}

describe('things to do in order', () => {
  it('are done once each, after those before them, and otherwise as they come', () => {
    expect(run({ a: [], b: [], c: [] }).order).to.equal('a b c');
    expect(run({ a: ['c'], b: ['a'], c: [] }).order).to.equal('c a b');
    expect(run({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }).order).to.match(/^d .* a$/);
    expect(run({ a: ['b', 'b'], b: [] }).order).to.equal('b a');
  });

  it('are done in some order if they form a circle', () => {
    expect(run({ a: ['b'], b: ['a'] }).order.split(' ')).to.have.members(['a', 'b']);
    expect(run({ a: ['a'] }).order).to.equal('a');
  });

  it('let others run between two steps, also in a long chain', () => {
    const chain = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`n${i}`, i < 4999 ? [`n${i + 1}`] : []]));
    const { order, steps } = run(chain);
    expect(order.startsWith('n4999 n4998 ') && order.endsWith(' n1 n0')).to.equal(true);
    expect(steps).to.be.within(10_000, 20_000);
  });
});

describe('what must be there before an object', () => {
  const registry = { kinds: [PAGE, SHELF, LABEL] } as unknown as Registry;
  const of = (sent: ReturnType<typeof page>, namespace = 'default', more: Partial<Registry> = {}) =>
    prerequisites({ ...registry, ...more } as Registry, PAGE, namespace, sent);
  const at = (name: string) => keyOf(PAGE.qualified, 'default', name);

  it('is its container, and what it references', () => {
    expect(of(page('a'))).to.deep.equal([]);
    expect(of(page('a', { in: 'b', next: 'c' }))).to.deep.equal([at('b'), at('c')]);
    expect(of(page('a', { next: 'c' }))).to.deep.equal([at('c')]);
  });

  it('is its namespace, if there are such objects', () => {
    const first = keyOf(SHELF.qualified, '', 'default');
    expect(of(page('a', { in: 'b' }), 'default', { namespaces: SHELF })).to.deep.equal([first, at('b')]);
    expect(of(page('a'), '', { namespaces: SHELF })).to.deep.equal([]);
  });

  it('is what it is about, if its kind is known', () => {
    const label = objectOf(LABEL, 'l', { of: 'car' });
    expect(prerequisites(registry, LABEL, 'default', label)).to.deep.equal([]);
    const toys = { ...PAGE, qualified: 'toys.box.svc.app' };
    const known = { kinds: [LABEL, toys] } as unknown as Registry;
    expect(prerequisites(known, LABEL, 'default', label)).to.deep.equal([keyOf('toys.box.svc.app', 'default', 'car')]);
    expect(prerequisites(known, LABEL, 'default', objectOf(LABEL, 'l'))).to.deep.equal([]);
  });
});
