import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { Backend } from '../backend.js';
import { isStorageError } from '../errors.js';
import { keyOf } from '../key.js';
import { batchOf, changesOf, key, loadAll, write } from '../testing/backend/fixture.js';
import { openExclusively } from './lock.js';
import { openLmdb } from './open.js';
import { MAX_KEY, META } from './tables.js';

const domain = 'svc.app';

async function sentence(work: Promise<Backend>): Promise<string> {
  try {
    await (await work).close();
  } catch (error) {
    if (isStorageError(error, 'refused')) return error.message;
    throw error;
  }
  return 'it was opened';
}

/** Runs TypeScript in a separate process, with `open` defined. Resolves when it prints a line. */
async function child(
  path: string,
  program: string,
): Promise<{ readonly process: ChildProcess; readonly closed: Promise<readonly unknown[]>; readonly line: string }> {
  const module = new URL('./open.ts', import.meta.url).href;
  const source = `import { openLmdb } from ${JSON.stringify(module)};
    const open = () => openLmdb({ path: ${JSON.stringify(path)}, domain: 'svc.app' });
    ${program}`;
  const started = spawn(process.execPath, ['--import', 'tsx/esm', '--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Registered first, because the process may end before its line is read.
  const closed = once(started, 'close');
  let line = '';
  for await (const chunk of started.stdout) {
    line += chunk;
    if (line.includes('\n')) break;
  }
  return { process: started, closed, line: line.trim() };
}

const report = `try { await open(); console.log('opened'); } catch (error) { console.log(error.code + ': ' + error.message); }`;

describe('lmdb: open', function () {
  this.timeout(120_000);
  let path: string;
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'lmdb-open.'));
  });
  afterEach(async () => {
    await rm(path, { recursive: true });
  });

  it('creates the folder, readable by its owner only', async () => {
    const folder = join(path, 'a', 'data.d');
    await (await openLmdb({ path: folder, domain })).close();
    expect((await stat(folder)).mode & 0o777).to.equal(0o700);
    expect((await stat(join(folder, 'data.mdb'))).isFile()).to.equal(true);
  });

  it('hides its files from other users, even in a folder that they may read', async () => {
    const open = await mkdtemp(join(tmpdir(), 'lmdb-open-'));
    await chmod(open, 0o755);
    const backend = await openLmdb({ path: open, domain: 'svc.app' });
    for (const name of ['data.mdb', 'lock.mdb']) {
      expect((await stat(join(open, name))).mode & 0o777, name).to.equal(0o600);
    }
    await backend.close();
    await rm(open, { recursive: true });
  });

  it('refuses data of another API domain and names both', async () => {
    await (await openLmdb({ path, domain })).close();
    const message = await sentence(openLmdb({ path, domain: 'other.example' }));
    expect(message).to.include(path).and.include('"svc.app"').and.include('"other.example"').and.include('api.domain');
    await (await openLmdb({ path, domain })).close();
  });

  it('refuses a folder that it cannot use and names it', async () => {
    const file = join(path, 'file');
    await writeFile(file, 'not a folder');
    expect(await sentence(openLmdb({ path: file, domain }))).to.include(file);
    for (const [name, content] of [
      ['data.mdb', 'x'.repeat(100_000)],
      ['data.mdb', 'x'],
      ['data.mdb', undefined],
      ['lock.mdb', undefined],
    ] as const) {
      const folder = await mkdtemp(join(path, 'rubbish.'));
      if (content === undefined) await mkdir(join(folder, name));
      else await writeFile(join(folder, name), content);
      expect(await sentence(openLmdb({ path: folder, domain })))
        .to.include(join(folder, name))
        .and.include('cannot be opened');
    }
  });

  it('refuses a folder that this process has open, under any name', async () => {
    const backend = await openLmdb({ path, domain });
    const other = `${path}-link`;
    await symlink(path, other);
    try {
      expect(await sentence(openLmdb({ path, domain })))
        .to.include(path)
        .and.include('in use');
      expect(await sentence(openLmdb({ path: other, domain })))
        .to.include(other)
        .and.include('in use');
      expect(await write(backend, [{ key: key('a'), value: '1' }])).to.equal(1);
    } finally {
      await backend.close();
      await rm(other);
    }
    await (await openLmdb({ path, domain })).close();
  });

  it('refuses a folder that another process has open, which keeps working', async () => {
    const backend = await openLmdb({ path, domain });
    await write(backend, [{ key: key('a'), value: '1' }]);
    for (let i = 0; i < 2; i++) {
      const second = await child(path, report);
      expect(second.line)
        .to.match(/^refused: /)
        .and.include(path)
        .and.include('in use by another server');
      await second.closed;
      expect(await write(backend, [{ key: key('a'), value: `${i}` }])).to.equal(i + 2);
    }
    await backend.close();
    const third = await child(path, report);
    expect(third.line).to.equal('opened');
    third.process.kill('SIGKILL');
    await third.closed;
  });

  it('opens after its owner was killed at any moment', async () => {
    const owner = await child(path, `await open(); console.log('opened'); setInterval(() => {}, 1000);`);
    expect(await sentence(openLmdb({ path, domain }))).to.include('in use');
    owner.process.kill('SIGKILL');
    await owner.closed;
    const backend = await openLmdb({ path, domain });
    expect(await backend.end()).to.equal(0);
    await backend.close();
  });

  it('is visible to other processes as soon as it owns the folder, also while it writes', async () => {
    const { tables, release } = openExclusively(path);
    const isShown = () => tables.root.readerList().includes(`${process.pid} `);
    const shown = [isShown()];
    for (let i = 0; i < 3; i++) {
      const written = tables.meta.put(META.compacted, i, 1);
      shown.push(isShown());
      await written;
      shown.push(isShown());
    }
    await release();
    expect(shown).to.deep.equal(shown.map(() => true));
  });

  it('never lets two processes that start together own the folder', async () => {
    const program = `${report}\nprocess.stdin.resume(); setInterval(() => {}, 1000);`;
    const children = await Promise.all(Array.from({ length: 4 }, () => child(path, program)));
    const lines = children.map(({ line }) => line);
    for (const { process } of children) process.kill('SIGKILL');
    await Promise.all(children.map(({ closed }) => closed));
    expect(lines.filter((line) => line === 'opened').length).to.be.at.most(1);
    expect(lines.filter((line) => line !== 'opened' && !line.startsWith('refused: '))).to.deep.equal([]);
    await (await openLmdb({ path, domain })).close();
  });
});

