import { expect } from 'chai';
import { addPeople, CALLERS } from '../access/people.js';
import { accepted, bodyOf, FOLDERS, resourceOf } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { worldOf } from '../history/past.js';
import { until } from '../identity/iam.js';
import { DEFINITIONS, define, redefine } from './definition.js';

const labelled = (body: object, side: string): object => {
  const { metadata } = body as { readonly metadata: object };
  return { ...body, metadata: { ...metadata, labels: { side } } };
};

eachStore('watches while definitions change', (server) => {
  const { folder } = worldOf(server);
  before(() => addPeople(server()));

  for (const who of ['server admin', 'admin', 'viewer'] as const) {
    it(`of other kinds go on (${who})`, async () => {
      const options = { user: CALLERS[who]! };
      const name = who.replace(' ', '-');
      const other = await define(server, { plural: `others${name}`, kind: 'Other', group: `${name}.example.com` });
      const list = bodyOf(await resourceOf(server, FOLDERS).list(options), 200);
      const from = { resourceVersion: list.metadata.resourceVersion ?? '' };
      const frames = await resourceOf(server, FOLDERS).watch(from, options);
      const others = await other.objects.watch(from, options);
      const made = await define(server, { plural: 'briefs', kind: 'Brief' });
      accepted(await server().call('DELETE', `${DEFINITIONS}/${made.definition.metadata.name}`), 200);
      await until(async () => (await made.objects.list()).status === 404);
      await folder(`f-${name}`);
      bodyOf(await other.objects.create(other.object('one')), 201);
      expect((await frames.take(1))[0]?.object.metadata.name).to.equal(`f-${name}`);
      expect((await others.take(1))[0]?.object.metadata.name).to.equal('one');
      await frames.close();
      await others.close();
    });
  }

  it('of the definitions tell of each of them', async () => {
    const list = bodyOf(await server().call('GET', DEFINITIONS), 200);
    const query = { watch: true, resourceVersion: list.metadata.resourceVersion ?? '' };
    const { frames } = accepted(await server().call('GET', DEFINITIONS, { query }), 200);
    const made = await define(server, { plural: 'briefs', kind: 'Brief' });
    accepted(await server().call('DELETE', `${DEFINITIONS}/${made.definition.metadata.name}`), 200);
    const events = await frames.until(({ type }) => type === 'DELETED' || type === 'ERROR');
    expect(events[0]?.type).to.equal('ADDED');
    expect(events.at(-1)?.type).to.equal('DELETED');
    await frames.close();
  });

  // Promise: contract 4.10
  it('of a kind tell of the deletion of each object before they end with the definition', async () => {
    const { objects, object, definition } = await define(server, { plural: 'briefs', kind: 'Brief' });
    const names = Array.from({ length: 60 }, (_, i) => `b-${i}`);
    const made = await Promise.all(
      names.map((name, i) => objects.create(labelled(object(name), i % 2 === 0 ? 'even' : 'odd'))),
    );
    for (const answer of made) accepted(answer, 201);
    const from = { resourceVersion: bodyOf(await objects.list(), 200).metadata.resourceVersion ?? '' };
    const watches = await Promise.all([
      objects.watch(from),
      objects.watch(from, { user: CALLERS['viewer']! }),
      objects.watch({ ...from, labelSelector: 'side=odd' }),
      objects.watch({ ...from, fieldSelector: 'metadata.name=b-7' }),
    ]);
    const { frames: all } = accepted(
      await server().call('GET', '/apis/example.com/v1/briefs', { query: { watch: true, ...from } }),
      200,
    );
    accepted(await server().call('DELETE', `${DEFINITIONS}/${definition.metadata.name}`), 200);
    const wanted = [names, names, names.filter((_, i) => i % 2 === 1), ['b-7'], names];
    for (const [i, frames] of [...watches, all].entries()) {
      const events = await frames.until(() => false);
      const deleted = events.filter(({ type }) => type === 'DELETED').map(({ object: one }) => one.metadata.name);
      expect(deleted.sort(), `watch ${i}`).to.deep.equal([...(wanted[i] ?? [])].sort());
      expect(
        events.filter(({ type }) => type === 'ERROR'),
        `watch ${i}`,
      ).to.deep.equal([]);
    }
    await until(async () => (await objects.list()).status === 404);
  });

  // Promise: contract 4.10
  it('of a kind go on when labels of others change on its definition, and end when its spec does', async () => {
    const { objects, object, definition } = await define(server, { plural: 'briefs', kind: 'Brief' });
    await redefine(server, definition, { spec: { names: { shortNames: ['br'] } } });
    const frames = await objects.watch({
      resourceVersion: bodyOf(await objects.list(), 200).metadata.resourceVersion ?? '',
    });
    await redefine(server, definition, {
      metadata: { labels: { 'app.kubernetes.io/managed-by': 'helm' }, annotations: { a: 'b' } },
    });
    bodyOf(await objects.create(object('one')), 201);
    expect((await frames.take(1))[0]?.object.metadata.name).to.equal('one');
    await redefine(server, definition, { spec: { names: { shortNames: ['bri'] } } });
    bodyOf(await objects.create(object('two')), 201);
    expect(await frames.until(() => false)).to.deep.equal([]);
    accepted(await server().call('DELETE', `${DEFINITIONS}/${definition.metadata.name}`), 200);
    await until(async () => (await objects.list()).status === 404);
  });

  // Promise: security rights
  it('of a kind end when a viewer may not view it any more, and when it goes', async () => {
    const { objects, object, definition } = await define(server, { plural: 'briefs', kind: 'Brief' });
    const frames = await objects.watch({}, { user: CALLERS['viewer']! });
    await redefine(server, definition, { metadata: { labels: { 'svc.app/viewer': null, 'svc.app/editor': null } } });
    bodyOf(await objects.create(object('one')), 201);
    expect(await frames.until(() => false)).to.deep.equal([]);
    expect((await objects.list({ user: CALLERS['viewer']! })).status).to.equal(403);
    const masters = await objects.watch({});
    accepted(await server().call('DELETE', `${DEFINITIONS}/${definition.metadata.name}`), 200);
    const last = await masters.until(() => false);
    expect(last[0]?.type).to.equal('ADDED');
    await until(async () => (await objects.list()).status === 404);
  });
});
