import { readFileSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { FOLDERS } from '../crash/workload.js';
import { startServer, type TestServer } from '../e2e/harness.js';
import { eventually } from '../e2e/process.js';

/** So many folders with notes of this size do not fit in the memory for objects. */
const COUNT = 100;
const NOTE = 'x'.repeat(200_000);
const PAGE = 20;

interface Listed {
  readonly metadata: { readonly continue?: string };
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly title: string };
  }[];
}

describe('workers that share the files of their objects', function () {
  this.timeout(120_000);
  let server: TestServer;

  before(async () => {
    server = await startServer({ settings: { 'server.workers': '2' } });
  });
  after(() => server?.stop());

  const objects = (): string => join(server.folder, 'data', 'objects');
  const tables = async (): Promise<readonly string[]> =>
    (await readdir(objects())).filter((name) => name.endsWith('.tables'));
  const named = (i: number): string => `big-${String(i).padStart(3, '0')}`;
  const inOrder = (title: string): readonly string[] => Array.from({ length: COUNT }, (_, i) => `${named(i)} ${title}`);

  /** The process that has the lock of the writer. */
  function writer(): number | undefined {
    const { ino } = statSync(join(objects(), 'writer'));
    const [, pid] = new RegExp(`FLOCK .* (\\d+) [0-9a-f:]+:${ino} `).exec(readFileSync('/proc/locks', 'utf8')) ?? [];
    return pid === undefined ? undefined : Number(pid);
  }

  async function workers(): Promise<readonly number[]> {
    const text = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8');
    return text.trim().split(' ').map(Number);
  }

  /** Writes all folders, and waits until they are in a new file. */
  async function writeAll(title: string, isNew: boolean): Promise<void> {
    const before = await tables();
    const writes = Array.from({ length: COUNT }, (_, i) => {
      const body = { metadata: { name: named(i), annotations: { note: NOTE } }, spec: { title } };
      if (isNew) return server.client.request('POST', FOLDERS, { body });
      return server.client.request('PUT', `${FOLDERS}/${named(i)}`, { body });
    });
    for (const { status, text } of await Promise.all(writes)) expect([200, 201], text).to.include(status);
    await eventually(
      async () => (await tables()).some((name) => !before.includes(name)) || undefined,
      () => 'no file was written',
    );
  }

  async function page(token?: string): Promise<Listed> {
    const rest = token === undefined ? '' : `&continue=${encodeURIComponent(token)}`;
    const { status, text } = await server.client.request('GET', `${FOLDERS}?limit=${PAGE}${rest}`);
    expect(status, text).to.equal(200);
    return JSON.parse(text) as Listed;
  }

  const titlesOf = ({ items }: Listed): readonly string[] =>
    items.map(({ metadata, spec }) => `${metadata.name} ${spec.title}`);

  /** The names and titles of a page and of all later pages. */
  async function rest(first: Listed): Promise<readonly string[]> {
    const titles = [...titlesOf(first)];
    for (let { continue: token } = first.metadata; token !== undefined; ) {
      const next = await page(token);
      titles.push(...titlesOf(next));
      token = next.metadata.continue;
    }
    return titles;
  }

  /** Expects that both workers have all folders. Several requests at once go to both. */
  async function expectAll(title: string): Promise<void> {
    const lists = await Promise.all([0, 1, 2, 3].map(async () => rest(await page())));
    for (const list of lists) expect(list).to.deep.equal(inOrder(title));
  }

  it('write by one process, which is not the same as that of the server', async () => {
    expect(await workers()).to.include(writer());
    await writeAll('first', true);
    await expectAll('first');
  });

  it('list and page right while files take the place of others, also by a token from before', async () => {
    const first = await page();
    for (const title of ['second', 'third', 'fourth']) await writeAll(title, false);
    expect(await rest(first)).to.deep.equal(inOrder('first'));
    await expectAll('fourth');
  });

  it('go on when the writing process is killed, because another one takes over', async () => {
    const killed = writer() ?? 0;
    process.kill(killed, 'SIGKILL');
    await eventually(
      async () => {
        const now = writer();
        return (now !== undefined && now !== killed && (await workers()).includes(now)) || undefined;
      },
      () => 'no other process writes',
    );
    await writeAll('after', false);
    await expectAll('after');
  });

  it('have everything after the server was killed and started again at once', async () => {
    await server.kill();
    await server.restart();
    await expectAll('after');
  });

  it('have everything after the server was stopped and started again, and leave no other files', async () => {
    process.kill(server.pid, 'SIGTERM');
    expect(await server.ended()).to.equal(0);
    const manifest = await readFile(join(objects(), 'manifest'), 'utf8');
    const kept = JSON.parse(manifest.slice(manifest.indexOf('\n'))) as { readonly files: readonly { name: string }[] };
    expect(await tables()).to.have.members(kept.files.map(({ name }) => name));
    await server.restart();
    await expectAll('after');
  });
});
