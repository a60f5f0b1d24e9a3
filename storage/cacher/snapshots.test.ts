import { expect } from 'chai';
import { ResourceState } from '../resource-state.js';
import { Snapshots } from './snapshots.js';

/** Not 0, which means "no time" to lru-cache. */
const START = Date.UTC(2026, 0, 1);
const AT_START = { position: 0, mark: 0 };
const FIVE_MINUTES = 5 * 60 * 1000;

describe('Snapshots', () => {
  it('finds a state by resource and revision', () => {
    const snapshots = new Snapshots(() => START);
    const [a, b] = [new ResourceState(), new ResourceState()];
    snapshots.keep({ resource: 'a', revision: 1, state: a, ...AT_START });
    snapshots.keep({ resource: 'b', revision: 1, state: b, ...AT_START });
    expect(snapshots.find('a', 1)).to.equal(a);
    expect(snapshots.find('b', 1)).to.equal(b);
    expect(snapshots.find('a', 2)).to.equal(undefined);
  });

  it('forgets a state five minutes after it was last kept', () => {
    let now = START;
    const snapshots = new Snapshots(() => now);
    const state = new ResourceState();
    snapshots.keep({ resource: 'a', revision: 1, state: state, ...AT_START });
    now = FIVE_MINUTES - 1;
    expect(snapshots.find('a', 1)).to.equal(state);
    snapshots.keep({ resource: 'a', revision: 1, state: state, ...AT_START });
    now += FIVE_MINUTES - 1;
    expect(snapshots.find('a', 1)).to.equal(state);
    now += 2;
    expect(snapshots.find('a', 1)).to.equal(undefined);
  });

  it('keeps the newest 64', () => {
    const snapshots = new Snapshots(() => START);
    for (let revision = 1; revision <= 70; revision++)
      snapshots.keep({ resource: 'a', revision: revision, state: new ResourceState(), ...AT_START });
    const found = Array.from({ length: 70 }, (_, i) => snapshots.find('a', i + 1) !== undefined);
    expect(found.indexOf(true)).to.equal(6);
    expect(found.filter(Boolean)).to.have.length(64);
  });

  it('lists those of all resources or of one, without those that are too old or forgotten', () => {
    let now = START;
    const snapshots = new Snapshots(() => now);
    const keep = (resource: string, revision: number) => {
      const snapshot = { resource, revision, state: new ResourceState(), ...AT_START };
      snapshots.keep(snapshot);
      return snapshot;
    };
    const listed = () =>
      snapshots
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
    expect(snapshots.of('a').map(({ revision }) => revision)).to.deep.equal([2]);
    snapshots.forget(forgotten);
    expect(listed()).to.deep.equal(['a2']);
    expect(snapshots.find('b', 1)).to.equal(undefined);
  });
});
