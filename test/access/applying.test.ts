import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { oneStore } from '../harness/stores.js';
import { addFolder, addPeople, CALLERS, FOLDERS, folderBody } from './people.js';

oneStore('permissions to apply', (server) => {
  before(() => addPeople(server()));

  const apply = async (user: UserInfo | undefined, name: string) => {
    const { status, text } = await server().call('PATCH', `${FOLDERS}/${name}`, {
      ...(user && { user }),
      body: folderBody(name),
      headers: { 'content-type': 'application/apply-patch+yaml' },
      query: { fieldManager: 'tests', force: true },
    });
    return [status, text.replaceAll(name, '{name}')];
  };

  it('do not tell callers without them which hidden objects exist', async () => {
    await addFolder(server(), 'hidden');
    for (const caller of ['member', 'outsider']) {
      const existing = await apply(CALLERS[caller], 'hidden');
      expect(existing[0], caller).to.equal(403);
      expect(existing, caller).to.deep.equal(await apply(CALLERS[caller], 'absent'));
    }
  });

  it('are those of the update for callers who may view the object', async () => {
    await addFolder(server(), 'seen');
    const [status, text] = await apply(CALLERS['viewer'], 'seen');
    expect(status).to.equal(403);
    expect(text).to.contain('folders:write');
  });
});
