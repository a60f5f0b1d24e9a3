import { expect } from 'chai';
import { bodyOf } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { TRASH, worldOf } from '../history/past.js';
import { define, resourceOfDefinition, versionOf } from './definition.js';

eachStore('a definition with two versions', (server) => {
  const { folders, versions, restore } = worldOf(server);

  it('can have history and trash, which are those of the stored objects', async () => {
    const both = [versionOf('v1'), { ...versionOf('v2'), storage: false }];
    const { definition, objects, object } = await define(server, { plural: 'twos', kind: 'Two', versions: both });
    bodyOf(await folders.list(), 200);
    const other = resourceOfDefinition(server, definition, 'v2');
    bodyOf(await other.objects.create(other.object('one')), 201);
    bodyOf(await other.objects.merge('one', { spec: { note: 'second' } }), 200);
    expect((await versions(objects, 'one')).map(({ version }) => version)).to.deep.equal([2, 1]);
    bodyOf(await other.objects.remove('one'), 200);
    const trash = bodyOf(await objects.list({ query: TRASH }), 200);
    expect(trash.items.map(({ metadata }) => metadata.name)).to.deep.equal(['one']);
    bodyOf(await restore(objects, 'one'), 201);
    const back = bodyOf(await other.objects.get('one'), 200);
    expect(back).to.deep.include({
      apiVersion: 'example.com/v2',
      spec: object('one', { title: 'one', note: 'second' })['spec'],
    });
  });
});
