import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { organizationChoice } from '../../apis/iam/organization/legacy/choice.js';
import type { ApiResponse } from '../../pkg/http/handler.js';
import { routerEndpoints } from '../../pkg/http/router.js';
import { canonicalJson } from '../../pkg/kube/json/canonical.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { LegacyCall } from '../../registry/legacy/call.js';
import { renderLegacyError } from '../../registry/legacy/errors.js';
import { ok } from '../../registry/legacy/respond.js';
import { legacyRouter, routes } from '../../registry/legacy/router.js';
import type { Backend, Put } from '../../storage/backend.js';
import { keyOf } from '../../storage/key.js';
import { encodeText } from '../../storage/state/codec.js';
import type { Body } from '../harness/body.js';
import { accepted, bodyOf, type Resource, resourceOf } from '../harness/resource.js';
import { ENVIRONMENT, listen, openServer, type Server } from '../harness/server.js';
import { openStore, STORES } from '../harness/stores.js';
import { BY_TIME, type NoteSpec, note } from './note/kind.js';

const COUNT = 100_000;
const BATCH = 1000;
/** The page size of kubectl. */
const PAGE = 500;
const TEXT = 'x'.repeat(500);
/** Bytes that the newest objects and recent changes may take. All objects in memory would take 170 MB. */
const BOUND = 40_000_000;
const KIND = note(ENVIRONMENT);
const OPTIONS = { moreKinds: () => [KIND] };

const nameOf = (i: number): string => `note-${String(i).padStart(6, '0')}`;

function noteOf(i: number): KubeObject<NoteSpec> {
  const metadata = {
    name: nameOf(i),
    namespace: 'default',
    uid: `uid-${i}`,
    creationTimestamp: '2026-01-01T00:00:00Z',
  };
  return { apiVersion: KIND.apiVersion, kind: KIND.kind, metadata, spec: { text: TEXT, time: (i * 7919) % COUNT } };
}

