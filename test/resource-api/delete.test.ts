import { expect } from 'chai';
import { bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { folder, foldersOf, namesOf } from './folders.js';

const FINALIZER = 'example.com/hold';

oneStore('DELETE of a folder', (server) => {
  const folders = foldersOf(server);
  const chain = async (...options: readonly (readonly string[])[]) => {
    const names: string[] = [];
    for (const finalizers of options) {
      const parent = names.at(-1);
      const name = freshName();
      await folders.make(name, { finalizers, ...(parent === undefined ? {} : { parent }) });
      names.push(name);
    }
    return names;
  };
  const isGone = async (name: string) => expectStatus(await folders.get(name), 404, 'NotFound');
  const release = async (name: string) => bodyOf(await folders.merge(name, { metadata: { finalizers: null } }), 200);

  it('returns the last state of the folder, and deletes its contents', async () => {
    const [top = '', middle = '', leaf = ''] = await chain([], [], []);
    const before = await folders.read(top);
    const body = bodyOf(await folders.remove(top), 200);
    expect(body.kind).to.equal('Folder');
    expect(body.spec).to.deep.equal(before.spec);
    expect(body.metadata.uid).to.equal(before.metadata.uid);
    for (const name of [top, middle, leaf]) await isGone(name);
  });

  // Promise: contract 5.8
  it('that was deleted with its container a moment ago succeeds, as kubectl delete -f needs it', async () => {
    const [top = '', leaf = ''] = await chain([], []);
    const { uid } = (await folders.read(leaf)).metadata;
    bodyOf(await folders.remove(top), 200);
    expect(bodyOf(await folders.remove(leaf), 200).metadata.uid).to.equal(uid);
    expect(bodyOf(await folders.remove(leaf, { body: { preconditions: { uid } } }), 200).metadata.uid).to.equal(uid);
    expectStatus(await folders.remove(leaf, { body: { preconditions: { uid: 'other' } } }), 404, 'NotFound');
    expectStatus(await folders.remove(top), 404, 'NotFound');
  });

  it('that was deleted with its container answers 404 to callers who could not have deleted it, and once the container exists again', async () => {
    const [top = '', leaf = ''] = await chain([], []);
    bodyOf(await folders.remove(top), 200);
    const viewer = { name: 'vera', uid: 'vera', groups: ['system:authenticated'], extra: {} };
    expect((await folders.remove(leaf, { user: viewer })).status).to.be.oneOf([403, 404]);
    await folders.make(top);
    expectStatus(await folders.remove(leaf), 404, 'NotFound');
  });

  it('with Foreground or Background deletes the contents too', async () => {
    for (const propagationPolicy of ['Foreground', 'Background']) {
      const [top = '', leaf = ''] = await chain([], []);
      bodyOf(await folders.remove(top, { query: { propagationPolicy } }), 200);
      await isGone(top);
      await isGone(leaf);
    }
  });

  // Promise: contract 5.9
  it('with Orphan is Invalid, in every form of the option', async () => {
    const [name = ''] = await chain([]);
    const options = [
      { query: { propagationPolicy: 'Orphan' } },
      { body: { propagationPolicy: 'Orphan' } },
      { query: { orphanDependents: true } },
      { body: { orphanDependents: true } },
    ];
    for (const option of options) {
      const answer = await changingNothing(server(), () => folders.remove(name, option));
      const { details } = expectStatus(answer, 422, 'Invalid', 'Orphan is not supported');
      expect(details.causes?.[0]?.field).to.equal('propagationPolicy');
    }
  });

  // Promise: contract 5.8
  it('with invalid options is refused', async () => {
    const [name = ''] = await chain([]);
    const cases: readonly (readonly [Parameters<typeof folders.remove>[1], number, string])[] = [
      [{ query: { propagationPolicy: 'Sideways' } }, 422, 'supported values: "Background", "Foreground", "Orphan"'],
      [{ body: { propagationPolicy: 'Sideways' } }, 422, 'supported values: "Background", "Foreground", "Orphan"'],
      [{ body: { propagationPolicy: 'Background', orphanDependents: false } }, 422, 'cannot be both set'],
      [{ query: { gracePeriodSeconds: 'soon' } }, 400, 'gracePeriodSeconds must be an integer'],
      [{ query: { dryRun: 'Some' } }, 422, 'supported values: "All"'],
      [{ body: { dryRun: ['Some'] } }, 422, 'supported values: "All"'],
      [{ query: { forceDeleteRules: 'perhaps' } }, 400, 'forceDeleteRules'],
      [{ query: { forceDeleteRules: '' } }, 400, 'forceDeleteRules'],
      [{ body: { kind: 'Folder' } }, 400, 'the body must be DeleteOptions'],
      [{ body: [] }, 400, 'the body must be DeleteOptions'],
      [{ body: { preconditions: 'mine' } }, 400, 'preconditions'],
      [{ body: '{' }, 400, 'not valid JSON'],
    ];
    for (const [options, code, message] of cases) {
      const answer = await changingNothing(server(), () => folders.remove(name, options));
      expectStatus(answer, code, code === 400 ? 'BadRequest' : 'Invalid', message);
    }
    expectStatus(
      await folders.remove(name, { body: 'x', headers: { 'content-type': 'text/plain' } }),
      415,
      'UnsupportedMediaType',
    );
    bodyOf(await folders.get(name), 200);
  });

  it('accepts forceDeleteRules', async () => {
    for (const forceDeleteRules of [true, false]) {
      const [name = ''] = await chain([]);
      bodyOf(await folders.remove(name, { query: { forceDeleteRules } }), 200);
    }
  });

  it('keeps folders with finalizers and their parents until the last finalizer is removed', async () => {
    const [top = '', held = '', leaf = ''] = await chain([], [FINALIZER], []);
    const beside = freshName();
    await folders.make(beside, { parent: top });
    const body = bodyOf(await folders.remove(top), 200);
    expect(body.metadata.deletionTimestamp).to.be.a('string');
    await isGone(leaf);
    await isGone(beside);
    for (const name of [top, held]) expect((await folders.read(name)).metadata.deletionTimestamp).to.be.a('string');
    const last = await release(held);
    expect(last.metadata.name).to.equal(held);
    await isGone(held);
    await isGone(top);
  });

  it('waits for each of several finalizers in a subtree, in any order', async () => {
    const [top = '', middle = '', leaf = ''] = await chain([FINALIZER], [], [FINALIZER]);
    bodyOf(await folders.remove(top), 200);
    await release(top);
    expect((await folders.read(top)).metadata).to.not.have.property('finalizers');
    bodyOf(await folders.get(middle), 200);
    await release(leaf);
    for (const name of [top, middle, leaf]) await isGone(name);

    const [upper = '', lower = ''] = await chain([FINALIZER], [FINALIZER]);
    bodyOf(await folders.remove(upper), 200);
    await release(lower);
    await isGone(lower);
    bodyOf(await folders.get(upper), 200);
    await release(upper);
    await isGone(upper);
  });

  it('of a terminating folder below another terminating one changes nothing', async () => {
    const [top = '', held = ''] = await chain([], [FINALIZER]);
    bodyOf(await folders.remove(top), 200);
    await changingNothing(server(), async () => bodyOf(await folders.remove(held), 200));
    await changingNothing(server(), async () => bodyOf(await folders.remove(top), 200));
    await release(held);
    await isGone(top);
  });

  it('prevents creating folders in, and moving folders to, a terminating folder', async () => {
    const [held = ''] = await chain([FINALIZER]);
    const [other = ''] = await chain([]);
    bodyOf(await folders.remove(held), 200);
    await changingNothing(server(), async () => {
      const created = await folders.create(folder(freshName(), { parent: held }));
      expectStatus(created, 409, 'Conflict', 'is being deleted');
      expectStatus(await folders.move(other, held), 409, 'Conflict', 'is being deleted');
    });
  });

  it('prevents moving a terminating folder away from a parent that waits for it', async () => {
    const [top = '', held = ''] = await chain([], [FINALIZER]);
    const [other = ''] = await chain([]);
    bodyOf(await folders.remove(top), 200);
    await changingNothing(server(), async () => {
      for (const parent of [null, '', 'general', other]) {
        expectStatus(await folders.move(held, parent), 409, 'Conflict', 'it cannot be moved');
      }
      const both = { metadata: { finalizers: null, annotations: { 'svc.app/folder': other } } };
      expectStatus(await folders.merge(held, both), 409, 'Conflict', 'it cannot be moved');
    });
    await release(held);
    await isGone(top);
  });

  it('in a dry run returns the object as it would be, and writes nothing', async () => {
    const [top = '', held = ''] = await chain([], [FINALIZER]);
    await changingNothing(server(), async () => {
      const body = bodyOf(await folders.remove(top, { query: { dryRun: 'All' } }), 200);
      expect(body.metadata.deletionTimestamp).to.be.a('string');
    });
    expect((await folders.read(held)).metadata).to.not.have.property('deletionTimestamp');
  });

  it('of a collection skips objects that were already deleted with their parent', async () => {
    const labels = { batch: freshName() };
    const top = freshName();
    const leaf = freshName();
    await folders.make(top, { labels });
    await folders.make(leaf, { labels, parent: top });
    const query = { labelSelector: `batch=${labels.batch}` };
    const list = bodyOf(await folders.removeAll({ query }), 200);
    expect(namesOf(list)).to.have.members([top, leaf]);
    await isGone(top);
    await isGone(leaf);
  });
});
