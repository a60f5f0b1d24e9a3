import { expect } from 'chai';
import { create, FOLDERS_PATH, type Folder, namesOf, read, type Setup } from './setup.js';

const FINALIZERS = { metadata: { finalizers: ['example.org/wait'] } };
const RELEASE = ['--type=merge', '-p', '{"metadata":{"finalizers":null}}'];

export function deleting(setup: Setup): void {
  describe('deletes', () => {
    it('delete deletes an object once', async () => {
      await create(setup, 'd1');
      expect(await setup.kubectl.ok(['delete', 'folder', 'd1'])).to.contain('folder.folder.svc.app "d1" deleted');
      expect(await setup.kubectl.fails(['get', 'folder', 'd1'])).to.contain('NotFound');
      expect(await setup.kubectl.fails(['delete', 'folder', 'd1'])).to.contain('NotFound');
      expect(await setup.kubectl.ok(['delete', 'folder', 'd1', '--ignore-not-found'])).to.equal('');
    });

    it('delete also deletes the contents of a folder', async () => {
      await create(setup, 'd2');
      await create(setup, 'd2-in', { parent: 'd2' });
      await create(setup, 'd2-in-in', { parent: 'd2-in' });
      await setup.kubectl.ok(['delete', 'folder', 'd2']);
      for (const name of ['d2', 'd2-in', 'd2-in-in']) {
        expect(await setup.kubectl.fails(['get', 'folder', name])).to.contain('NotFound');
      }
    });

    // Promise: contract 5.8
    it('delete of a folder and its contents by name exits 0', async () => {
      await create(setup, 'tree');
      await create(setup, 'tree-in', { parent: 'tree' });
      await create(setup, 'tree-in-in', { parent: 'tree-in' });
      const said = await setup.kubectl.ok(['delete', 'folder', 'tree', 'tree-in', 'tree-in-in']);
      for (const name of ['tree', 'tree-in', 'tree-in-in']) expect(said).to.contain(`"${name}" deleted`);
    });

    // Promise: contract 5.8
    it('delete waits until the last finalizer is removed', async () => {
      await create(setup, 'd3', FINALIZERS);
      const deleting = await setup.kubectl.follow(['delete', 'folder', 'd3', '--wait']);
      await deleting.sees(/"d3" deleted/);
      expect((await read(setup, 'd3')).metadata.deletionTimestamp).to.be.a('string');
      expect(deleting.exitCode()).to.equal(undefined);
      await setup.kubectl.ok(['patch', 'folder', 'd3', ...RELEASE]);
      expect(await deleting.ended).to.equal(0);
      expect(await setup.kubectl.fails(['get', 'folder', 'd3'])).to.contain('NotFound');
    });

    it('delete --wait=false leaves a folder with finalizers terminating', async () => {
      await create(setup, 'd4', FINALIZERS);
      await setup.kubectl.ok(['delete', 'folder', 'd4', '--wait=false']);
      const { deletionTimestamp, finalizers } = (await read(setup, 'd4')).metadata;
      expect(deletionTimestamp).to.match(/Z$/);
      expect(finalizers).to.deep.equal(['example.org/wait']);
      await setup.kubectl.ok(['patch', 'folder', 'd4', ...RELEASE]);
      expect(await setup.kubectl.fails(['get', 'folder', 'd4'])).to.contain('NotFound');
    });

    // Promise: contract 5.9
    it('delete --cascade=foreground deletes the contents and ends', async () => {
      await create(setup, 'd5');
      await create(setup, 'd5-in', { parent: 'd5' });
      await setup.kubectl.ok(['delete', 'folder', 'd5', '--cascade=foreground']);
      expect(await setup.kubectl.fails(['get', 'folder', 'd5-in'])).to.contain('NotFound');
    });

    // Promise: contract 5.9
    it('delete --cascade=background, foreground and orphan do what they say to owned objects', async () => {
      const { kubectl } = setup;
      // Folders refuse orphan, because their contents cannot exist without them.
      const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', spec: {} };
      const owned = async (policy: string) => {
        const [owner, name] = [`${policy}-owner`, `${policy}-owned`];
        await kubectl.ok(['create', '-f', '-'], { input: JSON.stringify({ ...lease, metadata: { name: owner } }) });
        const { apiVersion, kind, metadata } = await kubectl.json<Folder>(['get', 'lease', owner]);
        const reference = { apiVersion, kind, name: owner, uid: metadata.uid, blockOwnerDeletion: true };
        await create(setup, name, { metadata: { ownerReferences: [reference] } });
        await kubectl.ok(['delete', 'lease', owner, `--cascade=${policy}`]);
        return name;
      };
      await kubectl.ok(['wait', '--for=delete', `folder/${await owned('background')}`, '--timeout=30s']);
      expect(await kubectl.fails(['get', 'folder', await owned('foreground')])).to.contain('NotFound');
      expect((await read(setup, await owned('orphan'))).metadata).to.not.have.property('ownerReferences');
    });

    it('delete -l deletes the selected objects', async () => {
      await create(setup, 'd6', { labels: { go: 'yes' } });
      await create(setup, 'd7', { labels: { go: 'no' } });
      await setup.kubectl.ok(['delete', 'folders', '-l', 'go=yes']);
      expect(await namesOf(setup, '-l', 'go')).to.deep.equal(['d7']);
    });

    it('deletecollection deletes the selected objects in one request', async () => {
      await create(setup, 'd8', { labels: { many: 'yes' } });
      await create(setup, 'd9', { labels: { many: 'yes' }, parent: 'd8' });
      await create(setup, 'd10', { labels: { many: 'no' } });
      const answer = await setup.server.client.request('DELETE', `${FOLDERS_PATH}?labelSelector=many%3Dyes`);
      expect(answer.status).to.equal(200);
      expect(await namesOf(setup, '-l', 'many')).to.deep.equal(['d10']);
    });

    it('delete --all deletes all objects, parents and children', async () => {
      await create(setup, 'd11');
      await create(setup, 'd12', { parent: 'd11' });
      await setup.kubectl.ok(['delete', 'folders', '--all']);
      expect(await namesOf(setup)).to.deep.equal([]);
    });
  });
}
