import { expect } from 'chai';
import { ResourceState } from '../state/resource-state.js';
import { KeptStates } from './kept-states.js';

/** Not 0, which means "no time" to lru-cache. */
const START = Date.UTC(2026, 0, 1);
const AT_START = { position: 0, mark: 0 };
const FIVE_MINUTES = 5 * 60 * 1000;

describe('KeptStates', () => {
  it('finds a state by resource and revision', () => {
    const keptStates = new KeptStates(() => START);
    const [a, b] = [new ResourceState(), new ResourceState()];
    keptStates.keep({ resource: 'a', revision: 1, state: a, ...AT_START });
    keptStates.keep({ resource: 'b', revision: 1, state: b, ...AT_START });
    expect(keptStates.find('a', 1)).to.equal(a);
    expect(keptStates.find('b', 1)).to.equal(b);
    expect(keptStates.find('a', 2)).to.equal(undefined);
  });

  it('forgets a state five minutes after it was last kept', () => {
    let now = START;
    const keptStates = new KeptStates(() => now);
    const state = new ResourceState();
    keptStates.keep({ resource: 'a', revision: 1, state: state, ...AT_START });
    now = FIVE_MINUTES - 1;
    expect(keptStates.find('a', 1)).to.equal(state);
    keptStates.keep({ resource: 'a', revision: 1, state: state, ...AT_START });
    now += FIVE_MINUTES - 1;
    expect(keptStates.find('a', 1)).to.equal(state);
    now += 2;
    expect(keptStates.find('a', 1)).to.equal(undefined);
  });

  it('keeps the newest 64', () => {
    const keptStates = new KeptStates(() => START);
    for (let revision = 1; revision <= 70; revision++)
      keptStates.keep({ resource: 'a', revision: revision, state: new ResourceState(), ...AT_START });
    const found = Array.from({ length: 70 }, (_, i) => keptStates.find('a', i + 1) !== undefined);
    expect(found.indexOf(true)).to.equal(6);
    expect(found.filter(Boolean)).to.have.length(64);
  });

  it('lists those of all resources or of one, without those that are too old or forgotten', () => {
    let now = START;
    const keptStates = new KeptStates(() => now);
    const keep = (resource: string, revision: number) => {
      const keptState = { resource, revision, state: new ResourceState(), ...AT_START };
      keptStates.keep(keptState);
      return keptState;
    };
    const listed = () =>
      keptStates
        .all()
        .map(({ resource, revision }) => `${resource}${revision}`)
        .sort();
    expect(listed()).to.deep.equal([]);
    keep('a', 1);
    now += FIVE_MINUTES - 1;
    keep('a', 2);
    const forgotten = keep('b', 1);
    expect(listed()).to.deep.equal(['a1', 'a2', 'b1']);
    now += 2;
    expect(listed()).to.deep.equal(['a2', 'b1']);
    expect(keptStates.of('a').map(({ revision }) => revision)).to.deep.equal([2]);
    keptStates.forget(forgotten);
    expect(listed()).to.deep.equal(['a2']);
    expect(keptStates.find('b', 1)).to.equal(undefined);
  });
});
