import { expect } from 'chai';
import { grantsOf } from '../../pkg/identity/authz/grants.js';
import type { Entry } from '../../storage/state/entry.js';
import type { Reader } from '../read/reader.js';
import { scopeHierarchy } from './scope-hierarchy.js';
import { KINDS, TOY } from './testing/boxes.js';
import { granted, READER } from './testing/decisions.js';
import { withMemory } from './verdicts.js';

const hierarchy = scopeHierarchy(TOY, new Map(KINDS.map((kind) => [kind.qualified, kind])));

/** The entries of the toys as they are in a file, as a group. */
function groupedToys(): readonly Entry[] {
  const toys = [...READER.inNamespace(TOY.qualified, 'default')];
  return toys.map((one, number) => Object.create(one, { group: { value: toys }, number: { value: number } }));
}

/** What a list of a caller with these permissions decides anew. */
function decidedAnew(toys: readonly Entry[], permissions: readonly string[], reader: Reader = READER): number {
  const question = { hierarchy, grants: grantsOf(granted(permissions)), actions: ['toys:read'], namespace: 'default' };
  let decided = 0;
  const allows = withMemory(question, reader, () => {
    decided++;
    return true;
  });
  for (const toy of toys) expect(allows(toy)).to.equal(true);
  return decided;
}

describe('what was decided about the entries of a file', () => {
  it('is remembered once for all callers who have only the same permissions of a basic role', () => {
    const toys = groupedToys();
    expect(decidedAnew(toys, ['toys:read toys:* basic'])).to.equal(toys.length);
    expect(decidedAnew(toys, ['toys:read toys:* basic'])).to.equal(0);
  });

  it('is what was decided', () => {
    const toys = groupedToys();
    const question = { hierarchy, grants: grantsOf([]), actions: ['toys:read'], namespace: 'default' };
    const refused = () => toys.map(withMemory(question, READER, () => false));
    expect([refused(), refused()]).to.deep.equal([toys.map(() => false), toys.map(() => false)]);
  });

  it('is not used for callers with others', () => {
    const toys = groupedToys();
    for (const own of [
      ['toys:read toys:* basic'],
      ['toys:read boxes:* basic'],
      ['toys:read * basic'],
      [],
      ['toys:read toys:uid:bear'],
      ['toys:read toys:uid:bear'],
    ])
      expect(decidedAnew(toys, own), own.join()).to.equal(toys.length);
  });

  it('is not used while the reader reads another state than at first', () => {
    const toys = groupedToys();
    let moment = {};
    const reader: Reader = Object.create(READER, { moment: { get: () => moment } });
    const question = { hierarchy, grants: grantsOf([]), actions: ['toys:read'], namespace: 'default' };
    const allowed: Entry[] = [];
    const allows = withMemory(question, reader, (entry) => allowed.push(entry) > 0);
    moment = {};
    for (const toy of [...toys, ...toys]) allows(toy);
    expect(allowed).to.have.length(2 * toys.length);
  });
});
