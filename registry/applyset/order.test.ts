import { expect } from 'chai';
import { inOrder, type Node } from './order.js';

/** Nodes by name, each with the names of those before it. */
function run(before: Readonly<Record<string, readonly string[]>>): { readonly order: string; readonly steps: number } {
  const order: string[] = [];
  const nodes = new Map<string, Step>();
  interface Step extends Node<Step> {}
  for (const [name, others] of Object.entries(before)) {
    nodes.set(name, {
      before: () => others.map((one) => nodes.get(one) as Step),
      run: () => void order.push(name),
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
