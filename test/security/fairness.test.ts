import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { startServer, type TestServer } from '../e2e/harness.js';
import { eventually } from '../e2e/process.js';

const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const ACCOUNTS = '/apis/iam.svc.app/v1beta1/namespaces/default/serviceaccounts';
const WATCH = `${FOLDERS}?watch=true`;
const MIB = 2 ** 20;
const SETTINGS = { 'limits.max_watches': '10', 'limits.max_queued': '8' };

describe('A user who floods the server', () => {
  let server: TestServer;
  let token: string;

  before(async function start() {
    this.timeout(120_000);
    server = await startServer({ settings: SETTINGS });
    token = await tokenOfAccount('flooder');
  });
  after(() => server.stop());

  async function tokenOfAccount(name: string): Promise<string> {
    const { client } = server;
    const spec = { title: name, role: 'Editor' };
    const account = { apiVersion: 'iam.svc.app/v1beta1', kind: 'ServiceAccount', metadata: { name }, spec };
    expect((await client.request('POST', ACCOUNTS, { body: account })).status).to.equal(201);
    const wanted = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const answer = await client.request('POST', `${ACCOUNTS}/${name}/token`, { body: wanted });
    return answer.json<{ status: { token: string } }>().status.token;
  }

  /** Sends requests at once on one connection, and calls `then` with the headers of the responses as they begin. */
  async function flood(count: number, path: string, then: (answers: IncomingHttpHeaders[]) => Promise<void>) {
    const session = connectHttp2(server.httpsUrl, { rejectUnauthorized: false });
    try {
      const one = (): Promise<IncomingHttpHeaders> =>
        new Promise((resolve, reject) => {
          const stream = session.request({ ':path': path, authorization: `Bearer ${token}` });
          stream.on('response', resolve).on('error', reject).resume();
        });
      await then(await Promise.all(Array.from({ length: count }, one)));
    } finally {
      session.destroy();
    }
  }

  const watchAsAdministrator = async (): Promise<number> => {
    const ending = await server.client.request('GET', `${WATCH}&timeoutSeconds=1`);
    return ending.status;
  };

  /**
   * Waits until the server has so many watches, because it frees the place of a watch a moment after the client sees
   * the end.
   */
  async function openWatches(wanted: number): Promise<void> {
    let open = Number.NaN;
    const ask = async (): Promise<true | undefined> => {
      const { text } = await server.client.request('GET', '/metrics');
      open = Number(/current_executing_requests\{priority_level="watch"\} (\d+)/.exec(text)?.[1]);
      return open === wanted || undefined;
    };
    await eventually(ask, () => `${open} watches are open, not ${wanted}`, 10_000);
  }

  // Promise: specification 8, security work
  it('gets a part of the watches, and 429 with Retry-After for the others, and others can still watch', () =>
    flood(10, WATCH, async (answers) => {
      const refused = answers.filter((answer) => Number(answer[':status']) !== 200);
      expect(refused).to.have.length(5);
      expect(refused.map((answer) => [answer[':status'], answer['retry-after']])).to.deep.equal(
        Array(5).fill([429, '1']),
      );
      expect(await watchAsAdministrator()).to.equal(200);
      await openWatches(5);
      const metrics = (await server.client.request('GET', '/metrics')).text;
      expect(metrics).to.match(
        /apiserver_flowcontrol_rejected_requests_total\{priority_level="watch",reason="concurrency-limit"\} 5\n/,
      );
    }));

  it('gets its watches back when they have ended', async () => {
    await openWatches(0);
    await flood(5, WATCH, async (answers) => {
      expect(answers.map((answer) => answer[':status'])).to.deep.equal(Array(5).fill(200));
    });
  });

  it('gets 429 with Retry-After for reads that find the queue full, and others are served', async () => {
    const polite = async (): Promise<number[]> => {
      const statuses: number[] = [];
      for (let i = 0; i < 20; i++) statuses.push((await server.client.request('GET', FOLDERS)).status);
      return statuses;
    };
    const serving = polite();
    await flood(300, FOLDERS, async (answers) => {
      const refused = answers.filter((answer) => Number(answer[':status']) !== 200);
      expect(refused.length).to.be.within(1, 299);
      for (const answer of refused) expect([answer[':status'], answer['retry-after']]).to.deep.equal([429, '1']);
    });
    expect(await serving).to.deep.equal(Array(20).fill(200));
  });

  it('gets a part of the memory for bodies, and others can still write', async () => {
    const body = Buffer.alloc(3 * MIB - 1, ' ');
    const sockets = await Promise.all(Array.from({ length: 85 }, () => begin(new URL(server.httpUrl), body)));
    try {
      const folder = { metadata: { generateName: 'x-' }, spec: { title: 'Large', unknown: 'x'.repeat(2 * MIB) } };
      expect((await server.client.request('POST', FOLDERS, { body: folder })).status).to.equal(201);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  /**
   * Sends a request whose body lacks its last byte, and waits until the server has taken the other bytes or has
   * answered.
   */
  function begin({ hostname, port }: URL, body: Buffer): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      socket.on('error', reject);
      socket.write(`POST ${FOLDERS} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n`);
      socket.write(`content-type: application/json\r\ncontent-length: ${body.length + 1}\r\n\r\n`);
      socket.write(body, () => resolve(socket));
      socket.once('data', () => resolve(socket));
    });
  }
});
