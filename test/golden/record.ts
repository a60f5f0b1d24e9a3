/** `npx tsx test/golden/record.ts CLIENT`: records the transcript of a client again, and shows what is different. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clients } from './clients/index.js';
import { openFresh } from './fresh-server.js';
import { startRecording } from './proxy.js';
import { type Exchange, pathOf, type Transcript } from './transcript.js';

const ROOT = new URL('../..', import.meta.url);

const [name = ''] = process.argv.slice(2);
const session = clients[name];
if (session === undefined) {
  process.stderr.write(
    `usage: npx tsx test/golden/record.ts CLIENT, with one of: ${Object.keys(clients).join(', ')}\n`,
  );
  process.exit(1);
}
const server = await openFresh();
const proxy = await startRecording(() => server.address());
const folder = await mkdtemp(join(tmpdir(), 'golden-'));
const kubeconfig = join(folder, 'kubeconfig');
try {
  await writeFile(kubeconfig, kubeconfigOf(proxy.url));
  const client = await session({ url: proxy.url, kubeconfig, folder });
  await writeFile(pathOf(name), JSON.stringify(withCommonHeaders(client, proxy.exchanges())));
} finally {
  proxy.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
const show = (command: string, ...args: readonly string[]): unknown =>
  spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' });
show('node_modules/.bin/biome', 'format', '--write', '--files-max-size=4194304', pathOf(name));
show('git', '--no-pager', 'add', '--intent-to-add', pathOf(name));
show('git', '--no-pager', 'diff', '--stat', '--patch', '--', pathOf(name));

function kubeconfigOf(url: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'recorded', cluster: { server: url } }],
    contexts: [{ name: 'recorded', context: { cluster: 'recorded', namespace: 'default', user: '' } }],
    'current-context': 'recorded',
    users: [],
  });
}

/** Writes headers that all requests have only once. */
function withCommonHeaders(client: string, exchanges: readonly Exchange[]): Transcript {
  const [first, ...others] = exchanges.map(({ headers = {} }) => headers);
  const isCommon = ([header, value]: [string, string]): boolean => others.every((other) => other[header] === value);
  const common = Object.fromEntries(Object.entries(first ?? {}).filter(isCommon));
  const rest = (headers: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).filter(([header]) => common[header] === undefined));
  const shorter = exchanges.map(({ request, headers = {}, ...exchange }) => {
    const own = rest(headers);
    return { request, ...(Object.keys(own).length === 0 ? {} : { headers: own }), ...exchange };
  });
  return { client, headers: common, exchanges: withoutRepetitions(shorter) };
}

/** Leaves out reads that were recorded before with the same answer. */
function withoutRepetitions(exchanges: readonly Exchange[]): readonly Exchange[] {
  const seen = new Set<string>();
  return exchanges.filter((exchange) => {
    const text = JSON.stringify(exchange);
    const isRepeated = seen.has(text);
    seen.add(text);
    return !isRepeated || !exchange.request.startsWith('GET ') || exchange.answer.events !== undefined;
  });
}
