import { expect } from 'chai';
import { runs } from '../../pkg/system/testing/runs.js';
import { oneStore } from '../harness/stores.js';
import { openPeer } from './peer.js';
import { compareSeeds, differs } from './runner.js';
import { KINDS } from './sequences.js';
import type { Got, Send } from './session.js';
import { itAnswersAlike, itFindsWhatIsPlanted, usePair } from './suite.js';

/** REQUESTS=100000 SEED=7 compares more. */
const REQUESTS = Number(process.env['REQUESTS'] ?? runs(1000));
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

oneStore('this server beside that of Kubernetes', (server) => {
  const pair = usePair(server, () => openPeer(async (path) => (await server().call('GET', path)).text));

  itAnswersAlike(pair, { compareSeeds, differs }, REQUESTS, SEED);

  describe('finds', () => {
    itFindsWhatIsPlanted(pair, { compareSeeds, differs }, SEED);

    it('a write that is answered, but not stored', async function () {
      this.timeout(120_000);
      const ours: Send = (request) =>
        pair().ours(
          request.method === 'PUT' && !request.path.includes('dryRun')
            ? { ...request, path: dry(request.path) }
            : request,
        );
      expect(await differs({ ...pair(), ours }, SEED, 600)).to.equal(true);
    });
  });

  it('ends a watch and a list of a revision that is gone with 410', async function () {
    this.timeout(60_000);
    const { teams } = KINDS;
    const path = `/apis/${teams.apiVersion}/namespaces/default/teams`;
    const send = (to: Send, query: string): Promise<Got> =>
      to({ method: 'GET', path: `${path}?${query}`, headers: {}, body: undefined });
    const both = [pair().ours, pair().theirs];
    const create = (to: Send, name: string): Promise<Got> =>
      to({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          apiVersion: teams.apiVersion,
          kind: teams.kind,
          metadata: { name, labels: { page: 'x' } },
          spec: { title: name },
        }),
      });
    for (const name of ['page-a', 'page-b']) await Promise.all(both.map((to) => create(to, name)));
    const query = 'labelSelector=page%3Dx&limit=1';
    const tokens = (await Promise.all(both.map((to) => send(to, query)))).map(tokenOf);
    await Promise.all(both.map((to) => create(to, 'page-c')));
    await server().restart({ compact: true });
    const expired = async (to: Send, token: string): Promise<unknown> => {
      for (;;) {
        const got = await send(to, `${query}&continue=${encodeURIComponent(token)}`);
        const { reason } = got.body as { readonly reason?: string };
        if (got.status !== 200) return [got.status, reason, tokenOf(got) !== ''];
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    };
    const [ours, theirs] = await Promise.all(both.map((to, index) => expired(to, tokens[index] ?? '')));
    expect(ours).to.deep.equal(theirs);
    const watched = `${path}?watch=true&resourceVersion=1&timeoutSeconds=1`;
    const { body } = await pair().theirs({ method: 'GET', path: watched, headers: {}, body: undefined });
    const [event] = await (await server().call('GET', watched)).frames.take(1);
    const told = ({ type, object: { kind, code, reason, status } }: WatchEvent) => ({
      type,
      kind,
      code,
      reason,
      status,
    });
    expect(told(event as unknown as WatchEvent)).to.deep.equal(told(body as WatchEvent));
  });

  it('has documents of OpenAPI at addresses that change with their content', async () => {
    const index = { method: 'GET', path: '/openapi/v3', headers: {}, body: undefined };
    const answers = await Promise.all(
      [pair().ours, pair().theirs].map(async (send) => {
        const { paths } = (await send(index)).body as { paths: Record<string, { serverRelativeURL: string }> };
        const { serverRelativeURL: path = '' } = paths['apis/iam.svc.app/v1beta1'] ?? {};
        const whole = await send({ ...index, path });
        const old = await send({ ...index, path: path.replace(/hash=.*/, 'hash=OLD') });
        return {
          hash: path.replace(/[0-9A-F]{64,}/, '<hash>'),
          whole: whole.status,
          isKept: String(whole.headers['cache-control']).startsWith('public, immutable'),
          old: old.status,
          teams: operationsOf(whole),
        };
      }),
    );
    expect(answers[0]).to.deep.equal(answers[1]);
  });

  it('has the same kinds in discovery, with the same verbs', async () => {
    for (const [plural, { apiVersion }] of Object.entries(KINDS)) {
      const request = { method: 'GET', path: `/apis/${apiVersion}`, headers: {}, body: undefined };
      const [ours, theirs] = await Promise.all([pair().ours(request), pair().theirs(request)]);
      const verbsOf = ({ body }: Got): readonly string[] =>
        (body as { resources: { name: string; verbs: string[] }[] }).resources
          .find(({ name }) => name === plural)
          ?.verbs.sort() ?? [];
      expect(verbsOf(ours)).to.deep.equal(verbsOf(theirs));
    }
  });
});

const dry = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}dryRun=All`;

const tokenOf = ({ body }: Got): string =>
  (body as { readonly metadata?: { readonly continue?: string } }).metadata?.continue ?? '';

/** Parameters that only one of the servers documents. */
const ONE_SIDED = new Set([
  ...['shardSelector', 'ignoreStoreReadErrorWithClusterBreakingPotential'],
  // The deletion of a collection is not a watch here, and has the options of deletions.
  ...['allowWatchBookmarks', 'watch', 'dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy'],
  // This server accepts it without documenting it, because a GET reads the newest state anyway.
  'resourceVersion',
  // What an import keeps of another server (docs/adr/0064).
  'keepOrigin',
  // What tells which deletions belong together in the trash.
  'operation',
]);

interface WatchEvent {
  readonly type: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** The operations on teams, with the names of their parameters. */
function operationsOf({ body }: Got): unknown {
  const { paths } = body as {
    paths: Record<string, Record<string, { 'x-kubernetes-action'?: string; parameters?: { name?: string }[] }>>;
  };
  const own = Object.entries(paths).filter(
    ([path]) => /\/teams(\/\{name\})?$/.test(path) && path.includes('{namespace}'),
  );
  return Object.fromEntries(
    own.map(([path, { parameters: common = [], ...methods }]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, { 'x-kubernetes-action': action, parameters = [] }]) => [
          method,
          [action, ...parameters.flatMap(({ name = '' }) => (ONE_SIDED.has(name) ? [] : [name])).sort()],
        ]),
      ),
    ]),
  );
}
