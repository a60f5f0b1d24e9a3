import { expect } from 'chai';
import { Client } from '../../registry/client/client.js';
import { RETAINED } from '../../registry/write/retained.js';
import type { Writer } from '../../storage/engine/transaction.js';
import { StorageError } from '../../storage/errors.js';
import { bodyOf, expectStatus, freshName } from '../harness/resource.js';
import { ADMIN, type Server } from '../harness/server.js';
import { eachStore, oneStore } from '../harness/stores.js';
import { until } from '../identity/iam.js';
import { folderObject, removed, retitle, TRASH, worldOf } from './past.js';

const DAY = 86_400_000;
const HOLD = 'example.com/hold';

/** The number of versions and deletions that are stored. */
async function retained({ api: { registry } }: Server, namespace = 'default'): Promise<number> {
  const { qualified } = registry.compiled.get(`internal/${RETAINED}`);
  return registry.reader.count(qualified, namespace);
}

eachStore(
  'what is too old',
  (server) => {
    const world = worldOf(server);
    const { folders, restore, versions } = world;
    const numbers = async (name: string) => (await versions(folders, name)).map(({ version }) => version);
    const changed = async (times: number): Promise<string> => {
      const name = freshName('f');
      await world.folder(name);
      for (let i = 0; i < times; i++) await retitle(folders, name, `${name} ${i}`);
      return name;
    };

    // Promise: security work
    it('is removed: an object keeps its last versions', async () => {
      const name = await changed(5);
      await until(async () => (await numbers(name)).length === 4);
      expect(await numbers(name)).to.deep.equal([6, 5, 4, 3]);
      expectStatus(await restore(folders, name, 2), 404, 'NotFound');
    });

    // Promise: security work
    it('is removed: a deletion can be taken back for a time only, and takes the history with it', async () => {
      const name = await changed(2);
      const other = await changed(2);
      await removed(folders, name);
      server().clock.advance(29 * DAY);
      expect(await numbers(name)).to.deep.equal([3, 2, 1]);
      server().clock.advance(2 * DAY);
      expectStatus(await restore(folders, name), 404, 'NotFound');
      expect(bodyOf(await folders.list({ query: TRASH }), 200).items).to.deep.equal([]);
      await until(async () => (await retained(server())) === 5);
      expect(await numbers(other)).to.deep.equal([3, 2, 1]);
    });

    it('stays if the object came back, except for what was kept of its deletion', async () => {
      const before = await retained(server());
      const name = await changed(1);
      await removed(folders, name);
      bodyOf(await restore(folders, name), 201);
      server().clock.advance(31 * DAY);
      await until(async () => (await retained(server())) === before + 1);
      expect(await numbers(name)).to.deep.equal([3, 1]);
      await removed(folders, name);
      server().clock.advance(31 * DAY);
      await until(async () => (await retained(server())) === before);
    });

    it('goes with its organization', async () => {
      const organizations = '/apis/iam.svc.app/v1beta1/organizations';
      const name = freshName('org');
      const organization = {
        apiVersion: 'iam.svc.app/v1beta1',
        kind: 'Organization',
        metadata: { name },
        spec: { title: name },
      };
      bodyOf(await server().call('POST', organizations, { body: organization }), 201);
      const path = `/apis/folder.svc.app/v1beta1/namespaces/${name}/folders`;
      const folder = {
        apiVersion: 'folder.svc.app/v1beta1',
        kind: 'Folder',
        metadata: { name: 'f' },
        spec: { title: 'f' },
      };
      for (const one of ['f', 'g'])
        bodyOf(await server().call('POST', path, { body: { ...folder, metadata: { name: one } } }), 201);
      bodyOf(await server().call('DELETE', `${path}/f`), 200);
      expect(await retained(server(), name)).to.equal(1);
      bodyOf(await server().call('DELETE', `${organizations}/${name}`), 200);
      await until(async () => (await server().call('GET', `${organizations}/${name}`)).status === 404);
      expect(await retained(server(), name)).to.equal(0);
    });
  },
  { retention: { versions: 3 } },
);