describe('lmdb: append', () => {
  let path: string;
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'lmdb-append.'));
  });
  afterEach(async () => {
    await rm(path, { recursive: true });
  });

  it('rejects a name that is too long for LMDB, names it, and writes nothing of the batch', async () => {
    const backend = await openLmdb({ path, domain });
    const fits = keyOf('folders.x', 'default', 'y'.repeat(MAX_KEY - 'folders.x/default/'.length));
    const tooLong = `${fits}y` as typeof fits;
    const changes = changesOf(
      0,
      [
        { key: key('a'), value: '1' },
        { key: tooLong, value: '2' },
      ],
      new Map(),
    );
    const error = await backend.append(0, batchOf(changes)).catch((error: unknown) => error);
    expect(error).to.include({ code: 'rejected', key: tooLong });
    expect(String(error))
      .to.include(`takes ${MAX_KEY + 1} bytes`)
      .and.have.length.below(400);
    expect(await backend.end()).to.equal(0);
    expect(await loadAll(backend)).to.deep.equal([]);
    await write(backend, [{ key: fits, value: '1' }]);
    expect((await backend.get([fits, tooLong])).size).to.equal(1);
    await backend.close();
  });

  it('ends the process rather than store half a batch, if an accepted write fails', async () => {
    const victim = await child(
      path,
      `const backend = await open();
      const good = (revision, name) => ({ key: 'folders.x/default/' + name, revision, value: new Uint8Array([123, 125]) });
      await backend.append(0, { commitId: '1', changes: [good(1, 'a')], counters: new Map() });
      console.log('opened');
      let encodings = 0;
      const commitId = { toJSON: () => { if (++encodings > 1) throw new Error('it cannot be encoded again'); return '2'; } };
      await backend.append(1, { commitId, changes: [good(2, 'b'), good(3, 'c')], counters: new Map() });`,
    );
    const [, signal] = await victim.closed;
    expect(signal).to.equal('SIGABRT');
    const backend = await openLmdb({ path, domain });
    expect(await backend.end()).to.equal(1);
    expect((await loadAll(backend, 'folders.x')).map((stored) => stored.key)).to.deep.equal(['folders.x/default/a']);
    await backend.close();
  });
});

/** More than are handed to lmdb-js in one turn of the event loop. */
const MANY = 3000;

describe('lmdb: append of many changes', () => {
  let path: string;
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'lmdb-many.'));
  });
  afterEach(async () => {
    await rm(path, { recursive: true });
  });

  it('lets other work take its turns meanwhile, which sees nothing of the changes before all are stored', async () => {
    const backend = await openLmdb({ path, domain });
    const wishes = Array.from({ length: MANY }, (_, i) => ({ key: key(`n${i}`), value: 'v'.repeat(2000) }));
    let isStored = false;
    const stored = write(backend, wishes).then(() => {
      isStored = true;
    });
    const seen = new Map<string, number>();
    for (;;) {
      await setImmediate();
      const [end, objects] = [await backend.end(), (await backend.get(wishes.map((one) => one.key))).size];
      if (isStored) break;
      seen.set(`${end} ${objects}`, 1 + (seen.get(`${end} ${objects}`) ?? 0));
    }
    await stored;
    expect([...seen.keys()].filter((one) => one !== `${MANY} ${MANY}`)).to.deep.equal(['0 0']);
    expect(seen.get('0 0')).to.be.above(5);
    await write(backend, wishes.slice(0, 1));
    await backend.close();
    const again = await openLmdb({ path, domain });
    expect([await again.end(), (await loadAll(again)).length]).to.deep.equal([MANY + 1, MANY]);
    await again.close();
  });

  it('ends the process rather than store a part, if a write fails in the middle', async () => {
    const victim = await child(
      path,
      `import { commitInParts } from ${JSON.stringify(new URL('./commit.ts', import.meta.url).href)};
      import { WriteGate } from ${JSON.stringify(new URL('./gate.ts', import.meta.url).href)};
      import { openExclusively } from ${JSON.stringify(new URL('./lock.ts', import.meta.url).href)};
      await (await open()).close();
      const path = ${JSON.stringify(path)};
      const { tables } = openExclusively(path);
      const put = (_, i) => ({ table: 'objects', key: Buffer.from('folders.x/default/n' + i), value: new Uint8Array([123, 125]), version: i + 1 });
      const operations = Array.from({ length: ${MANY} }, put);
      operations[2500] = { ...operations[2500], version: Symbol('lmdb-js throws for it') };
      console.log('opened');
      await commitInParts(new WriteGate(path), tables, 0, operations);`,
    );
    const [, signal] = await victim.closed;
    expect(signal).to.equal('SIGABRT');
    const backend = await openLmdb({ path, domain });
    expect([await backend.end(), await loadAll(backend, 'folders.x')]).to.deep.equal([0, []]);
    await backend.close();
  });
});
