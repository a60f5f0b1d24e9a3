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

  // Promise: contract 4.6
  it('without a revision, or from 0, starts with the existing objects', async () => {
    const existing = await folders.make(freshName());
    const fieldSelector = `metadata.name=${existing.metadata.name}`;
    for (const query of [{}, { resourceVersion: '' }, { resourceVersion: '0' }]) {
      const frames = await folders.watch({ ...query, fieldSelector });
      expect(await frames.next()).to.deep.equal({ type: 'ADDED', object: existing });
      await frames.close();
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

  // Promise: contract 4.4
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

  it('as a Table with a wrong includeObject is refused before it starts', async () => {
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const query = { watch: true, includeObject: 'x' };
    expectStatus(await server().call('GET', folders.path(), { query, headers }), 400, 'BadRequest', 'includeObject');
  });

  // Promise: contract 3.4
  it('of one name sends no other objects', async () => {
    const name = freshName();
    const answer = await server().call('GET', folders.path(name), { query: { watch: true } });
    await folders.make(freshName());
    const made = await folders.make(name);
    expect(await answer.frames.next()).to.deep.equal({ type: 'ADDED', object: made });
    await answer.frames.close();
  });

  // Promise: contract 3.4
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

  // Promise: contract 4.3
  it('ends cleanly after timeoutSeconds', async () => {
    const frames = await folders.watch({ resourceVersion: await folders.revision(), timeoutSeconds: 1 });
    expect(await frames.next()).to.equal(undefined);
  });

  // Promise: contract 4.3
  it('ends cleanly after the shorter one of timeout and timeoutSeconds', async () => {
    for (const query of [
      { timeout: '1s' },
      { timeout: '1h', timeoutSeconds: 1 },
      { timeout: '1s', timeoutSeconds: 3600 },
    ]) {
      const frames = await folders.watch({ resourceVersion: await folders.revision(), ...query });
      expect(await frames.next()).to.equal(undefined);
    }
  });

  it('ends after timeoutSeconds even if garbage is collected meanwhile', async () => {
    const frames = await folders.watch({ resourceVersion: await folders.revision(), timeoutSeconds: 1 });
    await new Promise(setImmediate);
    collectGarbage();
    expect(await frames.next()).to.equal(undefined);
  });

  // Promise: contract 4.3
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

  // Promise: contract 4.5
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

  // Promise: contract 4.8
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
