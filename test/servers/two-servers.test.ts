import { readFile } from 'node:fs/promises';
import { get as httpsGet } from 'node:https';
import { join } from 'node:path';
import { expect } from 'chai';
import { FOLDERS, type Ledger, list, replay, seededRandom, settle, write } from '../crash/workload.js';
import { startServer, type TestServer } from '../e2e/harness.js';
import { SERVER_STORES, storeSettings } from '../e2e/stores.js';
import { garbageCollection } from './garbage.js';
import { provisioning } from './provisioning.js';
import { stoppedServer } from './stopped.js';

const RACERS = 64;

interface Folder {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
}

const PARENT = 'svc.app/folder';
const folder = (name: string, parent?: string): unknown => ({
  metadata: { name, ...(parent === undefined ? {} : { annotations: { [PARENT]: parent } }) },
  spec: { title: name },
});

if (SERVER_STORES.includes('mongodb')) {
  describe('two servers on one database', function () {
    this.timeout(240_000);
    let a: TestServer;
    let b: TestServer;

    let settings: Readonly<Record<string, string>>;

    before(async function () {
      settings = await storeSettings(this, 'mongodb');
      [a, b] = await Promise.all([startServer({ settings }), startServer({ settings })]);
    });

    after(() => Promise.all([a?.stop(), b?.stop()]));

    const post = (server: TestServer, body: unknown) => server.client.request('POST', FOLDERS, { body });
    const get = (server: TestServer, name: string) => server.client.request('GET', `${FOLDERS}/${name}`);
    const both = () => [a, b] as const;

    it('share one certificate authority, so that a certificate of one is valid on the other', async () => {
      const [ca, cert, key] = await Promise.all(
        ['ca.crt', 'admin.crt', 'admin.key'].map((file) => readFile(join(a.folder, 'data', 'pki', file))),
      );
      expect(await readFile(join(b.folder, 'data', 'pki', 'ca.crt'))).to.deep.equal(ca);
      const status = await new Promise((resolve, reject) => {
        const path = '/apis/iam.svc.app/v1beta1/users';
        httpsGet(new URL(path, b.httpsUrl), { ca, cert, key, agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).on('error', reject);
      });
      expect(status).to.equal(200);
    });

    it('prevent a third server with another secret key from starting, with a clear error', async () => {
      const starting = startServer({ settings: { ...settings, 'security.secret_key': 'another secret of the tests' } });
      const error = await starting.then(
        (server) => server.stop(),
        (reason: unknown) => reason,
      );
      expect(String(error)).to.match(/security\.secret_key is not the key of this database/);
    });

    // Promise: contract 3.2
    it('read acknowledged writes of each other at once', async () => {
      for (let i = 0; i < 50; i++) {
        const [writer, reader] = i % 2 === 0 ? [a, b] : [b, a];
        const made = await post(writer, folder(`fresh${i}`));
        expect(made.status).to.equal(201);
        const read = await get(reader, `fresh${i}`);
        expect(read.status, `fresh${i}`).to.equal(200);
        expect(read.text).to.equal(made.text);
      }
    });

    it('read and bring back the past of each other at once', async () => {
      for (let i = 0; i < 10; i++) {
        const [name, [writer, reader]] = [`past${i}`, i % 2 === 0 ? [a, b] : [b, a]];
        const path = `${FOLDERS}/${name}`;
        await post(writer, folder(name));
        await writer.client.request('PUT', path, { body: { metadata: { name }, spec: { title: 'Changed' } } });
        const history = await reader.client.request('GET', `${path}/history`);
        expect(history.text).to.include('"version":2').and.include('"version":1');
        await writer.client.request('DELETE', path);
        const trash = await reader.client.request('GET', `${FOLDERS}?labelSelector=svc.app/get-trash=true`);
        expect(trash.text).to.include(`"${name}"`);
        const restored = await reader.client.request('POST', `${path}/restore`, { body: {} });
        expect(restored.status, restored.text).to.equal(201);
        expect((await get(writer, name)).status).to.equal(200);
      }
    });

    it('create one object if 64 requests on each server use the same name', async () => {
      const answers = await Promise.all(
        both().flatMap((server) => Array.from({ length: RACERS }, () => post(server, folder('wanted')))),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).to.have.length(1);
      expect(statuses.filter((status) => status === 409)).to.have.length(2 * RACERS - 1);
    });

    it('assign each internal id once', async () => {
      const names = Array.from({ length: 60 }, (_, i) => `id${i}`);
      const answers = await Promise.all(names.map((name, i) => post(i % 2 === 0 ? a : b, folder(name))));
      const ids = answers.map((answer) => answer.json<Folder>().metadata.labels['svc.app/deprecatedInternalID']);
      expect(new Set(ids).size).to.equal(names.length);
    });

    it('never close a cycle by two moves', async () => {
      for (let i = 0; i < 20; i++) {
        const [x, y] = [`x${i}`, `y${i}`];
        await Promise.all([post(a, folder(x)), post(b, folder(y))]);
        const move = (server: TestServer, name: string, parent: string) =>
          server.client.request('PUT', `${FOLDERS}/${name}`, { body: folder(name, parent) });
        const statuses = (await Promise.all([move(a, x, y), move(b, y, x)])).map(({ status }) => status);
        expect(statuses.sort(), `round ${i}`).to.deep.equal([200, 400]);
      }
    });

    it('never leave a child without its parent', async () => {
      for (let i = 0; i < 20; i++) {
        await post(a, folder(`p${i}`));
        const [made] = await Promise.all([
          post(b, folder(`c${i}`, `p${i}`)),
          a.client.request('DELETE', `${FOLDERS}/p${i}`),
        ]);
        expect(made.status).to.be.oneOf([201, 400]);
        expect((await get(a, `p${i}`)).status).to.equal(404);
        expect((await get(b, `c${i}`)).status, `round ${i}`).to.equal(404);
      }
    });

    // Promise: contract 3.3
    it('accept the continue tokens of each other', async () => {
      const expected = [...(await list(a.client)).titles.keys()];
      const names: string[] = [];
      let token = '';
      for (let page = 0; page === 0 || token !== ''; page++) {
        const answer = await both()[page % 2]!.client.request(
          'GET',
          `${FOLDERS}?limit=7&continue=${encodeURIComponent(token)}`,
        );
        expect(answer.status, answer.text).to.equal(200);
        const body = answer.json<{ metadata: { continue?: string }; items: readonly Folder[] }>();
        names.push(...body.items.map(({ metadata }) => metadata.name));
        token = body.metadata.continue ?? '';
        if (page === 1) await post(a, folder('afterwards'));
      }
      expect(names).to.deep.equal(expected);
    });

    it('apply one set at the same time, and see at once what differs from it by a write to the other', async () => {
      const group = 'apply.svc.app/v1beta1';
      const path = `/apis/${group}/namespaces/default/applysets/both`;
      const objects = Array.from({ length: 20 }, (_, i) => ({
        ...(folder(`set${i}`) as object),
        apiVersion: 'folder.svc.app/v1beta1',
        kind: 'Folder',
      }));
      const body = { apiVersion: group, kind: 'ApplyRequest', spec: { objects } };
      const applied = await Promise.all(
        [a, b, a, b].map((server) => server.client.request('POST', `${path}/apply`, { body })),
      );
      expect(applied.map(({ status }) => status).sort()).to.deep.equal([200, 200, 200, 201]);
      for (let i = 0; i < 6; i++) {
        const [writer, reader] = i % 2 === 0 ? [a, b] : [b, a];
        const renamed = { metadata: { name: `set${i}` }, spec: { title: `renamed${i}` } };
        const written = await writer.client.request('PUT', `${FOLDERS}/set${i}`, { body: renamed });
        expect(written.status, written.text).to.equal(200);
        const { status } = (await reader.client.request('GET', path)).json<{ status: object }>();
        expect(status).to.include({ members: 20, drifted: i + 1 });
      }
    });

    // Promise: contract 10
    it('lose no write when clients write to both, and list and watch of either lead to the same state', async () => {
      const start = await list(b.client);
      const random = seededRandom(1);
      const stop = new AbortController();
      const ledgers = new Map<string, Ledger>();
      const writers = Array.from({ length: 16 }, (_, i) => {
        const ledger: Ledger = { acknowledged: undefined, pending: undefined, operations: 0 };
        ledgers.set(`both${i}`, ledger);
        return write(both()[i % 2]!.client, `both${i}`, ledger, random, stop.signal);
      });
      await new Promise((resolve) => setTimeout(resolve, 4000));
      stop.abort();
      await Promise.all(writers);
      const last = (await post(a, folder('last'))).json<Folder>().metadata.resourceVersion;
      for (const server of both()) {
        expect(await settle(server.client, ledgers)).to.deep.equal([]);
        const replayed = await replay(server.client, start, last);
        expect([...replayed].sort()).to.deep.equal([...(await list(server.client)).titles].sort());
      }
      const operations = [...ledgers.values()].reduce((sum, ledger) => sum + ledger.operations, 0);
      console.log(`      operations: ${operations}, violations: 0`);
    });

    provisioning(() => [a, b]);
    garbageCollection(() => [a, b]);
    stoppedServer(() => [a, b]);
  });
}
