import { expect } from 'chai';
import fc from 'fast-check';
import { EMPTY, ResourceState } from './resource-state.js';
import { ResourceStates } from './state.js';

const NAMES = ['teams', 'folders', 'users', 'roles', 'sessions'];
const step = fc.record({ at: fc.nat(20), op: fc.constantFrom('set', 'set', 'copy'), name: fc.constantFrom(...NAMES) });

describe('ResourceStates', () => {
  it('are as plain maps, of which no copy sees what another one got after it was made', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const all = [{ states: ResourceStates.none(), expected: new Map<string, ResourceState>() }];
        for (const { at, op, name } of steps) {
          const one = all[at % all.length] ?? all[0];
          if (one === undefined) throw new Error('there is none');
          const state = new ResourceState();
          if (op === 'copy') all.push({ states: one.states.copy(), expected: new Map(one.expected) });
          else for (const into of [one.states, one.expected]) into.set(name, state);
        }
        for (const { states, expected } of all) {
          expect([...states.names()]).to.have.members([...expected.keys()]);
          for (const name of NAMES) expect(states.get(name)).to.equal(expected.get(name) ?? EMPTY);
        }
      }),
    );
  });
});
