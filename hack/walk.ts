/**
 * Counts the files and functions of ours that one warm request runs, by V8's precise coverage: npx tsx hack/walk.ts
 * [--rooms] [--functions] [--default-audit] The server is the whole one, on the memory store, behind its real HTTP
 * stack. What background work does in the same moment counts, too, so each request is measured several times and the
 * least is printed. The audit log records each request with its bodies; with `--default-audit`, it records what it does
 * without a policy file. hack/bench/README.md has the figures.
 */
import { Session } from 'node:inspector/promises';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { openMemory } from '../storage/memory/backend.js';
import { auditLog, DISCARDING } from '../test/harness/audit-log.js';
import { openServer } from '../test/harness/server.js';

const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const ROUNDS = 5;
/** Milliseconds for what a request leaves to be done after its answer. */
const SETTLE = 30;
const ROOT = pathToFileURL(`${resolve('.')}/`).href;

interface Walk {
  readonly files: number;
  readonly functions: number;
  readonly calls: number;
  readonly rooms: ReadonlyMap<string, number>;
  /** The functions of each file, each with the number of its calls. */
  readonly names: ReadonlyMap<string, readonly string[]>;
}
interface Answer {
  readonly status: number;
}

const audit = process.argv.includes('--default-audit') ? auditLog().trail : DISCARDING;
const server = await openServer(openMemory(), { audit });
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** A helper that the compiler adds to files, and that the program does not have when it is built. */
const ADDED = '__name';

/** What ran since the last call. */
async function taken(): Promise<Walk> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const rooms = new Map<string, number>();
  const names = new Map<string, string[]>();
  let [files, functions, calls] = [0, 0, 0];
  for (const { url, functions: all } of result) {
    const path = url.startsWith(ROOT) ? url.slice(ROOT.length) : '';
    if (!/^(?:apis|cmd|pkg|registry|storage)\//.test(path) || path.includes('/testing/')) continue;
    const ran = all
      .filter(({ functionName, ranges }) => functionName !== '' || ranges[0]?.startOffset !== 0)
      .map(({ functionName, ranges }) => ({ functionName, count: ranges[0]?.count ?? 0 }))
      .filter(({ functionName, count }) => count > 0 && functionName !== ADDED);
    if (ran.length === 0) continue;
    files += 1;
    functions += ran.length;
    calls += ran.reduce((sum, { count }) => sum + count, 0);
    names.set(
      path,
      ran.map(({ functionName, count }) => `${functionName || '(unnamed)'} ${count}`),
    );
    const room = path.split('/').slice(0, 2).join('/');
    rooms.set(room, (rooms.get(room) ?? 0) + 1);
  }
  return { files, functions, calls, rooms, names };
}

async function measure(name: string, request: () => Promise<Answer>): Promise<void> {
  for (let i = 0; i < 3; i++) await request();
  let least: Walk | undefined;
  for (let i = 0; i < ROUNDS; i++) {
    await setTimeout(5 * SETTLE);
    await taken();
    const { status } = await request();
    if (status >= 300) throw new Error(`${name} was answered ${status}.`);
    await setTimeout(SETTLE);
    const walk = await taken();
    if (least === undefined || walk.functions < least.functions) least = walk;
  }
  if (least === undefined) return;
  process.stdout.write(`${name.padEnd(14)} ${least.files} files, ${least.functions} functions, ${least.calls} calls\n`);
  if (process.argv.includes('--rooms'))
    for (const [room, files] of [...least.rooms].sort((a, b) => b[1] - a[1]))
      process.stdout.write(`    ${room} ${files}\n`);
  if (process.argv.includes('--functions'))
    for (const [path, names] of least.names) process.stdout.write(`    ${path}: ${names.join(', ')}\n`);
}

let n = 0;
const folder = (name: string): object => ({
  apiVersion: 'folder.svc.app/v1beta1',
  kind: 'Folder',
  metadata: { name },
  spec: { title: `${name} ${n++}` },
});
const apply = { 'content-type': 'application/apply-patch+yaml' };
const merge = { 'content-type': 'application/merge-patch+json' };

let made = 0;
await measure('create', () => server.call('POST', FOLDERS, { body: folder(`walk-${made++}`) }));
await measure('get', () => server.call('GET', `${FOLDERS}/walk-0`));
await measure('page', () => server.call('GET', `${FOLDERS}?limit=2`));
await measure('update', () => server.call('PUT', `${FOLDERS}/walk-0`, { body: folder('walk-0') }));
await measure('patch', () =>
  server.call('PATCH', `${FOLDERS}/walk-0`, { body: { spec: { title: `${n++}` } }, headers: merge }),
);
await measure('apply', () =>
  server.call('PATCH', `${FOLDERS}/walk-1?fieldManager=walk&force=true`, { body: folder('walk-1'), headers: apply }),
);
await measure('legacy get', () => server.call('GET', '/api/folders/walk-0'));
await measure('legacy update', () =>
  server.call('PUT', '/api/folders/walk-0', { body: { title: `${n++}`, overwrite: true } }),
);
await measure('delete', () => server.call('DELETE', `${FOLDERS}/walk-${--made}`));
await server.close();
