import { expect } from 'chai';
import { openMemory } from '../../storage/memory/backend.js';
import { startServer, type TestServer } from '../e2e/harness.js';
import { eventually } from '../e2e/process.js';
import { SERVER_STORES, storeSettings } from '../e2e/stores.js';
import { openServer, type Server } from '../harness/server.js';
import { dashboard, folder } from './manifests.js';
import { openProxy, type RecordingProxy } from './proxy.js';
import { memberIn, type Reader, readerThere } from './reader.js';
import { inFolder, PRIVATE, type Status, TOKEN } from './world.js';

const MIRRORS = '/apis/mirror.svc.app/v1beta1/namespaces/default/mirrors';
const SETS = '/apis/apply.svc.app/v1beta1/namespaces/default/applysets';
/** Dashboards in each folder. */
const EACH = 40;
/** Requests to the other server at a time: so many may be on their way when a server is killed. */
const PARALLEL = 8;

const dashboards = (of: string, title: string, annotations: object) =>
  Array.from({ length: EACH }, (_, i) => dashboard(`${of}-${i}`, `${title} ${i}`, annotations));

interface Found {
  readonly uid: string;
  readonly title: string;
  readonly folderUid?: string;
}

if (SERVER_STORES.includes('mongodb')) {
  describe('a mirror of two servers on one database, of which the elected one is killed', function () {
    // A server that is killed stays elected for 30 seconds.
    this.timeout(240_000);
    let [a, b, there]: [TestServer?, TestServer?, Server?] = [];
    let proxy: RecordingProxy;
    let reader: Reader;
    let killed: TestServer | undefined;

    before(async function () {
      const settings = { ...(await storeSettings(this, 'mongodb')), 'webhooks.networks': '127.0.0.0/8' };
      [a, b] = await Promise.all([startServer({ settings }), startServer({ settings })]);
      const other = await openServer(openMemory(), { compatibility: 'clients' });
      there = other;
      proxy = await openProxy(() => other.address());
      reader = readerThere({ there: other }, await memberIn(other, 'vera', 'Viewer'));
    });
    after(async () => {
      await reader?.stop();
      await Promise.all([a?.stop(), b?.stop()]);
      await proxy?.close();
      await there?.close();
    });
    afterEach(() => {
      expect(proxy.wrong).to.deep.equal([]);
      expect([...reader.seen()].join('\n')).not.to.include('HIDDEN');
    });

    const send = async (server: TestServer | undefined, method: string, path: string, body: unknown) => {
      const answer = await server?.client.request(method, path, { body });
      expect(answer?.status, answer?.text).to.be.within(200, 299);
    };
    const inOneCommit = (server: TestServer | undefined, objects: readonly object[]) =>
      send(server, 'POST', `${SETS}/content/apply`, {
        apiVersion: 'apply.svc.app/v1beta1',
        kind: 'ApplyRequest',
        spec: { objects, force: true },
      });
    const statusBy = async (server: TestServer): Promise<Status | undefined> =>
      (await server.client.request('GET', `${MIRRORS}/site`)).json<{ readonly status?: Status }>().status;
    /** Everything up to a revision has arrived. */
    const hasArrived = ({ conditions, pending, revision = '0' }: Status, end: number): boolean =>
      Number(revision) >= end &&
      pending === 0 &&
      conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
    const endOf = async (server: TestServer): Promise<number> =>
      Number(
        (await server.client.request('GET', MIRRORS)).json<{ metadata: { resourceVersion: string } }>().metadata
          .resourceVersion,
      );
    const arrivedBy = async (server: TestServer): Promise<Status> => {
      let last: Status | undefined;
      const end = await endOf(server);
      return eventually(
        async () => {
          last = await statusBy(server);
          return last !== undefined && hasArrived(last, end) ? last : undefined;
        },
        () => JSON.stringify(last),
        120_000,
      );
    };
    /** The server that sends. Only the elected one tells what its mirrors do. */
    const keeper = (): Promise<TestServer> =>
      eventually(
        async () => {
          for (const one of [a, b]) {
            const { text } = (await one?.client.request('GET', '/metrics').catch(() => undefined)) ?? { text: '' };
            if (text.includes('apiserver_mirror_pending_objects{')) return one;
          }
          return undefined;
        },
        () => 'no server keeps the mirror',
        60_000,
      );
    /** Kills a server when this was sent so many times. Resolves with the other one. */
    const killAt = (elected: TestServer, route: string, count: number): Promise<TestServer> =>
      new Promise((resolve, reject) => {
        let left = count;
        proxy.fault = (request) => {
          if (request.route === route && --left === 0)
            elected.kill().then(() => resolve(elected === a ? (b as TestServer) : (a as TestServer)), reject);
          return { delay: 10 };
        };
      });
    const found = async (): Promise<readonly Found[]> =>
      (await there?.call('GET', '/api/search?limit=5000'))?.json() as unknown as readonly Found[];
    const versionOf = async ({ uid }: Found): Promise<number> => {
      const body = (await there?.call('GET', `/api/dashboards/uid/${uid}`))?.json() as unknown;
      return (body as { readonly meta: { readonly version: number } }).meta.version;
    };
    const inThere = (all: readonly Found[], uid: string) =>
      all.filter(({ folderUid }) => folderUid === uid).map(({ title }) => title);

    it('sends the rest by the other server, and nothing twice', async () => {
      await send(a, 'POST', '/api/v1/namespaces/default/secrets', {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'site' },
        stringData: { token: TOKEN },
      });
      await send(a, 'POST', MIRRORS, {
        apiVersion: 'mirror.svc.app/v1beta1',
        kind: 'Mirror',
        metadata: { name: 'site' },
        spec: { address: proxy.url, credential: { secret: 'site' }, delete: true },
      });
      killed = await keeper();
      const survivor = killAt(killed, 'POST /api/dashboards/db', EACH);
      await send(a, 'POST', SETS, {
        apiVersion: 'apply.svc.app/v1beta1',
        kind: 'ApplySet',
        metadata: { name: 'content' },
        spec: {},
      });
      await inOneCommit(a, [
        folder('plans', 'Plans'),
        ...dashboards('plan', 'Plan', inFolder('plans')),
        folder('vault', 'HIDDEN vault', PRIVATE),
        ...dashboards('secret', 'HIDDEN secret', inFolder('vault')),
      ]);
      await survivor;
      expect(await found()).to.have.length.below(2 + 2 * EACH);
      const { kept, objects } = await arrivedBy(await survivor);
      expect(kept).to.equal(0);
      expect(objects).to.deep.equal([
        { kind: 'Folder', count: 2 },
        { kind: 'Dashboard', count: 2 * EACH },
      ]);
      const all = await found();
      expect(all).to.have.length(2 + 2 * EACH);
      for (const uid of ['plans', 'vault']) expect(new Set(inThere(all, uid))).to.have.property('size', EACH);
      const versions = await Promise.all(all.filter(({ folderUid }) => folderUid !== undefined).map(versionOf));
      expect(Math.max(...versions)).to.be.at.most(2);
      expect(versions.filter((version) => version > 1)).to.have.length.at.most(PARALLEL);
    });

    it('closes what becomes private in the same commit as it gets secrets, also if only the other server goes on', async () => {
      await killed?.restart();
      const elected = await keeper();
      expect(elected).not.to.equal(killed);
      const survivor = killAt(elected, 'POST /api/dashboards/db', EACH / 2);
      await inOneCommit(elected, [
        folder('plans', 'HIDDEN plans', PRIVATE),
        ...dashboards('plan', 'HIDDEN plan', inFolder('plans')),
        folder('vault', 'Vault for all'),
        ...dashboards('secret', 'For all', inFolder('vault')),
      ]);
      await arrivedBy(await survivor);
      const all = await found();
      expect(all).to.have.length(2 + 2 * EACH);
      expect(inThere(all, 'plans').every((title) => title.startsWith('HIDDEN plan'))).to.equal(true);
      expect(inThere(all, 'vault').every((title) => title.startsWith('For all'))).to.equal(true);
    });
  });
}
