import { expect } from 'chai';
import { bodyOf, freshName } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { foldersOf } from './folders.js';

eachStore('bookmarks of a watch', (server) => {
  const folders = foldersOf(server);
  // Promise: contract 4.4
  it('with sendInitialEvents sends an annotated bookmark after the existing objects', async () => {
    const label = freshName();
    const made = [
      await folders.make(freshName(), { labels: { label } }),
      await folders.make(freshName(), { labels: { label } }),
    ];
    for (const resourceVersion of ['', '0', made[1]?.metadata.resourceVersion ?? '']) {
      const frames = await folders.watch({
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: true,
        labelSelector: `label=${label}`,
        resourceVersion,
      });
      const [first, second, bookmark] = await frames.take(3);
      expect([first?.object, second?.object]).to.have.deep.members(made);
      expect(bookmark?.type).to.equal('BOOKMARK');
      expect(bookmark?.object).to.have.all.keys('kind', 'apiVersion', 'metadata');
      expect(bookmark?.object.metadata.annotations?.['k8s.io/initial-events-end']).to.equal('true');
      expect(Number(bookmark?.object.metadata.resourceVersion)).to.be.at.least(
        Number(made[1]?.metadata.resourceVersion),
      );
      const later = await folders.make(freshName(), { labels: { label } });
      expect(await frames.next()).to.deep.equal({ type: 'ADDED', object: later });
      await frames.close();
      bodyOf(await folders.remove(later.metadata.name), 200);
    }
  });

  // Promise: contract 4.4
  it('tells the form of the list in the bookmark after the initial events, for typed clients', async () => {
    const query = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true };
    const forms = {
      'application/json': 'folder.svc.app/v1beta1 FolderList',
      'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io': 'meta.k8s.io/v1 PartialObjectMetadataList',
    };
    for (const [accept, type] of Object.entries(forms)) {
      const name = freshName();
      const selected = { ...query, watch: true, fieldSelector: `metadata.name=${name}` };
      const answer = await server().call('GET', folders.path(), { query: selected, headers: { accept } });
      const bookmark = await answer.frames.next();
      const blueprint = bookmark?.object.metadata.annotations?.['kubernetes.io/initial-events-list-blueprint'] ?? '';
      const { apiVersion, kind, ...list } = JSON.parse(Buffer.from(blueprint, 'base64').toString());
      expect([`${apiVersion} ${kind}`, list]).to.deep.equal([type, { metadata: {}, items: [] }]);
      await answer.frames.close();
    }
  });

  // Promise: contract 4.7
  it('sends bookmarks at the newest revision to clients that allow them', async () => {
    const start = await folders.revision();
    const allowed = await folders.watch({ resourceVersion: start, allowWatchBookmarks: true, labelSelector: 'none=1' });
    const made = await folders.make(freshName());
    server().clock.advance(61_000);
    const bookmark = await allowed.next();
    expect(bookmark?.type).to.equal('BOOKMARK');
    expect(bookmark?.object.metadata).to.deep.equal({ resourceVersion: made.metadata.resourceVersion });
    await allowed.close();
  });

  it('sends a bookmark only after the events up to its revision', async () => {
    const start = await folders.revision();
    const watch = await folders.watch({ resourceVersion: start, allowWatchBookmarks: true });
    server().clock.advance(61_000);
    const made = await folders.make(freshName());
    let event = await watch.next();
    const before: string[] = [];
    for (; event?.type === 'BOOKMARK'; event = await watch.next()) {
      before.push(event.object.metadata.resourceVersion ?? '');
    }
    expect(event).to.deep.equal({ type: 'ADDED', object: made });
    expect(before).to.not.include(made.metadata.resourceVersion);
    await watch.close();
  });

  // Promise: contract 4.7
  it('sends one more bookmark shortly before it ends, so that clients return with a recent revision', async () => {
    const start = await folders.revision();
    const options = { allowWatchBookmarks: true, labelSelector: 'none=1', timeoutSeconds: 40 };
    const watch = await folders.watch({ resourceVersion: start, ...options });
    const made = await folders.make(freshName());
    server().clock.advance(38_500);
    const bookmark = await watch.next();
    expect(bookmark?.type).to.equal('BOOKMARK');
    expect(bookmark?.object.metadata).to.deep.equal({ resourceVersion: made.metadata.resourceVersion });
    await watch.close();
  });

  // Promise: contract 4.4
  it('without a revision, or from 0, marks the end of the existing objects for clients that allow bookmarks', async () => {
    const label = freshName();
    const made = await folders.make(freshName(), { labels: { label } });
    for (const resourceVersion of ['', '0']) {
      const query = { allowWatchBookmarks: true, labelSelector: `label=${label}`, resourceVersion };
      const frames = await folders.watch(query);
      const [first, bookmark] = await frames.take(2);
      expect(first).to.deep.equal({ type: 'ADDED', object: made });
      expect(bookmark?.object.metadata.annotations?.['k8s.io/initial-events-end']).to.equal('true');
      await frames.close();
    }
  });

  // Promise: contract 4.7
  it('sends no bookmarks to clients that do not allow them', async () => {
    const frames = await folders.watch({ resourceVersion: await folders.revision() });
    server().clock.advance(61_000);
    const made = await folders.make(freshName());
    expect(await frames.next()).to.deep.equal({ type: 'ADDED', object: made });
    await frames.close();
  });
});
