import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { diskOf } from '../../storage/disk.js';
import { useSmallDisk } from '../../storage/testing/small-disk.js';
import { startServer, type TestServer } from '../e2e/harness.js';
import { eventually } from '../e2e/process.js';
import { SERVER_STORES } from '../e2e/stores.js';

const DASHBOARDS = '/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards';
const merge = { 'content-type': 'application/merge-patch+json' };
/**
 * The least reserve (64 MiB), and so many objects that their deletion makes much more room than the log and the files
 * of objects keep.
 */
const DISK_MIB = 256;
const OBJECT_BYTES = 2 ** 21;

/** Milliseconds between two tries to write while the server refuses, because each sends a whole object. */
const PAUSE = 500;

/** Tries again and again until a write is taken. */
const untilTaken = (takes: () => Promise<boolean>, describe: () => string): Promise<unknown> =>
  eventually(async () => (await takes()) || (await sleep(PAUSE)), describe, 180_000);

/** MiB. */
const free = (path: string): number => Math.floor(diskOf(path).free / 2 ** 20);

/** What the server has logged of its disk at last, without stacks. */
const messagesOf = (server: TestServer): string => {
  const lines = server
    .output()
    .split('\n')
    .filter((line) => /disk|could not be/.test(line));
  return lines
    .map((line) => line.replace(/"stack":"[^"]*"/, ''))
    .slice(-30)
    .join('\n');
};

const dashboard = (name: string, bytes = OBJECT_BYTES): object => ({
  apiVersion: 'dashboard.svc.app/v1beta1',
  kind: 'Dashboard',
  metadata: { name },
  // No store can make it shorter.
  spec: { title: name, text: randomBytes((bytes * 3) / 4).toString('base64') },
});

if (SERVER_STORES.includes('lmdb')) {
  describe('a server whose disk an editor has filled', function () {
    this.timeout(300_000);
    let server: TestServer;
    // The server ends before the disk is taken away, so its hook comes first.
    after(() => server?.stop());
    const disk = useSmallDisk(DISK_MIB);
    let editor: Readonly<Record<string, string>>;
    const names: string[] = [];

    before(async () => {
      server = await startServer({
        place: disk(),
        settings: { 'limits.write_burst': '100 GiB', 'history.trash': '3s' },
      });
      const account = await server.client.request('POST', '/api/serviceaccounts', {
        body: { name: 'editor', role: 'Editor' },
      });
      const token = await server.client.request('POST', `/api/serviceaccounts/${account.json()['id']}/tokens`, {
        body: { name: 'token' },
      });
      editor = { authorization: `Bearer ${token.json()['key']}` };
    });

    const asEditor = (method: string, path: string, body: object, headers = {}) =>
      server.client.request(method, path, { body, headers: { ...editor, ...headers } });

    /** Whether the server takes a write of the editor. Nothing else than 507 refuses it. */
    const takes = async (name: string, bytes = OBJECT_BYTES): Promise<boolean> => {
      const { status, text } = await asEditor('POST', DASHBOARDS, dashboard(name, bytes));
      expect(status, text).to.be.oneOf([201, 507]);
      return status === 201;
    };

    const checks = async (): Promise<string> => (await fetch(`${server.httpUrl}/readyz?verbose`)).text();

    const expectAll = async (): Promise<void> => {
      for (const name of names) {
        const { status, text } = await server.client.request('GET', `${DASHBOARDS}/${name}`);
        expect([status, text.length > OBJECT_BYTES]).to.deep.equal([200, true]);
      }
    };

    /** The editor creates and changes objects until the disk is short of space. */
    const fill = async (): Promise<void> => {
      for (let i = names.length; await takes(`d${i}`); i++) {
        names.push(`d${i}`);
        const metadata = { annotations: { n: `${i}` } };
        const { status, text } = await asEditor('PATCH', `${DASHBOARDS}/d${i}`, { metadata }, merge);
        expect(status, text).to.be.oneOf([200, 507]);
        if (status === 507) return;
      }
    };

    /** What a compaction frees can make the disk ready again before it is asked. Then the editor goes on. */
    const fillForGood = (): Promise<string> => {
      const shortage = async (): Promise<string | undefined> => {
        await fill();
        const answer = await fetch(`${server.httpUrl}/readyz?verbose`);
        const text = await answer.text();
        return answer.status === 503 ? text : undefined;
      };
      return eventually(shortage, () => 'the server is ready');
    };

    it('refuses more with 507, says so in /readyz, and answers reads', async () => {
      expect(await fillForGood()).to.contain('[-]disk failed');
      expect(names.length).to.be.greaterThan(5);
      expect((await fetch(`${server.httpUrl}/readyz?exclude=disk`)).status).to.equal(200);
      await expectAll();
    });

    it('starts again on the full disk, with all objects', async () => {
      await server.end();
      await server.restart();
      await expectAll();
    });

    // Promise: security work
    it('takes all deletions of an administrator, frees the space of what the trash has forgotten, and then takes writes again', async () => {
      // The restart has removed changes that are too old.
      expect(await fillForGood()).to.contain('[-]disk failed');
      for (const name of names) {
        const { status, text } = await server.client.request('DELETE', `${DASHBOARDS}/${name}`);
        expect(status, text).to.equal(200);
      }
      await untilTaken(
        () => takes('later'),
        () => `the server takes no writes, ${free(disk())} MiB are free:\n${messagesOf(server)}`,
      );
      // The last write may take the disk below the reserve until the log is compacted.
      await eventually(
        async () => (await checks()).includes('[+]disk ok') || undefined,
        () => 'the disk stays short of space',
      );
    });
  });

  describe('a server whose disk an administrator has filled with objects of 100 KB', function () {
    // The trash and the log forget after about a minute, in each round.
    this.timeout(600_000);
    let server: TestServer;
    // The server ends before the disk is taken away, so its hook comes first.
    after(() => server?.stop());
    const disk = useSmallDisk(160);
    const names: string[] = [];

    before(async () => {
      server = await startServer({
        place: disk(),
        settings: { 'limits.write_burst': '100 GiB', 'history.trash': '3s', 'storage.history': '75s' },
      });
    });

    /** Works on one after another, four at a time, until there are no more. */
    const inParallel = async (next: () => Promise<boolean>): Promise<void> => {
      const work = async (): Promise<void> => {
        while (await next());
      };
      await Promise.all([work(), work(), work(), work()]);
    };

    /** The status of a request. It is sent again if its connection ends. */
    const statusOf = async (method: string, path: string, body?: object): Promise<number> => {
      for (;;) {
        try {
          return (await server.client.request(method, path, body ? { body } : {})).status;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
        }
      }
    };

    /** Whether it is created. It may be there already, if it was sent again. */
    const creates = async (name: string): Promise<boolean> => {
      const status = await statusOf('POST', DASHBOARDS, dashboard(name, 100_000));
      expect(status).to.be.oneOf([201, 409, 507]);
      return status !== 507;
    };

    it('takes all deletions, and then writes again, also the second time', async () => {
      for (const round of [1, 2]) {
        let count = 0;
        const fill = (): Promise<void> =>
          inParallel(async () => {
            const name = `r${round}-${count++}`;
            const isCreated = await creates(name);
            if (isCreated) names.push(name);
            return isCreated;
          });
        // In the second round, the log of the first one may still be compacted.
        await untilTaken(
          async () => {
            await fill();
            return names.length > 20;
          },
          () => `only ${names.length} objects fit:\n${messagesOf(server)}`,
        );
        await inParallel(async () => {
          const name = names.pop();
          if (name === undefined) return false;
          expect(await statusOf('DELETE', `${DASHBOARDS}/${name}`)).to.be.oneOf([200, 404]);
          return true;
        });
        // Deletions may leave as little, and the files of the store do not become smaller.
        const ballast = join(disk(), 'ballast');
        writeFileSync(ballast, Buffer.alloc(Math.max(0, free(disk()) - 4) * 2 ** 20));
        await untilTaken(
          () => creates(`later-${round}`),
          () => `the server takes no writes, ${free(disk())} MiB are free:\n${messagesOf(server)}`,
        );
        rmSync(ballast);
      }
    });
  });
}
