import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startServer, type TestServer } from '../e2e/harness.js';
import { eventually } from '../e2e/process.js';
import { SERVER_STORES, storeSettings } from '../e2e/stores.js';
import { type Balancer, startBalancer } from './balancer.js';

const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const ADMIN = { authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` };
const CLIENTS = 4;
const WARM = 200;
/** Milliseconds between two requests of a client. So the clients leave the processors to the servers that start. */
const REST = 5;

/** Sends reads and writes one after another until it is stopped. Returns how many there were, and what went wrong. */
async function load(
  { url }: Balancer,
  name: string,
  stop: AbortSignal,
  onAnswer: () => void,
): Promise<readonly [number, readonly string[]]> {
  const wrong: string[] = [];
  let count = 0;
  const headers = { ...ADMIN, 'content-type': 'application/json' };
  for (; !stop.aborted; count++) {
    const body = JSON.stringify({ metadata: { name: `${name}-${count}` }, spec: { title: `${name} ${count}` } });
    const isRead = count % 2 === 1;
    const answer = isRead
      ? await fetch(`${url}${FOLDERS}/${name}-${count - 1}`, { headers })
      : await fetch(`${url}${FOLDERS}`, { method: 'POST', headers, body });
    const text = await answer.text();
    onAnswer();
    if (answer.status !== (isRead ? 200 : 201)) wrong.push(`${answer.status} ${text.slice(0, 200)}`);
    await sleep(REST);
  }
  return [count, wrong];
}

if (SERVER_STORES.includes('mongodb')) {
  describe('servers behind a load balancer that asks /readyz', function () {
    this.timeout(240_000);
    let servers: readonly TestServer[] = [];

    before(async function () {
      const settings = { ...(await storeSettings(this, 'mongodb')), 'server.shutdown_delay': '4s' };
      servers = await Promise.all([startServer({ settings }), startServer({ settings })]);
    });
    after(() => Promise.all(servers.map((server) => server.stop())));

    for (const keepAlive of [false, true]) {
      it(`are restarted one after another, and no request fails (${keepAlive ? 'kept connections' : 'a connection for each request'})`, async () => {
        const balancer = await startBalancer(
          servers.map((server) => () => server.httpUrl),
          keepAlive,
        );
        const stop = new AbortController();
        let answers = 0;
        const onAnswer = (): void => {
          answers++;
        };
        const clients = Array.from({ length: CLIENTS }, (_, i) =>
          load(balancer, `c${i}-${keepAlive}`, stop.signal, onAnswer),
        );
        try {
          for (const server of servers) {
            // The first requests to a server take long, and one that takes more than ten seconds is cut off.
            const before = answers;
            await eventually(
              () => answers - before >= WARM || undefined,
              () => 'the servers do not answer',
            );
            process.kill(server.pid, 'SIGTERM');
            expect(await server.ended()).to.equal(0);
            await server.restart();
            await eventually(
              () => balancer.ready() === 2 || undefined,
              () => 'the server was not ready again',
            );
          }
        } finally {
          stop.abort();
        }
        const results = await Promise.all(clients);
        expect([balancer.failures, results.flatMap(([, wrong]) => wrong)]).to.deep.equal([[], []]);
        const total = results.reduce((sum, [count]) => sum + count, 0);
        expect(total).to.be.greaterThan(20);
        console.log(`      ${total} requests, none failed`);
        await balancer.close();
      });
    }
  });
}
