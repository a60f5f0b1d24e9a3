import { expect } from 'chai';
import { collectGarbage } from '../harness/garbage.js';
import { bodyOf, expectStatus, freshName } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { folder, foldersOf } from './folders.js';

const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

eachStore('watch', (server) => {
  const folders = foldersOf(server);

  it('from a revision sends the changes after it', async () => {
    const old = await folders.make(freshName());
    const since = await folders.make(freshName());
    const frames = await folders.watch({ resourceVersion: old.metadata.resourceVersion ?? '' });
    const later = await folders.make(freshName());
    expect(await frames.take(2)).to.deep.equal([
      { type: 'ADDED', object: since },
      { type: 'ADDED', object: later },
    ]);
    await frames.close();
  });

  it('without a revision, or from 0, starts with the existing objects', async () => {
    const existing = await folders.make(freshName());
    const fieldSelector = `metadata.name=${existing.metadata.name}`;
    for (const query of [{}, { resourceVersion: '' }, { resourceVersion: '0' }]) {
      const frames = await folders.watch({ ...query, fieldSelector });
      expect(await frames.next()).to.deep.equal({ type: 'ADDED', object: existing });
      await frames.close();
    }
  });

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

  it('with sendInitialEvents=false sends changes only', async () => {
    await folders.make(freshName());
    for (const resourceVersion of ['', '0']) {
      const frames = await folders.watch({
        sendInitialEvents: false,
        resourceVersionMatch: 'NotOlderThan',
        resourceVersion,
      });
      const later = await folders.make(freshName());
      expect(await frames.next()).to.deep.equal({ type: 'ADDED', object: later });
      await frames.close();
    }
  });

  it('refuses contradictory options with 422, so that informers fall back', async () => {
    const queries = [
      { sendInitialEvents: true },
      { sendInitialEvents: true, resourceVersionMatch: 'Exact' },
      { sendInitialEvents: false },
      { resourceVersionMatch: 'NotOlderThan', resourceVersion: '1' },
    ];
    for (const query of queries) {
      const answer = await folders.list({ query: { watch: true, ...query } });
      expect(expectStatus(answer, 422, 'Invalid').details.kind).to.equal('ListOptions');
    }
  });

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

  it('as a Table with a wrong includeObject is refused before it starts', async () => {
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const query = { watch: true, includeObject: 'x' };
    expectStatus(await server().call('GET', folders.path(), { query, headers }), 400, 'BadRequest', 'includeObject');
  });

  it('sends no bookmarks to clients that do not allow them', async () => {
    const frames = await folders.watch({ resourceVersion: await folders.revision() });
    server().clock.advance(61_000);
    const made = await folders.make(freshName());
    expect(await frames.next()).to.deep.equal({ type: 'ADDED', object: made });
    await frames.close();
  });

  it('of one name sends no other objects', async () => {
    const name = freshName();
    const answer = await server().call('GET', folders.path(name), { query: { watch: true } });
    await folders.make(freshName());
    const made = await folders.make(name);
    expect(await answer.frames.next()).to.deep.equal({ type: 'ADDED', object: made });
    await answer.frames.close();
  });

  it('of one name refuses a selector for another name', async () => {
    const query = { watch: true, fieldSelector: 'metadata.name=other' };
    expectStatus(await server().call('GET', folders.path('one'), { query }), 400, 'BadRequest', 'metadata.name');
  });

  it('of a name that no object can have sends nothing, and does not read the name as a selector', async () => {
    const answer = await server().call('GET', folders.path('a,metadata.name!=b'), {
      query: { watch: true, timeoutSeconds: 1 },
    });
    expect(await answer.frames.next()).to.equal(undefined);
  });

  it('across namespaces sends objects of all namespaces', async () => {
    const start = await folders.revision();
    const answer = await server().call('GET', '/apis/folder.svc.app/v1beta1/folders', {
      query: { watch: true, resourceVersion: start },
    });
    const made = await folders.make(freshName());
    expect(await answer.frames.next()).to.deep.equal({ type: 'ADDED', object: made });
    await answer.frames.close();
  });

  it('as Table has the columns in the first event only', async () => {
    const frames = await folders.watch({ resourceVersion: await folders.revision() }, { headers: TABLE });
    const name = freshName();
    const made = await folders.make(name);
    bodyOf(await folders.remove(name), 200);
    const [added, deleted] = await frames.take(2);
    await frames.close();
    expect(added?.object.kind).to.equal('Table');
    expect(added?.object.columnDefinitions.map((column) => column.name)).to.deep.equal([
      'Name',
      'Title',
      'Parent',
      'Basic Roles',
      'Age',
    ]);
    expect(added?.object.rows[0]?.object.metadata).to.deep.equal(made.metadata);
    expect(deleted?.type).to.equal('DELETED');
    expect(deleted?.object.columnDefinitions).to.deep.equal([]);
  });

  it('ends cleanly after timeoutSeconds', async () => {
    const frames = await folders.watch({ resourceVersion: await folders.revision(), timeoutSeconds: 1 });
    expect(await frames.next()).to.equal(undefined);
  });

  it('ends after timeoutSeconds even if garbage is collected meanwhile', async () => {
    const frames = await folders.watch({ resourceVersion: await folders.revision(), timeoutSeconds: 1 });
    await new Promise(setImmediate);
    collectGarbage();
    expect(await frames.next()).to.equal(undefined);
  });

  it('with timeoutSeconds=0 lasts as long as without timeoutSeconds', async () => {
    const frames = await folders.watch({ resourceVersion: await folders.revision(), timeoutSeconds: 0 });
    const made = await folders.make(freshName());
    expect(await frames.next()).to.deep.equal({ type: 'ADDED', object: made });
    await frames.close();
  });

  it('sends a cascade object by object, the deepest first, each with its own revision', async () => {
    const [top, middle, leaf] = [freshName(), freshName(), freshName()];
    await folders.make(top);
    await folders.make(middle, { parent: top });
    await folders.make(leaf, { parent: middle });
    const frames = await folders.watch({ resourceVersion: await folders.revision() });
    bodyOf(await folders.remove(top), 200);
    const events = await frames.take(3);
    await frames.close();
    expect(events.map(({ type, object }) => [type, object.metadata.name])).to.deep.equal([
      ['DELETED', leaf],
      ['DELETED', middle],
      ['DELETED', top],
    ]);
    const revisions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(revisions).to.deep.equal([...new Set(revisions)].sort((a, b) => a - b));
  });

  it('resumes after a restart without a gap', async () => {
    const start = await folders.revision();
    const before = await folders.make(freshName());
    await server().restart();
    const frames = await folders.watch({ resourceVersion: start });
    const after = await folders.make(freshName());
    expect((await frames.take(2)).map(({ object }) => object)).to.deep.equal([before, after]);
    await frames.close();
  });

  it('from a compacted revision answers 200 with one ERROR event with 410, and ends', async () => {
    const start = await folders.revision();
    await folders.make(freshName());
    await server().restart({ compact: true });
    const frames = await folders.watch({ resourceVersion: start });
    const error = await frames.next();
    expect(error?.type).to.equal('ERROR');
    expect(error?.object).to.include({ kind: 'Status', code: 410, reason: 'Expired', status: 'Failure' });
    expect(error?.object.message).to.match(/^too old resource version: \d+ \(\d+\)$/);
    expect(await frames.next()).to.equal(undefined);
  });

  it('is refused for HEAD', async () => {
    expect((await server().call('HEAD', folders.path(), { query: { watch: true } })).status).to.equal(405);
  });

  it('is requested by an empty parameter watch=, as in Kubernetes', async () => {
    const answer = await server().call('GET', folders.path(), { query: { watch: '' } });
    expect(answer.status).to.equal(200);
    await answer.frames.close();
  });

  it('sends the changes of a hundred writers without gaps, in the order of the log', async () => {
    const start = await folders.revision();
    const frames = await folders.watch({ resourceVersion: start });
    const names = Array.from({ length: 100 }, () => freshName());
    await Promise.all(names.map((name) => folders.create(folder(name))));
    const events = await frames.take(100);
    await frames.close();
    expect(events.map(({ object }) => object.metadata.name)).to.have.members(names);
    const revisions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(revisions).to.deep.equal([...revisions].sort((a, b) => a - b));
  });
});
