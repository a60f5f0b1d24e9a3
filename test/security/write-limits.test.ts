import { expect } from 'chai';
import type { WriteSettings } from '../../cmd/apiserver/write-limits.js';
import { openMemory } from '../../storage/memory/backend.js';
import type { Space } from '../../storage/space.js';
import { around } from '../../storage/testing/engine/around.js';
import { addPeople, EDITOR, person } from '../access/people.js';
import type { Answer } from '../harness/answer.js';
import { changingNothing } from '../harness/resource.js';
import { openServer, type Server } from '../harness/server.js';
import { onEachStore, oneStore } from '../harness/stores.js';
import { dashboard } from '../resource-api/dashboards.js';

const DASHBOARDS = '/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards';
const KIB = 1024;
const GIB = 2 ** 30;
const merge = { 'content-type': 'application/merge-patch+json' };
const text = (bytes: number): string => 'z'.repeat(bytes);

/** Writes of dashboards by both APIs. */
function writesOn(server: () => Server) {
  const create = (name: string, bytes: number, user = EDITOR) =>
    server().call('POST', DASHBOARDS, { user, body: dashboard(name, { spec: { text: text(bytes) } }) });
  const patch = (name: string, metadata: object, user = EDITOR) =>
    server().call('PATCH', `${DASHBOARDS}/${name}`, { user, body: { metadata }, headers: merge });
  const remove = (name: string, user = EDITOR) => server().call('DELETE', `${DASHBOARDS}/${name}`, { user });
  const inLegacy = (method: string, path: string, body?: object) =>
    server().call(method, `/api${path}`, {
      user: { ...EDITOR, extra: { 'svc.app/organization': ['default'] } },
      ...(body && { body }),
    });
  return { create, patch, remove, inLegacy };
}

const budget = (burst: number, perSecond: number): WriteSettings => ({
  budget: { burst, perSecond },
  reserve: { bytes: 0 },
  historyBytes: GIB,
});

oneStore(
  'The bytes that a user writes',
  (server) => {
    const { create, patch, remove, inLegacy } = writesOn(server);
    const expectTooMuch = async (tried: () => Promise<Answer>): Promise<void> => {
      const before = await server().end();
      const { status, text: body, headers } = await tried();
      expect(status, body).to.equal(429);
      expect(body).to.contain('written too many bytes in a short time');
      expect(Number(headers['retry-after'])).to.be.greaterThan(1);
      expect(await server().end()).to.equal(before);
    };

    before(async () => {
      await addPeople(server());
      expect((await create('large', 400 * KIB)).status).to.equal(201);
      // A label of a few bytes writes the object twice, and the former one.
      expect((await patch('large', { labels: { a: '1' } })).status).to.equal(200);
    });

    // Promise: security work
    it('are counted as the store writes them, and more are 429 with Retry-After, by every way to write', async () => {
      await expectTooMuch(() => patch('large', { labels: { a: '2' } }));
      await expectTooMuch(() => create('small', 1));
      await expectTooMuch(() => inLegacy('POST', '/dashboards/db', { dashboard: { title: 'legacy' } }));
      await expectTooMuch(() =>
        server().call('PATCH', `${DASHBOARDS}/applied?fieldManager=m`, {
          user: EDITOR,
          body: dashboard('applied'),
          headers: { 'content-type': 'application/apply-patch+yaml' },
        }),
      );
    });

    it('are not counted by a dry run, which writes nothing', async () => {
      expect(
        (
          await server().call('PATCH', `${DASHBOARDS}/large?dryRun=All`, {
            user: EDITOR,
            body: { metadata: { labels: { a: '3' } } },
            headers: merge,
          })
        ).status,
      ).to.equal(200);
    });

    it('are of each user alone, and administrators of the server have no bound', async () => {
      expect((await create('of-adam', 1, person('adam'))).status).to.equal(201);
      for (let i = 0; i < 3; i++) {
        const { status } = await server().call('PATCH', `${DASHBOARDS}/large`, {
          body: { metadata: { labels: { a: `m${i}` } } },
          headers: merge,
        });
        expect(status).to.equal(200);
      }
    });

    it('do not keep a user from deleting', async () => {
      expect((await remove('large')).status).to.equal(200);
    });
  },
  { writes: budget(1200 * KIB, KIB) },
);

oneStore(
  'A write that is refused or does not happen',
  (server) => {
    const { create } = writesOn(server);
    before(() => addPeople(server()));

    it('gives back what it was charged', async () => {
      expect((await create('taken', 1)).status).to.equal(201);
      for (let i = 0; i < 20; i++) expect((await create('taken', 400 * KIB)).status).to.equal(409);
      expect((await create('free', 400 * KIB)).status).to.equal(201);
    });
  },
  { writes: budget(100 * KIB, 1) },
);

