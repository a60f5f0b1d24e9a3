import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { startServer, type TestServer } from '../e2e/harness.js';
import { eventually, programOf } from '../e2e/process.js';
import { SERVER_STORES, storeSettings } from '../e2e/stores.js';
import { failureOf } from '../tools/fixture.js';
import { builtVersion, FIRST } from './versions.js';
import { writers } from './writers.js';

const LATER_VERSION = /later version|this server reads format 1/;

/** The store of the tests with backups. One is enough, because a backup has the same form on every store. */
const WITH_BACKUPS = SERVER_STORES[0];

describe('an upgrade from the first version, whose format is another one', function () {
  this.timeout(180_000);
  let root = '';
  before(async function () {
    root = await builtVersion(this, FIRST);
  });
  for (const store of SERVER_STORES) describe(`on ${store}`, () => upgrade(store, () => root));
});

function upgrade(store: (typeof SERVER_STORES)[number], root: () => string): void {
  let settings: Readonly<Record<string, string>> = {};
  let server: TestServer | undefined;
  const clients = writers();

  before(async function () {
    settings = await storeSettings(this, store);
    server = await startServer({ settings, root: root() });
  });
  after(() => server?.stop());

  const running = (): TestServer => {
    if (server === undefined) throw new Error('the server did not start');
    return server;
  };
  /** Runs a command of this version, or of the version in a folder. */
  const adminctl = (args: readonly string[], own: Readonly<Record<string, string>>, from?: string) =>
    new Promise<{ readonly code: number; readonly text: string }>((resolve) => {
      const options = Object.entries(own).map(([key, value]) => `--${key}=${value}`);
      execFile(process.execPath, [...programOf('adminctl', from), ...args, ...options], (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), text: out + err }),
      );
    });
  const here = () => ({ ...settings, 'paths.data': join(running().folder, 'data') });

  it('is made after a backup and a stop, loses nothing, and refuses the former version afterwards', async () => {
    const { folder } = running();
    clients.start(running());
    await clients.goOn(running());
    if (store === 'mongodb') {
      expect(await failureOf(startServer({ settings }))).to.match(/Stop .*wait ten seconds/);
      await clients.goOn(running());
    }
    const backup = await adminctl(['backup', join(folder, 'first.gz')], here(), root());
    expect(backup.code, backup.text).to.equal(0);
    await clients.goOn(running());
    await running().end();
    if (store === 'mongodb') await nobodyCounts(settings);
    await running().restart();
    clients.start(running());
    await clients.goOn(running());
    await clients.settle(running());
    await running().end();
    expect(await failureOf(running().restart(root()))).to.match(LATER_VERSION);
    await running().restart();
  });

  if (store !== WITH_BACKUPS) return;
  it('can be taken back by the backup: both versions restore it, and only this one restores its own', async () => {
    const { folder } = running();
    const own = await adminctl(['backup', join(folder, 'own.gz')], here());
    expect(own.code, own.text).to.equal(0);
    const restore = async (name: string, from: string | undefined, data: string) =>
      adminctl(['restore', join(folder, name)], { 'paths.data': join(folder, data) }, from);
    for (const [from, data] of [
      [undefined, 'now'],
      [root(), 'then'],
    ] as const) {
      const restored = await restore('first.gz', from, data);
      expect(restored.code, restored.text).to.equal(0);
    }
    const refused = await restore('own.gz', root(), 'never');
    expect(refused.code).to.equal(1);
    expect(refused.text).to.match(/later version/);
  });
}

/** Waits until no heartbeat is recent. A server that has just ended counts as running for up to ten seconds. */
async function nobodyCounts(settings: Readonly<Record<string, string>>): Promise<void> {
  const client = new MongoClient(settings['storage.mongodb_uri'] ?? '');
  try {
    const servers = client.db(settings['storage.mongodb_database'] ?? '').collection('servers');
    const isAlive = { $expr: { $gt: ['$heartbeat', { $subtract: ['$$NOW', 10_000] }] } };
    await eventually(
      async () => (await servers.findOne(isAlive)) === null || undefined,
      () => 'the server that has ended still counts as running',
    );
  } finally {
    await client.close();
  }
}
