import { expect } from 'chai';
import { libraryElementsIn } from './library-panels.js';

describe('the library elements in a dashboard', () => {
  it('are those of its panels and of the panels in its rows, each once', () => {
    const row = { type: 'row', panels: [{ libraryPanel: { uid: 'b' } }, { libraryPanel: { uid: 'a' } }] };
    const spec = { title: 'x', panels: [{ libraryPanel: { uid: 'a', name: 'A' } }, { id: 2 }, row] };
    expect(libraryElementsIn(spec)).to.have.members(['a', 'b']);
  });

  it('are none in values of any other form', () => {
    const uids = [null, 7, '', 'with space', 'x'.repeat(41), { uid: 'a' }];
    const specs = [
      undefined,
      null,
      {},
      { panels: 'a' },
      { panels: { libraryPanel: { uid: 'a' } } },
      { panels: [null, 1, [], { libraryPanel: 'a' }, { libraryPanel: null }] },
      { panels: uids.map((uid) => ({ libraryPanel: { uid } })) },
    ];
    for (const spec of specs) expect(libraryElementsIn(spec), JSON.stringify(spec)).to.deep.equal([]);
  });
});
