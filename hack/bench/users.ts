/**
 * Measures how long the legacy API takes to search and list many users.
 *   npx tsx hack/bench/users.ts [users] [rounds]
 * Prints one line of JSON for each request, with p50 and p99 in milliseconds.
 */
import { Client } from '../../registry/client.js';
import { kindNamed } from '../../registry/kind.js';
import { openMemory } from '../../storage/memory/backend.js';
import { openServer, type Server } from '../../test/harness/server.js';

const users = Number(process.argv[2] ?? 100_000);
const rounds = Number(process.argv[3] ?? 50);
const PATHS = [
  '/api/users/search?perpage=50',
  '/api/users/search?perpage=50&query=person-4242',
  '/api/users/search?perpage=50&query=EXAMPLE',
  '/api/users/search?perpage=50&query=nobody-has-this',
  '/api/users/search?perpage=50&query=example&page=1000',
  '/api/users/search?perpage=50&sort=name-asc,email-desc',
  '/api/users/search?perpage=50&sort=login-desc',
  '/api/users/search?perpage=50&sort=lastSeenAtAge-asc',
  '/api/users?perpage=50',
  '/api/users?perpage=50&page=1000',
  '/api/users',
  '/api/users/lookup?loginOrEmail=person-4242',
];

const server = await openServer(openMemory());
await fill(server, users);
for (const path of PATHS)
  process.stdout.write(`${JSON.stringify({ users, path, ...(await measure(server, path)) })}\n`);
await server.close();

/** Sends a request after the response of the one before. */
async function measure({ call }: Server, path: string): Promise<Record<string, number>> {
  const taken: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const begun = performance.now();
    const { status, text } = await call('GET', path);
    taken.push(performance.now() - begun);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  }
  taken.sort((a, b) => a - b);
  const at = (share: number): number => Number((taken[Math.floor(share * (taken.length - 1))] ?? 0).toFixed(2));
  return { p50: at(0.5), p99: at(0.99) };
}

async function fill({ api }: Server, count: number): Promise<void> {
  const user = { name: 'bench', uid: '', groups: ['system:masters'], extra: {} };
  const users = new Client(api.registry, { user }).objects(kindNamed(api.registry.kinds, 'User'));
  for (let from = 0; from < count; from += 1000) {
    const some = Array.from({ length: Math.min(1000, count - from) }, (_, i) => `person-${from + i}`);
    const spec = (login: string) => ({
      login,
      email: `${login}@example.com`,
      name: `Person Number ${login.length}${login.slice(-2)}`,
      disabled: false,
      grafanaAdmin: false,
    });
    await Promise.all(some.map((name) => users.create({ metadata: { name }, spec: spec(name) })));
  }
}
