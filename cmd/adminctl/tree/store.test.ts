import { expect } from 'chai';
import type { Located } from '../gitops/documents.js';
import { partsOf } from './store.js';

describe('the parts of an import', () => {
  const object = (kind: string, name: string): Located => ({
    manifest: { apiVersion: 'v1', kind, metadata: { name } },
    origin: name,
  });
  const shown = (...args: Parameters<typeof partsOf>): readonly string[] =>
    partsOf(...args).map(({ applySet, objects }) => [applySet, ...objects.map(({ origin }) => origin)].join(' '));
  const objects = [object('Team', 't'), object('Folder', 'f'), object('Dashboard', 'd'), object('Dashboard', 'e')];

  it('are one, as long as the objects fit into one request and one set', () => {
    expect(shown(objects, 'import')).to.deep.equal(['import t f d e']);
    expect(shown([], 'import')).to.deep.equal([]);
  });

  it('are in the order of the objects, and each fits into a request, unless one object is larger', () => {
    const size = Buffer.byteLength(JSON.stringify(objects[0]?.manifest));
    expect(shown(objects, 'import', { bytes: 2 * size + 10, members: 9 })).to.deep.equal(['import t f', 'import d e']);
    expect(shown(objects, 'import', { bytes: 1, members: 9 })).to.have.length(4);
  });

  it('are in sets by kind if one set would have too many members, and an object is always in the same', () => {
    const limits = { bytes: 2 ** 20, members: 3 };
    const all = shown(objects, 'import', limits);
    expect(all.slice(0, 2)).to.deep.equal(['import-teams t', 'import-folders f']);
    expect(all.slice(2).join()).to.match(/^import-dashboards-[0-7] d.*e$/);
    const fewer = shown(objects.slice(1).concat(object('Dashboard', 'g')), 'import', limits);
    for (const part of all.slice(2)) expect(fewer.join()).to.contain(part);
  });
});