oneStore(
  'An object',
  (server) => {
    const { create, patch } = writesOn(server);
    const merged = (spec: object, query = '') =>
      server().call('PATCH', `${DASHBOARDS}/grown${query}`, { user: EDITOR, body: { spec }, headers: merge });
    const applied = (manager: number, names: readonly string[]) =>
      server().call('PATCH', `${DASHBOARDS}/managed?fieldManager=m${manager}`, {
        user: EDITOR,
        body: dashboard('managed', { spec: Object.fromEntries(names.map((name) => [name, true])) }),
        headers: { 'content-type': 'application/apply-patch+yaml' },
      });
    const expectTooLarge = async (tried: () => Promise<Answer>): Promise<void> => {
      const { status, text: body } = await changingNothing(server(), tried);
      expect(status, body).to.equal(413);
      expect(body).to.contain('at most 102400 are stored of an object');
    };
    before(() => addPeople(server()));

    // Promise: security work
    it('does not grow without end by patches that each add to it', async () => {
      expect((await create('grown', 40 * KIB)).status).to.equal(201);
      expect((await merged({ more: text(40 * KIB) })).status).to.equal(200);
      await expectTooLarge(() => merged({ again: text(40 * KIB) }));
      await expectTooLarge(() => merged({ again: text(40 * KIB) }, '?dryRun=All'));
      await expectTooLarge(() => create('new', 120 * KIB));
      await expectTooLarge(() => patch('grown', { annotations: { long: text(40 * KIB) } }));
      expect((await merged({ more: null })).status).to.equal(200);
    });

    // Promise: security work
    it('does not grow without end by managers that each own all of its fields', async () => {
      const names = Array.from({ length: 1000 }, (_, i) => `field${i}`);
      let manager = 0;
      while ((await applied(manager, names)).status < 300) expect(manager++).to.be.lessThan(10);
      await expectTooLarge(() => applied(manager, names));
    });
  },
  { writes: { ...budget(GIB, GIB), objectBytes: 100 * KIB } },
);

/** A server with a disk that the test fills. */
const disk: { space: Space } = { space: { free: 100 * GIB, reusable: 0, total: 100 * GIB } };
const withDisk: WriteSettings = {
  budget: { burst: GIB, perSecond: GIB },
  reserve: { bytes: GIB, period: 3_600_000 },
  historyBytes: GIB,
};