oneStore(
  'a deletion that is too large',
  (server) => {
    const world = worldOf(server);
    const { folders, dashboards, restore } = world;

    it('succeeds with a warning, is not in the trash, and says why it cannot be taken back', async () => {
      const name = freshName('f');
      await world.folder(name);
      for (let i = 0; i < 3; i++) await world.dashboard(`${name}-${i}`, name);
      const { headers } = await removed(folders, name);
      expect(headers['warning']?.[0]).to.include('cannot be taken back: 4 objects');
      expect(bodyOf(await folders.list({ query: TRASH }), 200).items).to.deep.equal([]);
      expectStatus(await restore(folders, name), 409, 'Conflict', 'the trash takes at most 3');
      expectStatus(await restore(dashboards, `${name}-0`), 404, 'NotFound');
      await world.folder(name);
    });

    it('has a warning also if it is one of several', async () => {
      const name = freshName('f');
      bodyOf(await folders.create({ ...folderObject(name), metadata: { name, labels: { large: name } } }), 201);
      for (let i = 0; i < 3; i++) await world.dashboard(`${name}-${i}`, name);
      const { headers, status } = await folders.removeAll({ query: { labelSelector: `large=${name}` } });
      expect(status).to.equal(200);
      expect(headers['warning']?.[0]).to.include('cannot be taken back');
    });

    it('has a warning if the store cannot commit what the trash would keep', async () => {
      const name = freshName('d');
      await world.dashboard(name);
      const { registry } = server().api;
      let attempts = 0;
      const writer: Writer = {
        transact: (transaction, signal) => {
          if (attempts++ === 0) return Promise.reject(new StorageError('too-large', 'more than fits'));
          return registry.writer.transact(transaction, signal);
        },
      };
      const client = new Client({ ...registry, writer }, { user: ADMIN });
      const { warnings } = await client.delete(registry.compiled.get('dashboard/Dashboard'), 'default', name);
      expect(warnings?.join()).to.include('the store cannot keep so many at once');
      expectStatus(await restore(dashboards, name), 409, 'Conflict', 'the store cannot keep so many at once');
    });

    it('is measured in bytes, too', async () => {
      const name = freshName('d');
      await world.dashboard(name, undefined, { description: 'x'.repeat(2000) });
      expect((await removed(dashboards, name)).headers['warning']?.[0]).to.include(
        'at most 2000 (history.max_trash_size)',
      );
      expectStatus(await restore(dashboards, name), 409, 'Conflict', 'bytes');
    });

    it('has no warning if it is small enough', async () => {
      const name = freshName('d');
      await world.dashboard(name);
      expect((await removed(dashboards, name)).headers).not.to.have.property('warning');
      bodyOf(await restore(dashboards, name), 201);
    });
  },
  { retention: { maxObjects: 3, maxBytes: 2000 } },
);

oneStore(
  'a server without history and trash',
  (server) => {
    const world = worldOf(server);
    const { folders, restore, versions } = world;

    it('keeps nothing', async () => {
      const name = freshName('f');
      await world.folder(name);
      await retitle(folders, name, 'Two');
      expect((await versions(folders, name)).map(({ version }) => version)).to.deep.equal([2]);
      const { headers } = await removed(folders, name);
      expect(headers).not.to.have.property('warning');
      expectStatus(await restore(folders, name), 404, 'NotFound');
      server().clock.advance(61_000);
      await until(async () => (await retained(server())) === 0);
    });

    it('keeps nothing of objects that finalizers held', async () => {
      const name = freshName('f');
      await world.folder(name);
      bodyOf(await folders.merge(name, { metadata: { finalizers: [HOLD] } }), 200);
      await removed(folders, name);
      bodyOf(await folders.merge(name, { metadata: { finalizers: null } }), 200);
      server().clock.advance(61_000);
      await until(async () => (await retained(server())) === 0);
    });
  },
  { retention: { versions: 0, trash: 0 } },
);
