import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import {
  account,
  addFolder,
  addPeople,
  addPerson,
  addRole,
  bind,
  FOLDERS,
  folderBody,
  person,
} from '../access/people.js';
import { writesOf } from '../access/writes.js';
import { oneStore } from '../harness/stores.js';

const MERGE = { 'content-type': 'application/merge-patch+json' };
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
const PREFERENCES = '/apis/preferences.svc.app/v1beta1/namespaces/default/preferences';
const HOLD = ['example.com/hold'];

oneStore('Finalizers and owners', (server) => {
  const { refused, inLegacy } = writesOf(server);
  const vera = person('vera');
  const own = `${PREFERENCES}/user-vera`;
  const preferences = (metadata: object, name = 'user-vera') => ({
    apiVersion: 'preferences.svc.app/v1beta1',
    kind: 'Preferences',
    metadata: { name, ...metadata },
    spec: { theme: 'dark' },
  });
  const merge = (path: string, body: object, user?: UserInfo, query = {}) =>
    server().call('PATCH', path, { headers: MERGE, body, query, ...(user && { user }) });
  const statusOf = async (path: string) => (await server().call('GET', path)).status;
  const reference = async (name: string) => {
    const { uid } = (await server().call('GET', `${FOLDERS}/${name}`)).json().metadata;
    return { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', name, uid };
  };
  const refusedAsOwn = async (tried: Parameters<typeof refused>[0]): Promise<void> => {
    const { text } = await refused(tried);
    expect(text).to.include('only because it is their own').and.include('metadata.finalizers');
  };

  before(async () => {
    await addPeople(server());
    await addFolder(server(), 'adams');
  });

  describe('of an object that its writer may write only because it is their own', () => {
    // Promise: contract 5.9, security rights
    it('cannot be set, by any way to write', async () => {
      const owners = [await reference('adams')];
      for (const metadata of [{ finalizers: HOLD }, { ownerReferences: owners }]) {
        await refusedAsOwn(() => server().call('POST', PREFERENCES, { user: vera, body: preferences(metadata) }));
      }
      expect((await server().call('POST', PREFERENCES, { user: vera, body: preferences({}) })).status).to.equal(201);
      for (const metadata of [{ finalizers: HOLD }, { ownerReferences: owners }]) {
        await refusedAsOwn(() => merge(own, { metadata }, vera));
        await refusedAsOwn(() => merge(own, { metadata }, vera, { dryRun: 'All' }));
        await refusedAsOwn(() => server().call('PUT', own, { user: vera, body: preferences(metadata) }));
        const [[field, value] = []] = Object.entries(metadata);
        const body = [{ op: 'add', path: `/metadata/${field}`, value }];
        await refusedAsOwn(() => server().call('PATCH', own, { user: vera, headers: JSON_PATCH, body }));
      }
    });

    // Promise: contract 5.9
    it('cannot be removed, and pass unchanged, through either API', async () => {
      expect((await merge(own, { metadata: { finalizers: HOLD } })).status).to.equal(200);
      await refusedAsOwn(() => merge(own, { metadata: { finalizers: null } }, vera));
      await refusedAsOwn(() => merge(own, { metadata: { finalizers: [...HOLD, 'example.com/more'] } }, vera));
      const same = await merge(own, { metadata: { finalizers: HOLD }, spec: { theme: 'light' } }, vera);
      expect(same.status, same.text).to.equal(200);
      const legacy = await inLegacy(vera, 'PUT', '/user/preferences', { theme: 'dark' });
      expect(legacy.status, legacy.text).to.equal(200);
      const { metadata } = (await server().call('GET', own)).json();
      expect(metadata.finalizers).to.deep.equal(HOLD);
    });

    it('can be changed by callers with the permission to write it', async () => {
      expect((await merge(own, { metadata: { finalizers: null } })).status).to.equal(200);
      await addPerson(server(), 'keeper', 'Viewer');
      await addRole(server(), 'keeper', [{ action: 'users:write', scope: 'users:*' }]);
      await bind(server(), 'keeper', { subject: ['User', 'keeper'], role: ['Role', 'keeper'] });
      const keeper = person('keeper');
      const body = preferences({ finalizers: HOLD }, 'user-keeper');
      expect((await server().call('POST', PREFERENCES, { user: keeper, body })).status).to.equal(201);
      expect((await merge(own, { metadata: { finalizers: HOLD } }, keeper)).status).to.equal(200);
      expect((await merge(own, { metadata: { finalizers: null } }, keeper)).status).to.equal(200);
    });
  });

  describe('of an object that its writer may write', () => {
    const edna = person('edna');
    const ACTIONS = ['folders:read', 'folders:write', 'folders:delete', 'folders:create'];
    before(async () => {
      await addPerson(server(), 'edna', 'None');
      await addFolder(server(), 'ednas');
      await addRole(
        server(),
        'edna',
        ACTIONS.map((action) => ({ action, scope: 'folders:uid:ednas' })),
      );
      await bind(server(), 'edna', { subject: ['User', 'edna'], role: ['Role', 'edna'] });
    });
    const owned = (name: string, owner: object) => {
      const body = folderBody(name, 'ednas') as { readonly metadata: object };
      return { ...body, metadata: { ...body.metadata, ownerReferences: [owner], finalizers: HOLD } };
    };

    const blocking = async (name: string) => ({ ...(await reference(name)), blockOwnerDeletion: true });

    // Promise: contract 5.9
    it('cannot block the deletion of an owner that the writer may not update, whether it exists or not', async () => {
      const other = await blocking('adams');
      const missing = { ...other, name: 'nothing' };
      for (const owner of [
        other,
        { ...other, uid: 'another' },
        missing,
        { ...other, apiVersion: 'folder.svc.app/v9' },
      ]) {
        const { text } = await refused(() => server().call('POST', FOLDERS, { user: edna, body: owned('x', owner) }));
        expect(text).to.include('blockOwnerDeletion');
        await refused(() => merge(`${FOLDERS}/ednas`, { metadata: { ownerReferences: [owner] } }, edna));
      }
    });

    it('cannot block it later either, by another name or by a reference that did not block', async () => {
      const [free, own] = [await reference('adams'), await blocking('ednas')];
      await addFolder(server(), 'w', 'ednas');
      const path = `${FOLDERS}/w`;
      const named = await merge(path, { metadata: { ownerReferences: [free, own] } }, edna);
      expect(named.status, named.text).to.equal(200);
      await refused(() =>
        merge(path, { metadata: { ownerReferences: [{ ...free, blockOwnerDeletion: true }, own] } }, edna),
      );
      await refused(() => merge(path, { metadata: { ownerReferences: [free, { ...own, name: 'adams' }] } }, edna));
    });

    it('can name any owner that it does not block, and keep one that another has let it block', async () => {
      const answer = await server().call('POST', FOLDERS, { user: edna, body: owned('y', await blocking('ednas')) });
      expect(answer.status, answer.text).to.equal(201);
      await addFolder(server(), 'z', 'ednas');
      const ownerReferences = [await blocking('adams')];
      expect((await merge(`${FOLDERS}/z`, { metadata: { ownerReferences } })).status).to.equal(200);
      const kept = await merge(`${FOLDERS}/z`, { metadata: { ownerReferences, labels: { a: 'b' } } }, edna);
      expect(kept.status, kept.text).to.equal(200);
      expect((await merge(`${FOLDERS}/z`, { metadata: { ownerReferences: null } }, edna)).status).to.equal(200);
    });

    // Promise: contract 5.9, security rights
    it('can be set only by callers who may delete the object', async () => {
      await addFolder(server(), 'kept');
      const path = `${FOLDERS}/kept`;
      const scope = 'folders:uid:kept';
      await addRole(server(), 'writes-only', [
        { action: 'folders:read', scope },
        { action: 'folders:write', scope },
      ]);
      await bind(server(), 'writes', { subject: ['ServiceAccount', 'robot'], role: ['Role', 'writes-only'] });
      const user = account('robot');
      const owner = await reference('adams');
      expect((await merge(path, { metadata: { annotations: { a: 'b' } } }, user)).status).to.equal(200);
      const { text } = await refused(() => merge(path, { metadata: { ownerReferences: [owner] } }, user));
      expect(text).to.include('cannot delete');
    });

    it('do not block the deletion of an object by its uid alone, under another kind or name', async () => {
      for (const [index, wrong] of [{ name: 'ednas' }, { apiVersion: 'apps/v1', kind: 'Deployment' }].entries()) {
        const victim = `${FOLDERS}/victim-${index}`;
        await addFolder(server(), `victim-${index}`);
        const owner = { ...(await blocking(`victim-${index}`)), ...wrong };
        const body = owned(`holder-${index}`, owner);
        const answer = await server().call('POST', FOLDERS, { user: edna, body });
        expect(answer.status, answer.text).to.equal(201);
        const deleted = await server().call('DELETE', victim, { query: { propagationPolicy: 'Foreground' } });
        expect(deleted.status, deleted.text).to.equal(200);
        expect(await statusOf(victim)).to.equal(404);
      }
    });
  });
});
