import { expect } from 'chai';
import { bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { FOLDER, MESSAGE, removed, retitle, type Version, worldOf } from './past.js';

eachStore('the history of an object', (server) => {
  const world = worldOf(server);
  const { folders, dashboards, versions, restore, restoreThere } = world;

  /** A folder with three versions. */
  const changed = async (): Promise<string> => {
    const name = freshName('f');
    await world.folder(name, undefined, { spec: { title: 'One' } });
    await retitle(folders, name, 'Two', 'because');
    await retitle(folders, name, 'Three');
    return name;
  };
  const numbers = (all: readonly Version[]): readonly number[] => all.map(({ version }) => version);

  it('lists every version with author, time and message, the newest first', async () => {
    const name = await changed();
    const all = await versions(folders, name);
    expect(numbers(all)).to.deep.equal([3, 2, 1]);
    expect(all.map(({ isCurrent }) => isCurrent)).to.deep.equal([true, false, false]);
    expect(all.map(({ message }) => message)).to.deep.equal([undefined, 'because', undefined]);
    for (const one of all) {
      expect(one.author).to.equal('user:uid-admin');
      expect(one)
        .to.have.property('time')
        .that.matches(/^\d{4}-.*Z$/);
      expect(one).not.to.have.property('object');
    }
  });

  it('has each version whole', async () => {
    const name = await changed();
    for (const [version, title] of [
      [1, 'One'],
      [2, 'Two'],
      [3, 'Three'],
    ] as const) {
      const [one, ...others] = await versions(folders, name, { query: { version } });
      expect(others).to.deep.equal([]);
      expect(one?.object).to.deep.include({ kind: 'Folder', spec: { title } });
      expect(one?.object?.metadata).to.include({ name, generation: version });
    }
    expectStatus(
      await folders.subresource('history').get(name, { query: { version: 9 } }),
      404,
      'NotFound',
      'version 9',
    );
  });

  it('is read in pages', async () => {
    const name = await changed();
    const read = async (query: Record<string, string | number>): Promise<{ continue?: string }> =>
      bodyOf(await folders.subresource('history').get(name, { query }), 200) as never;
    const seen: number[] = [];
    let query: Record<string, string | number> = { limit: 1 };
    for (let more = true; more; ) {
      const page = (await read(query)) as { continue?: string; versions: readonly Version[] };
      expect(page.versions).to.have.length(1);
      seen.push(...numbers(page.versions));
      more = page.continue !== undefined;
      query = { limit: 1, continue: page.continue ?? '' };
    }
    expect(seen).to.deep.equal([3, 2, 1]);
    // As in lists, a limit that is not positive is none.
    for (const limit of [0, -1, -5]) {
      const { versions: all } = (await read({ limit })) as { versions: readonly Version[] };
      expect(numbers(all), `limit ${limit}`).to.deep.equal([3, 2, 1]);
    }
    const other = await changed();
    const { continue: token = '' } = await read({ limit: 1 });
    const answer = await folders.subresource('history').get(other, { query: { continue: token } });
    expectStatus(answer, 400, 'BadRequest', 'continue token');
  });

  it('has a version for each move to another folder, but none for labels and for writes that change nothing', async () => {
    const [name, parent] = [freshName('f'), freshName('f')];
    await world.folder(parent);
    await world.folder(name);
    bodyOf(await folders.merge(name, { metadata: { labels: { a: 'b' } } }), 200);
    expect(numbers(await versions(folders, name))).to.deep.equal([1]);
    bodyOf(await folders.merge(name, { metadata: { annotations: { [FOLDER]: parent } } }), 200);
    expect(numbers(await versions(folders, name))).to.deep.equal([2, 1]);
    await changingNothing(server(), () => retitle(folders, name, name));
    bodyOf(await restoreThere(folders, name, 1), 201);
    const { metadata } = bodyOf(await folders.get(name), 200);
    expect(metadata.annotations).not.to.have.property(FOLDER);
    expect(metadata.labels, 'labels are not part of a version').to.include({ a: 'b' });
  });

  it('brings back the content of a version and leaves the object where it is, also if its former folder is gone', async () => {
    const [name, parent] = [freshName('f'), freshName('f')];
    await world.folder(parent);
    await world.folder(name, parent);
    bodyOf(await folders.merge(name, { metadata: { annotations: { [FOLDER]: null } }, spec: { title: 'Two' } }), 200);
    await removed(folders, parent);
    const attempt = () => restoreThere(folders, name, 1);
    expectStatus(await changingNothing(server(), attempt), 400, 'Invalid', `there is no "${parent}"`);
    bodyOf(await restore(folders, name, 1), 201);
    const back = bodyOf(await folders.get(name), 200);
    expect(back.spec).to.deep.equal({ title: name });
    expect(back.metadata.annotations).not.to.have.property(FOLDER);
  });

  it('brings back neither finalizers, owners, labels nor annotations', async () => {
    const [name, owner] = [freshName('d'), freshName('d')];
    const { uid } = (await world.dashboard(owner)).metadata;
    const owners = [{ apiVersion: 'dashboard.svc.app/v1beta1', kind: 'Dashboard', name: owner, uid }];
    const before = { labels: { a: '1' }, finalizers: ['example.com/hold'], ownerReferences: owners };
    await world.dashboard(name);
    bodyOf(await dashboards.merge(name, { metadata: { ...before, annotations: { b: '1' } } }), 200);
    const after = { labels: { a: '2' }, finalizers: null, ownerReferences: null, annotations: { b: '2' } };
    bodyOf(await dashboards.merge(name, { metadata: after, spec: { title: 'Two' } }), 200);
    bodyOf(await restoreThere(dashboards, name, 1), 201);
    const { metadata, spec } = bodyOf(await dashboards.get(name), 200);
    expect(spec).to.deep.equal({ title: name });
    expect(metadata).not.to.have.any.keys('finalizers', 'ownerReferences');
    expect(metadata.labels).to.include({ a: '2' });
    expect(metadata.annotations).to.include({ b: '2' });
  });

  it('brings back an earlier version as the next one', async () => {
    const name = await changed();
    const before = bodyOf(await folders.get(name), 200);
    const answer = bodyOf(await restore(folders, name, 1), 201);
    const after = bodyOf(await folders.get(name), 200);
    expect(answer).to.deep.include({
      kind: 'Restore',
      spec: { version: 1 },
      status: {
        version: 4,
        objects: 1,
        leftOut: [],
        restored: [{ apiVersion: after.apiVersion, kind: 'Folder', name, title: 'One' }],
      },
    });
    expect(after.spec).to.deep.equal({ title: 'One' });
    expect(after.metadata).to.include({ uid: before.metadata.uid, generation: 4 });
    expect(after.metadata.labels).to.deep.equal(before.metadata.labels);
    const [newest] = await versions(folders, name);
    expect(newest).to.include({ version: 4, message: 'Restored from version 1' });
    await changingNothing(server(), async () => bodyOf(await restore(folders, name, 4), 201));
  });

  it('does not bring back what does not exist, and refuses wrong bodies', async () => {
    const name = await changed();
    const refuse = async (body: unknown, code: number, reason: string, message: string): Promise<void> => {
      const attempt = () => folders.subresource('restore').post(name, body);
      expectStatus(await changingNothing(server(), attempt), code, reason, message);
    };
    await refuse({ spec: { version: 9 } }, 404, 'NotFound', 'version 9');
    await refuse({ spec: {} }, 422, 'Invalid', 'name the version');
    await refuse({}, 422, 'Invalid', 'name the version');
    await refuse({ spec: { version: 0 } }, 422, 'Invalid', 'spec.version');
    await refuse({ spec: { version: '1' } }, 400, 'BadRequest', 'version');
    await refuse({ spec: { version: 1 }, metadata: { resourceVersion: '1' } }, 409, 'Conflict', 'modified');
    await refuse({ spec: { version: 1 }, metadata: { uid: 'x' } }, 409, 'Conflict', 'UID');
    await refuse([], 400, 'BadRequest', 'JSON object');
    const dry = () => restore(folders, name, 1, { query: { dryRun: 'All' } });
    bodyOf(await changingNothing(server(), dry), 201);
  });

  it('of an object that never was is not found', async () => {
    expectStatus(await folders.subresource('history').get('nobody'), 404, 'NotFound');
    expectStatus(await restore(folders, 'nobody'), 404, 'NotFound');
  });

  it('ends with the object: another object with its name has a history of its own', async () => {
    const name = await changed();
    await removed(folders, name);
    expect(numbers(await versions(folders, name))).to.deep.equal([3, 2, 1]);
    await world.folder(name, undefined, { spec: { title: 'Another' } });
    expect(numbers(await versions(folders, name))).to.deep.equal([1]);
    expectStatus(await restore(folders, name, 3), 404, 'NotFound');
  });
});

eachStore('the message of a version', (server) => {
  const { folder, folders, versions } = worldOf(server);
  const messages = async (name: string): Promise<readonly unknown[]> =>
    (await versions(folders, name)).map(({ message }) => message);

  it('is set by the write that makes it, also a create', async () => {
    const name = freshName('f');
    await folder(name, undefined, { metadata: { name, annotations: { [MESSAGE]: 'first' } } });
    await retitle(folders, name, 'Two', 'second');
    expect(await messages(name)).to.deep.equal(['second', 'first']);
  });

  it('is not kept by the next version, even if the client sends it back', async () => {
    const name = freshName('f');
    await folder(name, undefined, { metadata: { name, annotations: { [MESSAGE]: 'first' } } });
    const read = bodyOf(await folders.get(name), 200);
    bodyOf(await folders.put(name, { ...read, spec: { title: 'Two' } }), 200);
    expect(await messages(name)).to.deep.equal([undefined, 'first']);
  });

  it('stays when the version stays', async () => {
    const name = freshName('f');
    await folder(name, undefined, { metadata: { name, annotations: { [MESSAGE]: 'first' } } });
    bodyOf(await folders.merge(name, { metadata: { labels: { a: 'b' } } }), 200);
    const { apiVersion, kind, spec } = bodyOf(await folders.get(name), 200);
    const bare = { apiVersion, kind, spec, metadata: { name, labels: { a: 'b' } } };
    await changingNothing(server(), () => folders.put(name, bare));
    expect(await messages(name)).to.deep.equal(['first']);
  });

  it('has at most 5,000 characters', async () => {
    const metadata = { name: freshName('f'), annotations: { [MESSAGE]: 'x'.repeat(5001) } };
    const attempt = () =>
      folders.create({ apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', metadata, spec: { title: 'x' } });
    expectStatus(await changingNothing(server(), attempt), 400, 'Invalid', '5000');
  });
});
