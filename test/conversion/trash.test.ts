import { expect } from 'chai';
import { bodyOf, resourceOf } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { FOLDER, worldOf } from '../history/past.js';
import { CRDS, DEFINITION, definition, NAME, stored, storedWidget, type TestObject, widget } from './definitions.js';
import { byWebhook, startWebhook, type TestWebhook, V1, V2 } from './webhook-server.js';

/** More than the attempts of one request. */
const COUNT = 30;

eachStore(
  'what was deleted before the storage version changed',
  (server) => {
    const { folders, folder, restore } = worldOf(server);
    const widgets = resourceOf(server, { apiVersion: 'example.com/v2', resource: 'widgets', scope: 'Namespaced' });
    const inStore = (name: string): TestObject => storedWidget(server(), name);
    let webhook: TestWebhook;

    before(async () => {
      webhook = await startWebhook();
      const body = definition([stored(V1), V2], byWebhook(webhook.config));
      const labels = { 'svc.app/trash': 'true', 'svc.app/containment': 'folders' };
      const metadata = { name: NAME, labels };
      expect((await server().call('POST', CRDS, { body: { ...body, metadata } })).status).to.equal(201);
      for (const name of ['whole', 'alone']) await folder(name);
      const create = async (name: string, place: string) => {
        const object = widget('v2', name, { form: { size: 'L' } }, { annotations: { [FOLDER]: place } });
        bodyOf(await widgets.create(object), 201);
      };
      for (let i = 0; i < COUNT; i++) await create(`w${i}`, 'whole');
      await create('one', 'alone');
      expect(inStore('one').apiVersion).to.equal('example.com/v1');
      bodyOf(await widgets.remove('one'), 200);
      bodyOf(await folders.remove('whole'), 200);
      const headers = { 'content-type': 'application/merge-patch+json' };
      const changed = await server().call('PATCH', DEFINITION, {
        body: { spec: { versions: [V1, stored(V2)] } },
        headers,
      });
      expect(changed.status).to.equal(200);
    });
    after(() => webhook.close());

    it('comes back in the new version', async () => {
      bodyOf(await restore(widgets, 'one'), 201);
      expect([inStore('one').apiVersion, inStore('one').spec]).to.deep.equal([
        'example.com/v2',
        { form: { size: 'L' } },
      ]);
    });

    it('comes back with its folder, however many objects are converted', async () => {
      const { status } = bodyOf(await restore(folders, 'whole'), 201) as unknown as { status: { objects: number } };
      expect(status.objects).to.equal(COUNT + 1);
      for (const name of ['w0', `w${COUNT - 1}`]) expect(inStore(name).apiVersion).to.equal('example.com/v2');
    });
  },
  { webhookNetworks: ['127.0.0.0/8'] },
);
