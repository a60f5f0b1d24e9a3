import { expect } from 'chai';
import type { Kind } from '../../kinds/kind.js';
import { CHEST, create, createMany, LAMP, LEAF, MEMO, pathTo } from '../../testing/house.js';
import { ANN, type Received, type Sent } from '../../testing/served.js';
import { useHall } from '../testing/house.js';

describe('DELETE', () => {
  const served = useHall('test');

  const remove = (kind: Kind, name = '', sent: Sent = {}): Promise<Received> =>
    served().send('DELETE', pathTo(kind, name), sent);
  const exists = async (kind: Kind, name: string): Promise<boolean> =>
    (await served().send('GET', pathTo(kind, name))).status === 200;
  const lamp = (name: string, metadata: object = {}) => create(served(), LAMP, name, { watts: 1 }, metadata);

  describe('of an object', () => {
    it('answers with a Status that names the object and its uid, for kubectl waits until that is gone', async () => {
      const { uid } = (await lamp('a')).body.metadata;
      const { status, headers, body } = await remove(LAMP, 'a');
      expect([status, headers['content-type'], headers['warning']]).to.deep.equal([200, 'application/json', undefined]);
      expect(body).to.deep.equal({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: 'a', group: 'house.svc.app', kind: 'lamps', uid },
      });
      expect(await exists(LAMP, 'a')).to.equal(false);
    });

    it('answers with the object if the kind returns it', async () => {
      const { body } = await create(served(), MEMO, 'm', { text: 'milk' });
      const deleted = await remove(MEMO, 'm');
      expect([deleted.status, deleted.body]).to.deep.include.members([200]);
      expect(deleted.body).to.deep.include({ kind: 'Memo', text: 'milk' });
      expect(deleted.body.metadata.uid).to.equal(body.metadata.uid);
    });

    it('answers with the object if something holds it', async () => {
      await lamp('a', { finalizers: ['example.com/hold'] });
      const { status, body } = await remove(LAMP, 'a');
      expect([status, body.kind]).to.deep.equal([200, 'Lamp']);
      expect(body.metadata).to.have.property('deletionTimestamp');
      expect(await exists(LAMP, 'a')).to.equal(true);
    });

    it('also deletes objects that depend on others', async () => {
      await create(served(), LEAF, 'x', { tree: 'oak', size: 1 });
      expect((await remove(LEAF, 'x')).status).to.equal(200);
      expect(await exists(LEAF, 'x')).to.equal(false);
    });

    it('checks a uid and a version, and deletes nothing in a dry run', async () => {
      const { uid, resourceVersion } = (await lamp('a')).body.metadata;
      for (const preconditions of [{ uid: 'other' }, { resourceVersion: '1' }])
        expect((await remove(LAMP, 'a', { body: { preconditions } })).status).to.equal(409);
      expect((await remove(LAMP, 'a', { query: 'dryRun=All' })).status).to.equal(200);
      expect(await exists(LAMP, 'a')).to.equal(true);
      expect((await remove(LAMP, 'a', { body: { preconditions: { uid, resourceVersion } } })).status).to.equal(200);
    });

    it('is refused without the permission, and answers 404 if there is none', async () => {
      await lamp('a');
      expect((await remove(LAMP, 'a', { user: ANN })).status).to.equal(403);
      expect(await exists(LAMP, 'a')).to.equal(true);
      const { status, body } = await remove(LAMP, 'b');
      expect([status, body.reason]).to.deep.equal([404, 'NotFound']);
    });
  });

  describe('of an object that went with its container', () => {
    const inChest = { annotations: { in: 'oak' } };
    beforeEach(async () => {
      await create(served(), CHEST, 'oak');
      await lamp('a', inChest);
    });
    const again = async (sent: Sent = {}) => (await remove(LAMP, 'a', sent)).status;

    it('succeeds for a minute, with the same answer, because tools delete trees object by object', async () => {
      const { uid } = (await served().send('GET', pathTo(LAMP, 'a'))).body.metadata;
      await remove(CHEST, 'oak');
      expect(await exists(LAMP, 'a')).to.equal(false);
      const { status, body } = await remove(LAMP, 'a');
      expect([status, body.details]).to.deep.equal([200, { name: 'a', group: 'house.svc.app', kind: 'lamps', uid }]);
      served().time += 59_000;
      expect(await again()).to.equal(200);
      served().time += 2000;
      await lamp('other');
      expect(await again()).to.equal(404);
    });

    it('checks its uid', async () => {
      const { uid } = (await served().send('GET', pathTo(LAMP, 'a'))).body.metadata;
      await remove(CHEST, 'oak');
      expect(await again({ body: { preconditions: { uid: 'other' } } })).to.equal(404);
      expect(await again({ body: { preconditions: { uid } } })).to.equal(200);
    });

    it('needs the permission that the caller had before', async () => {
      const may = (verb: string, name: string) => ({ action: `lamps:${verb}`, scope: `lamps:${name}` });
      await remove(CHEST, 'oak');
      for (const permissions of [[], [may('delete', 'uid:b')], [may('read', '*')]]) {
        served().permissions = permissions;
        expect(await again({ user: ANN })).to.equal(403);
      }
      served().permissions = ['delete', 'read'].map((verb) => ({ action: `lamps:${verb}`, scope: 'chests:uid:oak' }));
      // The permission came from the container: now it is refused as for an object that never was.
      expect([await again({ user: ANN }), (await remove(LAMP, 'never', { user: ANN })).status]).to.deep.equal([
        403, 403,
      ]);
      served().permissions = [may('delete', '*'), may('read', '*')];
      expect(await again({ user: ANN })).to.equal(200);
    });

    it('fails if the object was deleted by itself, or its container is there', async () => {
      expect([await again(), await again()]).to.deep.equal([200, 404]);
      await lamp('a', inChest);
      await remove(LAMP, 'a');
      await remove(CHEST, 'oak');
      expect(await again()).to.equal(404);
      await create(served(), CHEST, 'oak');
      await lamp('a', inChest);
      await remove(CHEST, 'oak');
      expect(await again()).to.equal(200);
      await create(served(), CHEST, 'oak');
      expect(await again()).to.equal(404);
    });

    it('fails if the object was in no container, or is of a kind that has none', async () => {
      await lamp('free');
      await create(served(), CHEST, 'pine');
      for (const [kind, name] of [
        [LAMP, 'free'],
        [CHEST, 'pine'],
      ] as const) {
        expect((await remove(kind, name)).status).to.equal(200);
        expect((await remove(kind, name)).status).to.equal(404);
      }
    });

    it('deletes the object if it came back', async () => {
      await remove(CHEST, 'oak');
      await lamp('a');
      expect([await again(), await again()]).to.deep.equal([200, 404]);
    });
  });

  describe('of a collection', () => {
    it('deletes what is selected and answers with it', async () => {
      for (const name of ['a', 'b', 'c']) await lamp(name, { labels: { kept: String(name === 'b') } });
      const { status, body } = await remove(LAMP, '', { query: 'labelSelector=kept=false' });
      expect([status, body.kind]).to.deep.equal([200, 'LampList']);
      expect(body.items.map(({ metadata }) => metadata.name)).to.deep.equal(['a', 'c']);
      expect([await exists(LAMP, 'a'), await exists(LAMP, 'b'), await exists(LAMP, 'c')]).to.deep.equal([
        false,
        true,
        false,
      ]);
    });

    it('deletes more than fit into one commit of its requests', async () => {
      const names = Array.from({ length: 105 }, (_, i) => `n${i + 100}`);
      await createMany(served(), LAMP, names, { watts: 1 });
      await remove(LAMP);
      expect((await served().send('GET', pathTo(LAMP))).body.items).to.deep.equal([]);
    });

    it('deletes only what the caller may view and delete', async () => {
      for (const name of ['a', 'b', 'c']) await lamp(name);
      const may = (verb: string, name: string) => ({ action: `lamps:${verb}`, scope: `lamps:uid:${name}` });
      served().permissions = [may('read', 'a'), may('read', 'b'), may('delete', 'b'), may('delete', 'c')];
      const { body } = await remove(LAMP, '', { user: ANN });
      expect(body.items.map(({ metadata }) => metadata.name)).to.deep.equal(['b']);
      expect([await exists(LAMP, 'a'), await exists(LAMP, 'b'), await exists(LAMP, 'c')]).to.deep.equal([
        true,
        false,
        true,
      ]);
      expect((await remove(CHEST, '', { user: ANN })).status).to.equal(403);
    });

    it('skips what went with its container meanwhile', async () => {
      for (const name of ['oak', 'pine']) await create(served(), CHEST, name);
      await lamp('a', { annotations: { in: 'oak' } });
      expect((await remove(CHEST)).status).to.equal(200);
      expect((await served().send('GET', pathTo(LAMP))).body.items).to.deep.equal([]);
    });

    it('deletes a page of it if the client limits it, and nothing in a dry run', async () => {
      for (const name of ['a', 'b', 'c']) await lamp(name);
      await remove(LAMP, '', { query: 'dryRun=All' });
      expect(await exists(LAMP, 'a')).to.equal(true);
      const { body } = await remove(LAMP, '', { query: 'limit=2' });
      expect(body.metadata.continue).to.be.a('string');
      expect([await exists(LAMP, 'b'), await exists(LAMP, 'c')]).to.deep.equal([false, true]);
    });

    it('fails if one of them cannot be deleted', async () => {
      await lamp('a');
      const query = '';
      const { status } = await remove(LAMP, '', { query, body: { preconditions: { uid: 'other' } } });
      expect(status).to.equal(409);
      expect(await exists(LAMP, 'a')).to.equal(true);
    });
  });
});