onEachStore(
  'A disk with less than the reserve',
  (backend) => openServer(around(backend, { space: async () => disk.space }), { writes: withDisk }),
  (server) => {
    const { create, patch, remove, inLegacy } = writesOn(server);
    const setFree = async (free: number): Promise<void> => {
      disk.space = { ...disk.space, free };
      await server().api.disk?.measure();
    };
    const expectNoRoom = async (tried: () => Promise<Answer>): Promise<void> => {
      const before = await server().end();
      const { status, text: body, headers } = await tried();
      expect(status, body).to.equal(507);
      expect(body).to.contain('600 MiB left, and 1024 MiB are kept for deletions and administrators');
      expect(body).to.contain('Deletions are possible, and writes of administrators of the server');
      expect(headers['retry-after'], 'only people can make room').to.equal(undefined);
      expect(await server().end()).to.equal(before);
    };

    before(async () => {
      await addPeople(server());
      for (const name of ['a', 'b', 'c', 'd']) expect((await create(name, 10)).status).to.equal(201);
      await setFree(600 * 2 ** 20);
    });
    after(() => setFree(100 * GIB));

    // Promise: contract 6, security work
    it('refuses writes of ordinary callers with 507, by every way to write', async () => {
      await expectNoRoom(() => create('new', 1));
      await expectNoRoom(() => patch('a', { labels: { x: 'y' } }));
      await expectNoRoom(() => inLegacy('POST', '/dashboards/db', { dashboard: { title: 'legacy' } }));
      await expectNoRoom(() => inLegacy('PATCH', '/user/preferences', { theme: 'dark' }));
    });

    // Promise: security work
    it('lets everybody delete what they may delete, by both APIs', async () => {
      expect((await remove('a')).status).to.equal(200);
      expect((await inLegacy('DELETE', '/dashboards/uid/b')).status).to.equal(200);
      const all = `${DASHBOARDS}?fieldSelector=metadata.name%3Dc`;
      expect((await server().call('DELETE', all, { user: EDITOR })).status).to.equal(200);
    });

    it('lets administrators of the server write', async () => {
      const body = dashboard('of-admin');
      expect((await server().call('POST', DASHBOARDS, { body })).status).to.equal(201);
    });

    it('keeps half of the reserve for deletions: an administrator who fills it is refused, too, and may delete', async () => {
      await setFree(511 * 2 ** 20);
      const refused = await server().call('POST', DASHBOARDS, { body: dashboard('too-much') });
      expect(refused.status, refused.text).to.equal(507);
      expect(refused.text).to.contain('511 MiB left, and 512 MiB are kept for deletions alone');
      const { text: toEditor } = await create('of-editor', 1);
      expect(toEditor).to.contain('Deletions are possible').and.not.to.contain('administrators of the server');
      expect((await server().call('DELETE', `${DASHBOARDS}/of-admin`)).status).to.equal(200);
      await setFree(600 * 2 ** 20);
    });

    it('lets administrators remove the last finalizer of an object that is deleted', async () => {
      const held = dashboard('held', { finalizers: ['example.com/hold'] });
      expect((await server().call('POST', DASHBOARDS, { body: held })).status).to.equal(201);
      expect((await server().call('DELETE', `${DASHBOARDS}/held`)).status).to.equal(200);
      await setFree(511 * 2 ** 20);
      const body = { metadata: { finalizers: null } };
      const released = await server().call('PATCH', `${DASHBOARDS}/held`, { body, headers: merge });
      expect(released.status, released.text).to.equal(200);
      expect((await server().call('GET', `${DASHBOARDS}/held`)).status).to.equal(404);
      await setFree(600 * 2 ** 20);
    });

    it('lets everybody remove one of several finalizers of an object that is deleted, and nothing else', async () => {
      await setFree(2 * GIB);
      const held = dashboard('held-twice', { finalizers: ['example.com/a', 'example.com/b'] });
      expect((await server().call('POST', DASHBOARDS, { body: held })).status).to.equal(201);
      expect((await remove('held-twice')).status).to.equal(200);
      await setFree(511 * 2 ** 20);
      expect((await patch('held-twice', { labels: { x: 'y' } })).status).to.equal(507);
      const large = { metadata: { finalizers: ['example.com/b'] }, spec: { text: 'x'.repeat(20_000) } };
      const path = `${DASHBOARDS}/held-twice`;
      const grown = await server().call('PATCH', path, { body: large, headers: merge, user: EDITOR });
      expect(grown.status, grown.text).to.equal(507);
      expect((await patch('held-twice', { finalizers: ['example.com/b'] })).status).to.equal(200);
      expect((await patch('held-twice', { finalizers: null })).status).to.equal(200);
      expect((await server().call('GET', `${DASHBOARDS}/held-twice`)).status).to.equal(404);
      await setFree(600 * 2 ** 20);
    });

    it('lets the last finalizer of a member of an apply set be removed', async () => {
      await setFree(2 * GIB);
      const body = { spec: { objects: [dashboard('member', { finalizers: ['example.com/a'] })] } };
      const path = '/apis/apply.svc.app/v1beta1/namespaces/default/applysets/disk/apply';
      expect((await server().call('POST', path, { body })).status).to.equal(201);
      expect((await remove('member')).status).to.equal(200);
      await setFree(511 * 2 ** 20);
      expect((await patch('member', { finalizers: null })).status).to.equal(200);
      expect((await server().call('GET', `${DASHBOARDS}/member`)).status).to.equal(404);
      await setFree(600 * 2 ** 20);
    });

    it('lets permissions be taken away, also beside others that stay', async () => {
      await setFree(2 * GIB);
      const people = (await server().call('GET', '/api/org/users')).json() as unknown as { userId: number }[];
      const items = [
        { role: 'Viewer', permission: 1 },
        { role: 'Editor', permission: 2 },
        { userId: people[0]?.userId, permission: 1 },
      ];
      const set = (kept: typeof items) =>
        server().call('POST', '/api/dashboards/uid/d/permissions', { body: { items: kept } });
      expect((await set(items)).status).to.equal(200);
      await setFree(511 * 2 ** 20);
      const fewer = await set(items.slice(0, 2));
      expect(fewer.status, fewer.text).to.equal(200);
      await setFree(600 * 2 ** 20);
    });

    it('does not keep a new server from its first start', async () => {
      const space = async (): Promise<Space> => ({ free: 2 ** 20, reusable: 0, total: 100 * GIB });
      const fresh = await openServer(around(openMemory(), { space }), { writes: withDisk });
      const { status } = await fresh.call('GET', '/apis/iam.svc.app/v1beta1/organizations/default');
      await fresh.close();
      expect(status).to.equal(200);
    });

    it('still answers reads', async () => {
      expect((await server().call('GET', `${DASHBOARDS}/d`, { user: EDITOR })).status).to.equal(200);
    });

    it('takes all writes again as soon as there is room', async () => {
      await setFree(2 * GIB);
      expect((await create('later', 1)).status).to.equal(201);
    });
  },
);
