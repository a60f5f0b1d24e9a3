import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadAll } from 'js-yaml';
import { databaseMetrics } from '../../cmd/apiserver/database-metrics.js';
import { createMetrics } from '../../pkg/http/metrics/metrics.js';
import { DatabaseMonitor } from '../../storage/mongodb/connection/monitor.js';
import { expressions, metricsIn } from '../deploy/monitoring.js';
import { startServer, type TestServer } from './harness.js';
import { eventually, ROOT } from './process.js';

const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[];
}

/** An OpenTelemetry collector that takes OTLP in JSON, and keeps the spans. */
async function startCollector() {
  const spans: Span[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as {
      readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
    };
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans)));
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    spans,
    endpoint: `http://127.0.0.1:${port}/v1/traces`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe('What a server shows of itself', function () {
  this.timeout(120_000);
  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let server: TestServer;
  let profile = '';

  before(async () => {
    collector = await startCollector();
    profile = await mkdtemp(join(tmpdir(), 'apiserver-profile-'));
    server = await startServer({
      settings: { 'tracing.endpoint': collector.endpoint, 'tracing.sample_ratio': '1', profile },
    });
    const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
    const body = { metadata: { name: 'seen' }, spec: { title: 'Seen' } };
    expect((await server.client.request('POST', FOLDERS, { body, headers })).status).to.equal(201);
    expect((await server.client.request('GET', `${FOLDERS}/seen`)).status).to.equal(200);
  });
  after(async () => {
    await server.stop();
    collector.close();
    await rm(profile, { recursive: true, force: true });
  });

  it('has metrics under the names of Kubernetes', async () => {
    const text = (await server.client.request('GET', '/metrics')).text;
    const folders = 'group="folder.svc.app",version="v1beta1",resource="folders",subresource=""';
    expect(text).to.contain(`apiserver_request_total{verb="POST",${folders},scope="namespace",route="",code="201"} 1`);
    expect(text).to.contain(
      `apiserver_request_duration_seconds_count{verb="GET",${folders},scope="resource",route=""} 1`,
    );
    expect(text).to.match(/^apiserver_storage_objects\{resource="folders\.folder\.svc\.app"\} 1$/m);
    expect(text).to.match(/^apiserver_engine_commit_duration_seconds_count [1-9]/m);
    expect(text).to.match(/^apiserver_event_loop_longest_stall_seconds \d/m);
  });

  it('lets Prometheus read the metrics with the account in hack/deploy, and no other account', async () => {
    const { client } = server;
    const manifest = await readFile(join(ROOT, 'hack', 'deploy', 'monitoring', 'scraper.yaml'), 'utf8');
    for (const body of loadAll(manifest) as readonly { readonly kind: string }[]) {
      const path = `/apis/iam.svc.app/v1beta1/namespaces/default/${body.kind.toLowerCase()}s`;
      expect((await client.request('POST', path, { body })).status).to.equal(201);
    }
    const accounts = '/apis/iam.svc.app/v1beta1/namespaces/default/serviceaccounts';
    const spec = { title: 'Other', role: 'Admin' };
    const other = await client.request('POST', accounts, {
      body: { apiVersion: 'iam.svc.app/v1beta1', kind: 'ServiceAccount', metadata: { name: 'other' }, spec },
    });
    expect(other.status, other.text).to.equal(201);
    const scrape = async (name: string) => {
      const made = await client.request('POST', `${accounts}/${name}/token`, { body: { spec: {} } });
      const { token } = made.json<{ readonly status: { readonly token: string } }>().status;
      return fetch(new URL('/metrics', server.httpUrl), { headers: { authorization: `Bearer ${token}` } });
    };
    const scraped = await scrape('prometheus');
    expect(scraped.headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/);
    expect(await scraped.text()).to.contain('apiserver_request_total');
    expect((await scrape('other')).status).to.equal(403);
    expect((await fetch(new URL('/metrics', server.httpUrl))).status).to.equal(401);
  });

  it('has all metrics that the alert rules and the dashboard read', async () => {
    const onMongodb = createMetrics();
    databaseMetrics(onMongodb, new DatabaseMonitor(), { revision: 0 });
    const { text: own } = await server.client.request('GET', '/metrics');
    const text = `${own}${await onMongodb.registry.metrics()}`;
    const names = (await expressions()).flatMap(metricsIn).filter((name) => name !== 'up');
    expect(names).to.include('apiserver_storage_objects');
    expect(names.filter((name) => !text.includes(`# TYPE ${name} `))).to.deep.equal([]);
  });

  it('sends traces that continue those of its clients, down to the store', async () => {
    const mine = (): readonly Span[] => collector.spans.filter(({ traceId }) => traceId === TRACE);
    await eventually(
      () => (mine().length >= 2 ? mine() : undefined),
      () => `only ${JSON.stringify(collector.spans.map(({ name }) => name))}`,
    );
    const request = mine().find(({ name }) => name === 'POST folders.folder.svc.app');
    expect(request?.parentSpanId).to.equal('00f067aa0ba902b7');
    expect(mine().find(({ name }) => name === 'storage.transact')?.parentSpanId).to.equal(request?.spanId);
  });

  it('writes a CPU profile and a summary of the memory when it stops', async () => {
    process.kill(server.pid, 'SIGTERM');
    expect(await server.ended()).to.equal(0);
    const files = await readdir(profile);
    const [cpu = '', heap = ''] = ['cpu-', 'heap-'].map((kind) => files.find((file) => file.startsWith(kind)));
    expect(JSON.parse(await readFile(join(profile, cpu), 'utf8'))).to.have.property('nodes');
    expect(JSON.parse(await readFile(join(profile, heap), 'utf8'))).to.have.keys('memory', 'heap', 'spaces');
  });
});
