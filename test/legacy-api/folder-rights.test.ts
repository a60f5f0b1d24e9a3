import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { oneStore } from '../harness/stores.js';
import { guardedFolders } from './guarded-folders.js';
import { type Json, legacyOf } from './legacy.js';

oneStore('folder permissions in the legacy API restrict callers', (server) => {
  const { ask } = legacyOf(server);
  const { person, folder } = guardedFolders(server);
  const as = (info: UserInfo) => ({ user: info });

  it('a caller without permissions gets 403 and empty lists', async () => {
    const { info } = await person();
    const uid = await folder();
    const denied = await ask(403, 'GET', `/folders/${uid}`, undefined, as(info));
    expect(denied).to.have.all.keys('accessErrorId', 'title', 'message', 'details');
    expect(denied.message).to.match(/Permissions needed: folders:read$/);
    const listed = await ask(200, 'GET', '/folders', undefined, as(info));
    expect(listed).to.deep.equal([]);
    const creating = await ask(403, 'POST', '/folders', { title: 'x' }, as(info));
    expect(creating.message).to.match(/Permissions needed: folders:create/);
  });

  it('a viewer of one folder can view it, but neither its siblings nor the titles of its parents', async () => {
    const { id: userId, info } = await person();
    const outer = await folder();
    const [inner, sibling] = [await folder({ parentUid: outer }), await folder({ parentUid: outer })];
    await ask(200, 'POST', `/folders/${inner}/permissions`, { items: [{ userId, permission: 1 }] });
    const body = await ask(200, 'GET', `/folders/${inner}`, undefined, as(info));
    expect(body).to.include({ canSave: false, canEdit: false, canAdmin: false, canDelete: false });
    expect(body.parents).to.deep.equal([{ uid: 'redacted', title: 'redacted' }]);
    await ask(403, 'GET', `/folders/${sibling}`, undefined, as(info));
    await ask(403, 'PUT', `/folders/${inner}`, { title: 'x', overwrite: true }, as(info));
    await ask(403, 'DELETE', `/folders/${inner}`, undefined, as(info));
    await ask(403, 'GET', `/folders/${inner}/permissions`, undefined, as(info));
    await ask(403, 'POST', `/folders/${inner}/permissions`, { items: [] }, as(info));
    const found = await ask(200, 'GET', '/search', undefined, as(info));
    expect(found.map(({ uid }: Json) => uid)).to.deep.equal([inner]);
    expect(found[0]).not.to.have.property('folderTitle');
  });

  // Promise: specification 4.2
  it('pages contain only folders that the caller may view, and are filled up', async () => {
    const { id: userId, info } = await person();
    const outer = await folder();
    const uids: string[] = [];
    for (const title of ['a', 'b', 'c', 'd', 'e']) uids.push(await folder({ parentUid: outer, title }));
    await ask(200, 'POST', `/folders/${outer}/permissions`, { items: [{ userId, permission: 1 }] });
    for (const uid of [uids[1], uids[4]])
      await ask(200, 'POST', `/folders/${uid}/permissions`, { items: [{ userId, permission: 2 }] });
    const page = async (query: string) =>
      (await ask(200, 'GET', `/folders?parentUid=${outer}&${query}`, undefined, as(info))).map(({ uid }: Json) => uid);
    expect(await page('limit=2&page=2')).to.deep.equal(uids.slice(2, 4));
    expect(await page('permission=Edit&limit=1&page=2')).to.deep.equal([uids[4]]);
    expect(await page('permission=Edit&limit=1&page=3')).to.deep.equal([]);
    const found = await ask(200, 'GET', '/search?limit=2&page=2', undefined, as(info));
    expect(found.map(({ title }: Json) => title)).to.deep.equal(['c', 'd']);
  });

  // Promise: specification 5
  it('an editor of one folder can change it and create in it, but not create elsewhere or move there', async () => {
    const { id: userId, info } = await person();
    const [own, other] = [await folder(), await folder()];
    await ask(200, 'POST', `/folders/${own}/permissions`, { items: [{ userId, permission: 2 }] });
    await ask(200, 'PUT', `/folders/${own}`, { title: 'theirs', overwrite: true }, as(info));
    const child = await ask(200, 'POST', '/folders', { title: 'child', parentUid: own }, as(info));
    expect(child).to.include({ canSave: true, canAdmin: false });
    const elsewhere = await ask(403, 'POST', '/folders', { title: 'x', parentUid: other }, as(info));
    expect(elsewhere.messageId).to.equal('folders.forbiddenCreation');
    const atRoot = await ask(403, 'POST', '/folders', { title: 'x' }, as(info));
    expect(atRoot.messageId).to.equal('folders.forbiddenCreation');
    const moving = await ask(403, 'POST', `/folders/${child.uid}/move`, { parentUid: other }, as(info));
    expect(moving.messageId).to.equal('folders.forbiddenMove');
    const editable = await ask(200, 'GET', `/folders?parentUid=${own}&permission=Edit`, undefined, as(info));
    expect(editable.map(({ uid }: Json) => uid)).to.deep.equal([child.uid]);
  });
});
