import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { CHEST, create, createMany, LAMP, LEAF, pathTo, ROOM } from '../../testing/house.js';
import { ANN, type Body, requestTo, type Served } from '../../testing/served.js';
import { type Watched, watched } from '../../testing/watched.js';
import { resourceHandler } from '../router.js';
import { useHouse } from '../testing/house.js';

describe('a watch', () => {
  const { served, ask, watch, lamp, remove, change, now } = useHouse();
  /** Ends the part of a test after which nothing else may come. */
  const mark = async (one: Watched): Promise<void> => {
    await lamp('zz-mark');
    expect(await one.take(1)).to.deep.equal(['ADDED zz-mark']);
  };

  it('sends the objects that exist, and then every change', async () => {
    await lamp('a');
    await lamp('b');
    await lamp('aa', { watts: 1 }, 'attic');
    const one = await watch();
    expect(await one.take(2)).to.deep.equal(['ADDED a', 'ADDED b']);
    await lamp('c');
    await change('a', { watts: 2 });
    await remove('b');
    expect(await one.take(3)).to.deep.equal(['ADDED c', 'MODIFIED a', 'DELETED b']);
    await lamp('r', { watts: 1 }, 'attic');
    await mark(one);
  });

  it('is an answer without an end that nobody caches', async () => {
    const { status, headers, stream } = await ask('', pathTo(LAMP));
    expect([status, headers]).to.deep.equal([
      200,
      { 'content-type': 'application/json', 'cache-control': 'no-cache, private' },
    ]);
    expect(stream).to.not.equal(undefined);
    const { longRunning } = await served().handler(requestTo('GET', pathTo(LAMP), { query: 'watch=1' }));
    expect(longRunning).to.equal(true);
  });

  it('sends whole objects', async () => {
    const { body } = await lamp('a');
    const one = await watch();
    expect(await one.next()).to.deep.equal({ type: 'ADDED', object: body });
    const changed = await change('a', { watts: 2 });
    expect(await one.next()).to.deep.equal({ type: 'MODIFIED', object: changed.body });
  });

  it('sends only what comes after a revision that the client names', async () => {
    await lamp('a');
    const revision = now();
    await lamp('b');
    const one = await watch(`resourceVersion=${revision}`);
    expect(await one.take(1)).to.deep.equal(['ADDED b']);
    await mark(one);
    const all = await watch('resourceVersion=0');
    expect(await all.take(3)).to.deep.equal(['ADDED a', 'ADDED b', 'ADDED zz-mark']);
  });

  it('waits for a revision that does not exist yet only for a while', async () => {
    const waiting = watch(`resourceVersion=${Number(now()) + 1}`);
    await lamp('a');
    await mark(await waiting);
    expect((await ask('resourceVersion=99999999999999999999', pathTo(LAMP))).status).to.be.oneOf([400, 504]);
  });

  it('watches all namespaces, one of them, or one object', async () => {
    const [all, attic, one] = [
      await watch('', pathTo(LAMP, '', '')),
      await watch('', pathTo(LAMP, '', 'attic')),
      await watch('', pathTo(LAMP, 'b')),
    ];
    for (const name of ['a', 'b']) await lamp(name);
    await lamp('b', { watts: 1 }, 'attic');
    await change('b', { watts: 2 });
    expect(await all.take(4)).to.deep.equal(['ADDED a', 'ADDED b', 'ADDED b', 'MODIFIED b']);
    expect(await attic.take(1)).to.deep.equal(['ADDED b']);
    expect(await one.take(2)).to.deep.equal(['ADDED b', 'MODIFIED b']);
    const again = [await watch('', pathTo(LAMP, '', 'attic')), await watch('', pathTo(LAMP, 'b'))];
    for (const each of again) expect(await each.take(1)).to.deep.equal(['ADDED b']);
    await change('b', { watts: 3 }, 'attic');
    expect(await attic.take(1)).to.deep.equal(['MODIFIED b']);
    await change('b', { watts: 3 });
    expect(await one.take(1)).to.deep.equal(['MODIFIED b']);
    await remove('b');
    expect(await one.take(1)).to.deep.equal(['DELETED b']);
  });

  it('watches the objects of the cluster', async () => {
    const [all, one] = [await watch('', pathTo(ROOM)), await watch('', pathTo(ROOM, 'cellar'))];
    expect(await all.take(2)).to.deep.equal(['ADDED attic', 'ADDED hall']);
    await create(served(), ROOM, 'bath');
    await create(served(), ROOM, 'cellar');
    expect(await all.take(2)).to.deep.equal(['ADDED bath', 'ADDED cellar']);
    expect(await one.take(1)).to.deep.equal(['ADDED cellar']);
  });

  it('has one object by a field selector, too, unless the path names another one', async () => {
    await lamp('a');
    const one = await watch('fieldSelector=metadata.name=b');
    await lamp('b');
    expect(await one.take(1)).to.deep.equal(['ADDED b']);
    const everywhere = await watch('fieldSelector=metadata.name=b', pathTo(LAMP, '', ''));
    expect(await everywhere.take(1)).to.deep.equal(['ADDED b']);
    await lamp('b', { watts: 1 }, 'attic');
    expect(await everywhere.take(1)).to.deep.equal(['ADDED b']);
    const same = await watch('fieldSelector=metadata.name=b', pathTo(LAMP, 'b'));
    expect(await same.take(1)).to.deep.equal(['ADDED b']);
    const refused = await ask('fieldSelector=metadata.name=b', pathTo(LAMP, 'a'));
    expect([refused.status, refused.body.message]).to.deep.equal([
      400,
      'fieldSelector metadata.name does not match the name in the path ("a")',
    ]);
  });

  it('tells that an object comes into the selection or leaves it', async () => {
    await lamp('a', { watts: 1, colour: 'red' });
    await lamp('b', { watts: 1, colour: 'blue' });
    const one = await watch('fieldSelector=spec.colour=red');
    expect(await one.take(1)).to.deep.equal(['ADDED a']);
    await change('b', { colour: 'red' });
    await change('a', { colour: 'blue' });
    await change('a', { watts: 2 });
    await remove('b');
    expect(await one.take(3)).to.deep.equal(['ADDED b', 'DELETED a', 'DELETED b']);
    const named = await watch('fieldSelector=spec.colour=red', pathTo(LAMP, 'a'));
    await change('a', { colour: 'red' });
    expect(await named.take(1)).to.deep.equal(['ADDED a']);
  });

  it('has only the objects that the caller may view', async () => {
    served().permissions = ['a', 'c'].map((name) => ({ action: 'lamps:read', scope: `lamps:uid:${name}` }));
    for (const name of ['a', 'b']) await lamp(name);
    const one = await watch('', pathTo(LAMP), { user: ANN });
    expect(await one.take(1)).to.deep.equal(['ADDED a']);
    await change('b', { watts: 2 });
    await lamp('c');
    expect(await one.take(1)).to.deep.equal(['ADDED c']);
    served().permissions = [];
    expect((await ask('', pathTo(LAMP), { user: ANN })).status).to.equal(403);
  });

  it('has no objects whose owners are gone', async () => {
    const { uid } = (await create(served(), CHEST, 'oak')).body.metadata;
    await create(served(), LEAF, 'w', { tree: 'oak', size: 1 }, { annotations: { home: `oak ${uid}` } });
    await lamp('x', { tree: 'oak', size: 1 }, 'hall', LEAF);
    const before = await watch('', pathTo(LEAF));
    expect(await before.take(2)).to.deep.equal(['ADDED w', 'ADDED x']);
    await served().send('DELETE', pathTo(CHEST, 'oak'));
    const after = await watch('', pathTo(LEAF));
    expect(await after.take(1)).to.deep.equal(['ADDED x']);
    await lamp('y', { tree: 'oak', size: 1 }, 'hall', LEAF);
    expect(await after.take(1)).to.deep.equal(['ADDED y']);
  });

  it('sends many existing objects in parts', async () => {
    const names = Array.from({ length: 205 }, (_, i) => `n${i + 100}`);
    await createMany(served(), LAMP, names, { watts: 1 });
    const one = await watch();
    expect(await one.take(205)).to.deep.equal(names.map((name) => `ADDED ${name}`));
    await mark(one);
  });

  it('goes on at once through thousands of changes that are none of its own', async () => {
    const revision = now();
    await createMany(
      served(),
      LAMP,
      Array.from({ length: 4100 }, (_, i) => `n${i}`),
      { watts: 1 },
    );
    await lamp('mine', { watts: 1, colour: 'red' });
    const one = await watch(`fieldSelector=spec.colour=red&resourceVersion=${revision}`);
    let [found, turns] = ['', 0];
    void one.take(1).then(([frame = '']) => {
      found = frame;
    });
    for (; found === '' && turns < 20; turns++) await turn();
    expect([found, turns < 20]).to.deep.equal(['ADDED mine', true]);
  });

  it('marks the end of the existing objects for a client that asks for them with bookmarks', async () => {
    await lamp('a');
    const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    const one = await watch(`${initial}&allowWatchBookmarks=true`);
    expect(await one.take(1)).to.deep.equal(['ADDED a']);
    const end = await one.next();
    expect(end?.type).to.equal('BOOKMARK');
    expect(end?.object.metadata.resourceVersion).to.equal(now());
    expect(end?.object.metadata.annotations).to.include({ 'k8s.io/initial-events-end': 'true' });
    await mark(one);
    const silent = await watch(initial);
    expect(await silent.take(2)).to.deep.equal(['ADDED a', 'ADDED zz-mark']);
    await change('a', { watts: 2 });
    expect(await silent.take(1)).to.deep.equal(['MODIFIED a']);
    const none = await watch(`sendInitialEvents=false&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`);
    await change('a', { watts: 3 });
    expect(await none.take(1)).to.deep.equal(['MODIFIED a']);
  });

  it('ends with an error that says why it cannot continue', async () => {
    const refused = await watch('resourceVersion=1');
    for (let i = 0; i < 3; i++) await lamp(`n${i}`);
    expect(await refused.take(3)).to.have.length(3);
    const failing = new TypeError('a defect');
    const { authorizer } = served().registry;
    const watchFilter = () => ({
      all: true,
      allows: () => true,
      check: () => {
        throw failing;
      },
    });
    const registry = { ...served().registry, authorizer: { ...authorizer, watchFilter } };
    const answer = await resourceHandler(registry as unknown as Served['registry'])(
      requestTo('GET', pathTo(LAMP), { query: `watch=1&resourceVersion=${now()}` }),
    );
    const one = watched({
      status: 200,
      headers: {},
      body: {} as Body,
      stream: answer.body as AsyncIterable<Uint8Array>,
    });
    await lamp('x');
    const frame = await one.next();
    expect([frame?.type, frame?.object.kind, frame?.object.reason]).to.deep.equal(['ERROR', 'Status', 'InternalError']);
    expect(await one.next()).to.equal(undefined);
  });

  it('is refused as a whole if the request is wrong', async () => {
    for (const query of ['fieldSelector=none=1', 'labelSelector=a in', 'resourceVersion=x'])
      expect((await ask(query, pathTo(LAMP))).status, query).to.equal(400);
    const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    expect((await ask('includeObject=none', pathTo(LAMP), { headers: table })).status).to.be.oneOf([400, 422]);
    expect((await ask('', pathTo(LAMP), { headers: { accept: 'text/html' } })).status).to.equal(406);
    expect((await served().send('HEAD', pathTo(LAMP), { query: 'watch=1' })).status).to.equal(405);
  });
});