/** Appends objects to the log, as the engine does. */
async function fill(backend: Backend): Promise<void> {
  for (let from = 0; from < COUNT; from += BATCH) {
    const after = await backend.end();
    const changes = Array.from({ length: BATCH }, (_, i): Put => {
      const object = noteOf(from + i);
      const key = keyOf(KIND.qualified, 'default', object.metadata.name);
      const revision = after + i + 1;
      return { key, revision, value: encodeText(canonicalJson(object), revision) };
    });
    await backend.append(after, { commitId: `fill-${from}`, changes, counters: new Map() });
  }
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * The bytes of objects and buffers after two garbage collections. The first one only finds buffers that can be
 * released.
 */
async function bytesInUse(): Promise<number> {
  collectGarbage();
  await new Promise((resolve) => setTimeout(resolve, 50));
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Changes, deletes and creates objects in the whole list, until it is stopped. */
function writer(resource: Resource): () => Promise<number> {
  let isStopped = false;
  let writes = 0;
  const run = async (): Promise<void> => {
    for (let i = 0; !isStopped; i++) {
      const at = (i * 7) % COUNT;
      if (i % 3 === 0) accepted(await resource.remove(nameOf(at)), 200);
      else if (i % 3 === 1) accepted(await resource.merge(nameOf(at), { spec: { text: 'changed' } }), 200);
      else bodyOf(await resource.create({ ...noteOf(at), metadata: { name: `${nameOf(at)}-new` } }), 201);
      writes++;
    }
  };
  const running = run();
  return async () => {
    isStopped = true;
    await running;
    return writes;
  };
}

/** Calls `visit` with each page of a list. */
async function pages(
  resource: Resource,
  query: Record<string, string | number>,
  visit: (page: Body) => void | Promise<void>,
) {
  let token: string | undefined;
  do {
    const page = bodyOf(
      await resource.list({ query: { ...query, ...(token !== undefined && { continue: token }) } }),
      200,
    );
    await visit(page);
    token = page.metadata.continue;
  } while (token !== undefined);
}

/** A legacy route that answers the times of the newest notes before a time. */
async function newest(call: LegacyCall): Promise<ApiResponse> {
  const limit = Number(call.query.get('limit'));
  const times: number[] = [];
  const range = { index: BY_TIME, prefix: ['default'], to: [Number(call.query.get('before'))], reverse: true };
  for (const { spec } of call.objects<NoteSpec>('note/Note').list(range)) {
    if (times.push(spec?.time ?? 0) === limit) break;
  }
  return ok(times);
}

for (const store of STORES.filter((name) => name === 'lmdb')) {
  describe(`${COUNT} objects (${store})`, function large() {
    this.timeout(180_000);
    let server: Server;
    const resource = resourceOf(() => server, KIND);
    let empty: number;

    before('fill the store', async function prepare() {
      const backend = await openStore(this, store);
      server = await openServer(backend, OPTIONS);
      empty = await bytesInUse();
      await server.api.close();
      await fill(backend);
      await server.restart({ compact: true });
    });
    after(() => server.close());

    it('are not held in memory', async () => {
      expect((await bytesInUse()) - empty).to.be.below(BOUND);
    });

    it('are listed in pages at one revision during writes, in memory that does not grow with their number', async () => {
      const stop = writer(resource);
      const revisions = new Set<string | undefined>();
      let count = 0;
      let most = 0;
      await pages(resource, { limit: PAGE }, async ({ metadata, items }) => {
        revisions.add(metadata.resourceVersion);
        for (const { metadata: found, spec } of items) {
          if (revisions.size > 1 || found.name !== nameOf(count++) || spec['text'] !== TEXT)
            throw new Error(`${found.name} is not what was there at the first page`);
        }
        if (count % (40 * PAGE) === 0) most = Math.max(most, await bytesInUse());
      });
      expect(count).to.equal(COUNT);
      expect(await stop()).to.be.above(20);
      expect(most - empty).to.be.below(BOUND);
    });

    it('are found by the value of a field without a look at the others', async () => {
      const found: (readonly string[])[] = [];
      const query = { limit: 10, fieldSelector: `spec.time=${(77_777 * 7919) % COUNT}` };
      await pages(resource, query, ({ items }) => {
        found.push(items.map(({ metadata }) => metadata.name));
      });
      expect(found).to.deep.equal([[nameOf(77_777)]]);
    });

    it('are listed by a route of the legacy API in the order of an index', async () => {
      const { registry } = server.api;
      const organizations = organizationChoice(registry, ENVIRONMENT);
      const services = { registry, environment: ENVIRONMENT, organizations };
      const router = legacyRouter(
        services,
        routes({}, { 'GET /api/notes': { summary: 'Lists notes', query: ['limit', 'before'], handle: newest } }),
      );
      const mount = { prefix: '/api', renderError: renderLegacyError };
      const legacy = await listen(registry, [routerEndpoints(router, [mount])]);
      const answer = await legacy.call('GET', '/api/notes?limit=50&before=99999');
      await legacy.close();
      const times = JSON.parse(accepted(answer, 200).text) as readonly number[];
      expect(times).to.have.length(50);
      expect(times[0]).to.be.at.most(99_998);
      expect([...times].sort((a, b) => b - a)).to.deep.equal(times);
    });

    it('are deleted in pages, and the deletions are sent to a watch', async () => {
      const start = bodyOf(await resource.list({ query: { limit: 1 } }), 200).metadata.resourceVersion ?? '';
      const frames = await resource.watch({ resourceVersion: start });
      const deleted: string[] = [];
      let token = '';
      for (let i = 0; i < 4; i++) {
        const query = { limit: PAGE, ...(token !== '' && { continue: token }) };
        const page = bodyOf(await resource.removeAll({ query }), 200);
        deleted.push(...page.items.map(({ metadata }) => metadata.name));
        token = page.metadata.continue ?? '';
      }
      const events = await frames.take(deleted.length);
      await frames.close();
      expect(new Set(deleted).size).to.equal(4 * PAGE);
      expect(events.map(({ object }) => object.metadata.name)).to.have.members(deleted);
      expect(events.every(({ type }) => type === 'DELETED')).to.equal(true);
      const [first] = bodyOf(await resource.list({ query: { limit: 1 } }), 200).items;
      expect((first?.metadata.name ?? '') > (deleted.at(-1) ?? ''), first?.metadata.name).to.equal(true);
    });
  });
}
