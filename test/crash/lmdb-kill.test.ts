import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runs } from '../../pkg/system/testing/runs.js';
import type { Backend, Commit, Stored } from '../../storage/backend.js';
import type { Key } from '../../storage/key.js';
import { openLmdb } from '../../storage/lmdb/open.js';
import { expectGapFree, loadAll, plainStored, read } from '../../storage/testing/backend/fixture.js';
import { seededRandom } from './workload.js';

const ROUNDS = runs(5);
const RESOURCE = 'folders.x';
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const writer = fileURLToPath(new URL('./lmdb-writer.ts', import.meta.url));

interface Acknowledged {
  readonly opened: number;
  /** The size of each acknowledged commit, by its end. */
  readonly commits: ReadonlyMap<number, number>;
}

/**
 * Runs the writer until it has acknowledged some commits, and kills it at a random time after that. Returns the
 * acknowledged commits.
 */
async function killed(path: string, round: number, random: () => number): Promise<Acknowledged> {
  const child = spawn(process.execPath, ['--import', 'tsx/esm', writer, path, `${seed + round}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [commits, pause] = [2 + random() * 30, random() * 300];
  let output = '';
  let isKillPlanned = false;
  for await (const chunk of child.stdout) {
    output += chunk;
    // The first line is the end of the log that the writer found.
    if (isKillPlanned || output.split('\n').length - 2 < commits) continue;
    isKillPlanned = true;
    setTimeout(() => child.kill('SIGKILL'), pause);
  }
  const lines = output
    .slice(0, output.lastIndexOf('\n') + 1)
    .trimEnd()
    .split('\n');
  const [opened, ...commitLines] = lines.map((line) => line.split(' ').map((part) => Number(part)));
  return {
    opened: opened?.[1] ?? Number.NaN,
    commits: new Map(commitLines.map(([end, size]) => [end ?? 0, size ?? 0])),
  };
}

describe(`crash: the embedded store under kill -9 (SEED=${seed})`, function () {
  this.timeout(120_000);
  let path: string;
  before(async () => {
    path = await mkdtemp(join(tmpdir(), 'lmdb-kill.'));
  });
  after(async () => {
    await rm(path, { recursive: true });
  });

  it('keeps all acknowledged commits whole, and continues without a gap', async () => {
    const random = seededRandom(seed);
    let end = 0;
    let state: ReadonlyMap<Key, Stored> = new Map();
    for (let round = 0; round < ROUNDS; round++) {
      const acknowledged = await killed(path, round, random);
      expect(acknowledged.opened, 'what the writer found').to.equal(end);
      expect(acknowledged.commits.size, 'acknowledged commits').to.be.greaterThan(1);
      const backend = await openLmdb({ path, domain: 'svc.app' });
      const commits = await expectKept(backend, end, acknowledged);
      const former = state;
      state = await expectWhole(backend, commits, former);
      await backend.materialize?.();
      await expectWhole(backend, commits, former);
      end = await backend.end();
      await backend.close();
    }
  });
});

/**
 * Expects that the log after `before`, or after its compaction, has every acknowledged commit whole, and at most one
 * other commit.
 */
async function expectKept(backend: Backend, before: number, acknowledged: Acknowledged): Promise<readonly Commit[]> {
  const end = await backend.end();
  const last = Math.max(before, ...acknowledged.commits.keys());
  expect(end, 'the end of the log').to.be.at.least(last);
  const start = Math.max(before, await backend.compacted());
  const commits = await read(backend, start, end);
  expectGapFree(commits, start);
  for (const commit of commits.filter(
    (candidate) => candidate.end <= last && candidate.end - candidate.changes.length >= start,
  )) {
    if (commit === commits[0] && start > before) continue;
    expect(acknowledged.commits.get(commit.end), `the size of the commit that ends at ${commit.end}`).to.equal(
      commit.changes.length,
    );
  }
  expect(commits.filter((commit) => commit.end > last).length, 'commits not acknowledged').to.be.at.most(1);
  for (const known of acknowledged.commits.keys()) {
    if (known > start)
      expect(
        commits.some((commit) => commit.end === known),
        `${known}`,
      ).to.equal(true);
  }
  expect(Object.fromEntries(await backend.counters())).to.deep.equal(end === 0 ? {} : { [RESOURCE]: end });
  return commits;
}

/** Expects that the objects are those of the state before, with the commits applied. */
async function expectWhole(
  backend: Backend,
  commits: readonly Commit[],
  before: ReadonlyMap<Key, Stored>,
): Promise<ReadonlyMap<Key, Stored>> {
  const objects = await loadAll(backend, RESOURCE);
  const found = new Map(objects.map((stored) => [stored.key, stored]));
  const first = commits[0]?.changes[0]?.revision ?? 0;
  const expected = new Map(before);
  for (const { key, revision, value } of commits.flatMap((commit) => commit.changes)) {
    if (value === undefined) expected.delete(key);
    else expected.set(key, { key, revision, value });
  }
  for (const { revision, value } of objects) {
    expect(JSON.parse(Buffer.from(value).toString())).to.include({ revision });
  }
  const touched = (map: ReadonlyMap<Key, Stored>) =>
    [...map.values()].filter((stored) => stored.revision >= first).map(plainStored);
  expect(touched(found)).to.have.deep.members(touched(expected));
  return found;
}
