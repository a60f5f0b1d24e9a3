import { expect } from 'chai';
import { bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { type Json, legacyOf } from '../legacy-api/legacy.js';
import { folder, foldersOf, PARENT, parentOf } from '../resource-api/folders.js';
import { turn } from './switches.js';

oneStore('the switch features.nested_folders', (server) => {
  const folders = foldersOf(server);
  const { ask, refused } = legacyOf(server);
  beforeEach(() => turn(server(), 'nestedFolders', true));

  const nested = async () => {
    const [outer, inner] = [freshName('outer'), freshName('inner')];
    await folders.make(outer);
    await folders.make(inner, { parent: outer });
    return { outer, inner };
  };
  const uids = (list: Json): readonly string[] => list.map(({ uid }: Json) => uid);

  it('is told by the frontend settings', async () => {
    for (const isOn of [true, false]) {
      await turn(server(), 'nestedFolders', isOn);
      expect((await ask(200, 'GET', '/frontend/settings')).featureToggles.nestedFolders).to.equal(isOn);
    }
  });

  it('on: the list has the folders of one parent, and folders show and change their parent', async () => {
    const { outer, inner } = await nested();
    expect(uids(await ask(200, 'GET', '/folders')))
      .to.include(outer)
      .and.not.include(inner);
    expect(uids(await ask(200, 'GET', `/folders?parentUid=${outer}`))).to.deep.equal([inner]);
    expect((await ask(200, 'GET', `/folders/${inner}`)).parentUid).to.equal(outer);
    await ask(200, 'POST', `/folders/${inner}/move`, {});
    expect(parentOf(await folders.read(inner))).to.equal(undefined);
  });

  // Promise: specification 1
  it('off: all folders are in one list, show no parents, and there is no route to move them', async () => {
    const { outer, inner } = await nested();
    await turn(server(), 'nestedFolders', false);
    for (const query of ['', '?parentUid=', '?parentUid=general'])
      expect(uids(await ask(200, 'GET', `/folders${query}`))).to.include.members([outer, inner]);
    expect(await ask(200, 'GET', `/folders/${inner}`)).to.not.have.any.keys('parentUid', 'parents');
    await refused(404, { message: 'Not found' }, 'POST', `/folders/${inner}/move`, {});
  });

  // Promise: specification 4.2
  it('off: a list of the folders in a folder is refused, because the list of all is longer', async () => {
    const { outer } = await nested();
    await turn(server(), 'nestedFolders', false);
    const message = 'parentUid: nested folders are disabled on this server (features.nested_folders)';
    for (const parent of [outer, 'nowhere'])
      for (const more of ['', '&permission=Edit', '&limit=1'])
        await refused(400, { message }, 'GET', `/folders?parentUid=${parent}${more}`);
  });

  // Promise: specification 1
  it('off: no folder gets a parent through either API', async () => {
    const { outer } = await nested();
    const other = freshName('other');
    await folders.make(other);
    await turn(server(), 'nestedFolders', false);
    const says = 'nested folders are disabled on this server';
    await changingNothing(server(), async () => {
      for (const answer of [
        await folders.create(folder(freshName(), { parent: outer })),
        await folders.move(other, outer),
        await folders.put(other, folder(other, { parent: outer })),
      ])
        expectStatus(answer, 400, 'Invalid', says);
      const { message } = await ask(400, 'POST', '/folders', { title: 'x', parentUid: outer });
      expect(message).to.contain(says);
    });
  });

  it('off: the stored parents are kept, also when a folder is changed, and count again when it is on', async () => {
    const { outer, inner } = await nested();
    await turn(server(), 'nestedFolders', false);
    await ask(200, 'PUT', `/folders/${inner}`, { title: 'Renamed', overwrite: true });
    bodyOf(await folders.put(inner, folder(inner)), 200);
    const refusal = 'Folder cannot be deleted: folder is not empty';
    expectStatus(await folders.remove(outer), 400, 'BadRequest', refusal);
    await turn(server(), 'nestedFolders', true);
    expect((await folders.read(inner)).metadata.annotations?.[PARENT]).to.equal(outer);
    expect((await folders.remove(outer)).status).to.equal(200);
    expect((await folders.get(inner)).status).to.equal(404);
  });
});
