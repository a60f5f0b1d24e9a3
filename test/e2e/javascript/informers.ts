import { EventEmitter, once } from 'node:events';
import {
  CoordinationV1Api,
  CustomObjectsApi,
  type Informer,
  KubernetesObjectApi,
  makeInformer,
  type ObjectCache,
  PatchStrategy,
  Watch,
} from '@kubernetes/client-node';
import { expect } from 'chai';
import type { ServerWithPast } from '../expired.js';
import { configOf, FOLDERS, type Folder, folder, WHERE } from './setup.js';

type Following = Informer<Folder> & ObjectCache<Folder>;

export function informers(running: () => ServerWithPast): void {
  const objects = () => KubernetesObjectApi.makeApiClient(configOf(running()));

  const merge = (object: Folder) =>
    objects().patch(object, undefined, undefined, undefined, undefined, PatchStrategy.MergePatch);

  /** Lists and follows the folders with the label. */
  const informerOf = (label: string): Following => {
    const config = configOf(running());
    const list = () =>
      config.makeApiClient(CustomObjectsApi).listNamespacedCustomObject({ ...WHERE, labelSelector: label });
    return makeInformer<Folder>(config, FOLDERS, list, label);
  };

  describe('informers', () => {
    it('have what exists, and follow every change', async () => {
      await objects().create(folder('i1', 'One', { informer: 'a' }));
      const informer = informerOf('informer=a');
      const changes = changesOf(informer);
      await informer.start();
      expect(await changes.next()).to.equal('add i1 One');
      await objects().create(folder('i2', 'Two', { informer: 'a' }));
      expect(await changes.next()).to.equal('add i2 Two');
      await merge(folder('i2', 'Changed', { informer: 'a' }));
      expect(await changes.next()).to.equal('update i2 Changed');
      await objects().delete(folder('i1'));
      expect(await changes.next()).to.equal('delete i1 One');
      expect(informer.list('default').map(({ metadata }) => metadata?.name)).to.deep.equal(['i2']);
      await informer.stop();
    });

    it('list again when their revision has expired, and then follow', async () => {
      await objects().create(folder('i3', 'One', { informer: 'b' }));
      const informer = informerOf('informer=b');
      const changes = changesOf(informer);
      // The informer continues from an expired revision.
      Object.assign(informer, { resourceVersion: running().expired });
      await informer.start();
      expect(await changes.next()).to.equal('add i3 One');
      await merge(folder('i3', 'Changed', { informer: 'b' }));
      expect(await changes.next()).to.equal('update i3 Changed');
      await informer.stop();
    });
  });

  describe('watches', () => {
    it('get an ERROR event with 410 from a revision that has expired, and then end', async () => {
      const events: unknown[] = [];
      const ended = new EventEmitter();
      const watch = new Watch(configOf(running()));
      const query = { resourceVersion: running().expired };
      const end = once(ended, 'end');
      await watch.watch(
        FOLDERS,
        query,
        (type, { code, reason }) => events.push([type, code, reason]),
        () => ended.emit('end'),
      );
      await end;
      expect(events).to.deep.equal([['ERROR', 410, 'Expired']]);
    });

    it('have typed objects of built-in kinds', async () => {
      const leases = configOf(running()).makeApiClient(CoordinationV1Api);
      const made = await leases.createNamespacedLease({ namespace: 'default', body: { metadata: { name: 'js' } } });
      expect(made.metadata?.creationTimestamp).to.be.instanceOf(Date);
      const spec = { holderIdentity: 'one', leaseDurationSeconds: 15 };
      await leases.replaceNamespacedLease({ name: 'js', namespace: 'default', body: { ...made, spec } });
      const read = await leases.readNamespacedLease({ name: 'js', namespace: 'default' });
      expect(read.spec).to.include(spec);
    });
  });
}

/** The changes that an informer reports, one after another. */
function changesOf(informer: Following): { readonly next: () => Promise<string> } {
  const told: string[] = [];
  const emitter = new EventEmitter();
  for (const event of ['add', 'update', 'delete'] as const) {
    informer.on(event, ({ metadata, spec }) => {
      told.push(`${event} ${metadata?.name} ${spec.title}`);
      emitter.emit('told');
    });
  }
  return {
    next: async () => {
      if (told.length === 0) await once(emitter, 'told');
      return told.shift() ?? '';
    },
  };
}
