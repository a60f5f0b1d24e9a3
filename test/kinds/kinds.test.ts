import { expect } from 'chai';
import { kinds } from '../../apis/kinds.js';
import { EXAMPLES, examplesOf } from '../harness/kind-examples.js';
import { ENVIRONMENT } from '../harness/server.js';
import { kindSuite } from './kind-suite.js';

/**
 * The suite runs on every store for this kind only, because it does not depend on the kind what a store could break.
 */
const EVERYWHERE = 'Folder';

/**
 * The kinds for which `npm test` runs the parts about generic code: one with plain answers, one whose spec may have any
 * member, one with ids of the legacy API, and one without a namespace. All other runs have every part for every kind.
 */
const REPRESENTATIVE = ['Folder', 'Dashboard', 'Team', 'User'];
const areAllPairs = process.env['PAIRS'] !== 'representative';

/** Kinds without spec, and those whose objects are cleaned up before they are deleted, have their own tests. */
const served = kinds(ENVIRONMENT).filter(
  (kind) => kind.served && kind.verbs.includes('create') && kind.spec && kind.cleanup === undefined,
);

describe('examples for the conformance suite', () => {
  it('exist for exactly the served kinds that can be written', () => {
    const folders = [...EXAMPLES].filter(([, { examples }]) => examples !== undefined).map(([folder]) => folder);
    expect(folders).to.have.members(served.map(({ singular }) => singular));
  });
});

for (const kind of served) {
  const { examples } = examplesOf(kind);
  const runsGeneric = areAllPairs || REPRESENTATIVE.includes(kind.kind);
  if (examples !== undefined) kindSuite(kind, examples, { onEveryStore: kind.kind === EVERYWHERE, runsGeneric });
}
