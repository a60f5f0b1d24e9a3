import { expect } from 'chai';
import { withDistinctOwners } from './owners.js';

const owner = (uid: string, more = {}) => ({ apiVersion: 'v1', kind: 'X', name: 'n', uid, ...more });

describe('withDistinctOwners', () => {
  it('leaves out an owner that is there a second time, and names its uid', () => {
    const { metadata, repeated } = withDistinctOwners({
      name: 'a',
      ownerReferences: [owner('u'), owner('v'), owner('u'), owner('u')],
    });
    expect(metadata).to.deep.equal({ name: 'a', ownerReferences: [owner('u'), owner('v')] });
    expect(repeated).to.deep.equal(['u', 'u']);
  });

  it('keeps entries of one uid that differ, and changes nothing where there is nothing to do', () => {
    for (const ownerReferences of [undefined, [], [owner('u')], [owner('u'), owner('u', { controller: true })]]) {
      const metadata = ownerReferences === undefined ? {} : { ownerReferences };
      expect(withDistinctOwners(metadata)).to.deep.equal({ metadata, repeated: [] });
      expect(withDistinctOwners(metadata).metadata).to.equal(metadata);
    }
  });
});
