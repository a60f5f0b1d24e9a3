import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runs } from '../../pkg/system/testing/runs.js';
import type { Backend } from '../../storage/backend.js';
import { Cacher } from '../../storage/cacher/cacher.js';
import { openLmdb } from '../../storage/lmdb/open.js';
import { decodeObject } from '../../storage/state/codec.js';
import { Definitions } from '../../storage/state/definitions.js';
import { Checkpointer, TableFolder } from '../../storage/tables/index.js';
import { loadAll, text } from '../../storage/testing/backend/fixture.js';
import { around } from '../../storage/testing/engine/around.js';
import { contents } from '../../storage/testing/engine/fixture.js';
import { DEFINITIONS } from '../../storage/testing/engine/resources.js';
import { seededRandom } from './workload.js';

const ROUNDS = runs(8);
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const writer = fileURLToPath(new URL('./tables-writer.ts', import.meta.url));

interface Told {
  /** The revision at which the writer began. */
  readonly opened: number;
  /** The newest revision that was acknowledged. */
  readonly acknowledged: number;
}

/** Runs the writer until it has acknowledged some writes, and kills it at a random time after that. */
async function killed(path: string, round: number, random: () => number): Promise<Told> {
  const child = spawn(process.execPath, ['--import', 'tsx/esm', writer, path, `${seed + round}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [writes, pause] = [1 + random() * 300, random() * 500];
  let output = '';
  let isKillPlanned = false;
  for await (const chunk of child.stdout) {
    output += chunk;
    if (isKillPlanned || output.split('\n').length - 2 < writes) continue;
    isKillPlanned = true;
    setTimeout(() => child.kill('SIGKILL'), pause);
  }
  const lines = output.slice(0, output.lastIndexOf('\n') + 1).trimEnd();
  const [opened, ...acknowledged] = lines.split('\n').map((line) => Number(line.split(' ')[1]));
  expect(isKillPlanned, 'it was killed, and did not end by itself').to.equal(true);
  return { opened: opened ?? Number.NaN, acknowledged: Math.max(0, ...acknowledged) };
}

/** The rows of an index, made from the objects in the store. */
function rowsOf(objects: Awaited<ReturnType<typeof loadAll>>, resource: string, index: string): readonly string[] {
  const rows = DEFINITIONS.find((one) => one.resource === resource)?.rows;
  const all = objects.flatMap(({ key, value }) =>
    (rows?.(decodeObject(value), key, value.length) ?? [])
      .filter((row) => row.index === index)
      .map(({ tuple }) => `${tuple} ${key}`),
  );
  return all.sort((a, b) => (a < b ? -1 : 1)).map((row) => row.slice(row.lastIndexOf(' ') + 1));
}

async function expectSame(backend: Backend, cacher: Cacher): Promise<void> {
  expect(cacher.revision).to.equal(await backend.end());
  for (const { resource } of DEFINITIONS) {
    const objects = await loadAll(backend, resource);
    const state = cacher.resource(resource);
    const expected = objects.map(({ key, revision, value }) => ({ key, revision, value: text(value) }));
    expect(contents(state, resource)).to.deep.equal(expected);
    expect([state.size, state.count('default')]).to.deep.equal([objects.length, objects.length]);
    for (const { key, revision } of objects) expect(state.get(key)?.revision, key).to.equal(revision);
    for (const index of ['parent', 'title'])
      expect(
        state.list(index, '').map(({ key }) => key),
        index,
      ).to.deep.equal(rowsOf(objects, resource, index));
  }
}

describe(`crash: what a server has kept of its objects under kill -9 (SEED=${seed})`, function () {
  this.timeout(240_000);
  let path: string;
  before(async () => {
    path = await mkdtemp(join(tmpdir(), 'tables-kill.'));
  });
  after(async () => {
    await rm(path, { recursive: true });
  });

  /** Starts on the files that were left, and returns whether they were used. */
  async function start(
    check: (cacher: Cacher, backend: Backend) => Promise<void>,
    isFlushed: boolean,
  ): Promise<boolean> {
    const backend = await openLmdb({ path: join(path, 'store'), domain: 'svc.app' });
    const options = { path: join(path, 'objects'), program: 'test', inMemory: () => false };
    const folder = await TableFolder.open(options, new Definitions(DEFINITIONS));
    const loaded: string[] = [];
    const load: Backend['load'] = (resource) => {
      loaded.push(resource);
      return backend.load(resource);
    };
    const cacher = await Cacher.open(around(backend, { load }), { definitions: DEFINITIONS, folder });
    await check(cacher, backend);
    const onError = (error: unknown): never => {
      throw error;
    };
    if (isFlushed) await new Checkpointer({ backend, cacher, folder, onError }).flush();
    await check(cacher, backend);
    for (const one of [cacher, folder, backend]) await one.close();
    return loaded.length === 0;
  }

  it('is the state of the store with the log, and is used again each time', async () => {
    const random = seededRandom(seed);
    let end = 0;
    let used = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const { opened, acknowledged } = await killed(path, round, random);
      expect(opened, 'what the writer found').to.equal(end);
      const isUsed = await start(async (cacher, backend) => {
        expect(cacher.revision).to.be.at.least(acknowledged);
        await expectSame(backend, cacher);
        end = cacher.revision;
      }, random() < 0.5);
      if (isUsed) used++;
    }
    console.log(`      kills: ${ROUNDS}, revisions: ${end}, used again: ${used}`);
    // Files are not used if the log was compacted beyond their revision.
    expect(used).to.be.greaterThan(ROUNDS / 3);
  });
});
