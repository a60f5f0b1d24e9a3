import { expect } from 'chai';
import { Client } from '../../../registry/client/client.js';
import { DEPENDENT_INDEX, dependentTuple } from '../../../registry/kinds/dependence.js';
import type { Owner } from '../../../storage/state/resource.js';
import { FOLDERS, folderBody } from '../../access/people.js';
import { accepted, bodyOf, expectStatus, freshName } from '../../harness/resource.js';
import { ADMIN } from '../../harness/server.js';
import { until } from '../../identity/iam.js';
import { objectOf, type Subject } from '../suite/subject.js';
import { BY_TIME, HOUR, type NoteSpec } from './kind.js';

/** Tests objects that are removed with the object on which they depend, or after a time. */
export function purge(subject: Subject): void {
  const { server, resource, examples, kind } = subject;
  const create = async (spec: Partial<NoteSpec>, metadata: object = {}) => {
    const object = objectOf(subject, examples.minimal, subject.name());
    const body = { ...object, metadata: { ...object.metadata, ...metadata }, spec: { text: 'x', time: 1, ...spec } };
    return bodyOf(await resource.create(body), 201);
  };
  const folder = async (name = freshName('owner')): Promise<Owner> => {
    const { metadata } = bodyOf(await server().call('POST', FOLDERS, { body: folderBody(name) }), 201);
    return { name, uid: metadata.uid ?? '' };
  };
  const removeFolder = async ({ name }: Owner) => accepted(await server().call('DELETE', `${FOLDERS}/${name}`), 200);
  /** The dependents that are stored. */
  const stored = async (owner: Owner) => {
    const rows = server().api.registry.reader.counts(kind.qualified, DEPENDENT_INDEX, dependentTuple('default', owner));
    return [...rows][0]?.count ?? 0;
  };
  const notes = () => {
    const { registry } = server().api;
    return new Client(registry, { user: ADMIN }).objects<NoteSpec>(registry.compiled.get('note/Note'), 'default');
  };

  describe('owners', () => {
    it('that do not exist hide an object from every read and write, until it is removed with an event', async () => {
      const belongsTo = { name: freshName('nobody'), uid: freshName('uid') };
      const time = 8e12;
      const { name, resourceVersion = '' } = (await create({ belongsTo, time })).metadata;
      const frames = await resource.watch({ resourceVersion });
      expectStatus(await resource.get(name), 404, 'NotFound');
      const query = { fieldSelector: `spec.time=${time}` };
      expect(bodyOf(await resource.list({ query }), 200).items).to.deep.equal([]);
      const initial = await resource.watch({ ...query, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' });
      expectStatus(await resource.merge(name, { spec: { text: 'y' } }), 404, 'NotFound');
      expectStatus(await resource.remove(name), 404, 'NotFound');
      expect(await notes().find(name)).to.equal(undefined);
      const found = [];
      for await (const note of notes().range({ index: BY_TIME, prefix: ['default', time] })) found.push(note);
      expect(found).to.deep.equal([]);
      expect(await stored(belongsTo)).to.equal(1);
      server().clock.advance(HOUR);
      expect(await frames.next()).to.have.property('type', 'DELETED');
      // The watch gets the deletion, although it never showed the object. Clients ignore that.
      expect(await initial.next()).to.have.property('type', 'DELETED');
      await Promise.all([frames.close(), initial.close()]);
      expect(await stored(belongsTo)).to.equal(0);
    });

    it('take their objects with them, however many there are', async () => {
      const [owner, other] = [await folder(), await folder()];
      const created = await Promise.all(Array.from({ length: 450 }, () => create({ belongsTo: owner })));
      const stays = await create({ belongsTo: other });
      const { name } = created.at(-1)?.metadata ?? { name: '' };
      accepted(await resource.get(name), 200);
      await removeFolder(owner);
      expectStatus(await resource.get(name), 404, 'NotFound');
      const again = await folder(owner.name);
      expectStatus(await resource.get(name), 404, 'NotFound');
      await until(async () => (await stored(owner)) === 0);
      expect(again.uid).not.to.equal(owner.uid);
      accepted(await resource.get(stays.metadata.name), 200);
    });

    it('that were deleted while no server ran take their objects with them at the start', async () => {
      const belongsTo = { name: freshName('nobody'), uid: freshName('uid') };
      await create({ belongsTo });
      await server().restart();
      await until(async () => (await stored(belongsTo)) === 0);
    });

    it('leave an object that has finalizers terminating, so that it can be finalized', async () => {
      const belongsTo = await folder();
      const { name } = (await create({ belongsTo }, { finalizers: ['example.com/hold'] })).metadata;
      await removeFolder(belongsTo);
      await until(async () => (await resource.get(name)).status === 200);
      expect(bodyOf(await resource.get(name), 200).metadata.deletionTimestamp).to.be.a('string');
      accepted(await resource.merge(name, { metadata: { finalizers: null } }), 200);
      await until(async () => (await stored(belongsTo)) === 0);
    });
  });

  describe('objects that are kept for a time', () => {
    it('are removed after it, with an event', async () => {
      const time = server().clock.now() - 2 * HOUR;
      const stays = [await create({ time }), await create({ time: time + 2 * HOUR, isBrief: true })];
      const old = await create({ time, isBrief: true });
      const frames = await resource.watch({ resourceVersion: old.metadata.resourceVersion ?? '' });
      server().clock.advance(60_000);
      const event = await frames.next();
      await frames.close();
      expect(event?.type).to.equal('DELETED');
      expect(event?.object.metadata.name).to.equal(old.metadata.name);
      for (const { metadata } of stays) accepted(await resource.get(metadata.name), 200);
    });
  });
}
