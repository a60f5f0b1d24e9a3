import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { Backend } from '../../backend.js';
import {
  type Current,
  expectCode,
  expectGapFree,
  key,
  loadAll,
  plainCommit,
  plainStored,
  read,
  type Wish,
  write,
  writeAgain,
} from './fixture.js';

async function servers(current: Current): Promise<readonly Backend[]> {
  const { backend, another } = current();
  return another === undefined ? [backend] : [backend, await another(), await another()];
}

export function competitionSuite(current: Current): void {
  describe('competition', () => {
    it('puts the commits of all writers in one order, which every tail has', async () => {
      const backends = await servers(current);
      const [writers, rounds] = [6, 15];
      const last = writers * rounds * 2;
      const following = backends.map((backend) => read(backend, 0, last));
      const acknowledged = await Promise.all(
        Array.from({ length: writers }, async (_, writer) => {
          const backend = backends[writer % backends.length] as Backend;
          const ends: { readonly end: number; readonly round: string }[] = [];
          for (let i = 0; i < rounds; i++) {
            const round = `${writer}:${i}`;
            const wishes: Wish[] = [
              { key: key('shared'), value: round },
              { key: key(`own-${writer}`), value: round },
            ];
            ends.push({ end: await writeAgain(backend, wishes), round });
          }
          return ends;
        }),
      );
      const found = await Promise.all(following);
      for (const commits of found) {
        expectGapFree(commits, 0);
        expect(commits.map(plainCommit)).to.deep.equal(found[0]?.map(plainCommit));
      }
      const commits = found[0] ?? [];
      for (const { end, round } of acknowledged.flat()) {
        const commit = commits.find((candidate) => candidate.end === end);
        expect(commit?.changes.map((change) => Buffer.from(change.value ?? []).toString())).to.deep.equal(
          Array(2).fill(JSON.stringify(round)),
        );
      }
      expectChained(commits.flatMap((commit) => commit.changes));
    });

    it('shows an acknowledged write to every other server at once', async () => {
      const backends = await servers(current);
      for (let i = 0; i < 20; i++) {
        const end = await write(backends[i % backends.length] as Backend, [{ key: key('a'), value: `${i}` }], {
          teams: i,
        });
        for (const backend of backends) {
          expect(await backend.end()).to.equal(end);
          expect((await backend.get([key('a')])).get(key('a'))?.revision).to.equal(end);
          expect((await backend.counters()).get('teams')).to.equal(i);
          expect((await loadAll(backend)).map(plainStored)).to.deep.equal([
            { key: key('a'), revision: end, value: `"${i}"` },
          ]);
        }
      }
    });

    it('returns an end under load that is no older than any earlier result', async () => {
      const backends = await servers(current);
      let told = 0;
      const writing = backends.map(async (backend, writer) => {
        for (let i = 0; i < 15; i++) {
          const end = await writeAgain(backend, [{ key: key(`of-${writer}`), value: `${i}` }]);
          told = Math.max(told, end);
        }
      });
      let isOver = false;
      const asking = backends.map(async (backend) => {
        while (!isOver) {
          const before = told;
          const end = await backend.end();
          expect(end).to.be.at.least(before);
          told = Math.max(told, end);
          await setImmediate();
        }
      });
      await Promise.all(writing).finally(() => {
        isOver = true;
      });
      await Promise.all(asking);
    });

    it('returns an end no older than what was read, also during an append', async () => {
      const backends = await servers(current);
      let isOver = false;
      const writing = (async () => {
        for (let i = 0; i < 100; i++) await write(backends[0] as Backend, [{ key: key('a'), value: `${i}` }]);
      })().finally(() => {
        isOver = true;
      });
      const reading = backends.map(async (backend) => {
        while (!isOver) {
          const { revision = 0 } = (await backend.get([key('a')])).get(key('a')) ?? {};
          expect(await backend.end()).to.be.at.least(revision);
          await setImmediate();
        }
      });
      await Promise.all([writing, ...reading]);
    });

    it('tells whether other servers may write', () => {
      const { backend, another } = current();
      expect(backend.shared).to.equal(another !== undefined);
    });

    it('compacts for every server', async () => {
      const backends = await servers(current);
      const first = backends[0] as Backend;
      for (let i = 0; i < 10; i++) await write(first, [{ key: key('a'), value: `${i}` }]);
      await first.compact(6);
      for (const backend of backends) {
        expect(await backend.compacted()).to.equal(6);
        await expectCode(read(backend, 5, 10), 'compacted');
        expectGapFree(await read(backend, 6, 10), 6);
      }
    });
  });
}

interface Link {
  readonly key: string;
  readonly revision: number;
  readonly previous?: { readonly revision: number };
}

/** Checks that each change has the previous change of its key, so that nothing was written on an old state. */
function expectChained(changes: readonly Link[]): void {
  const latest = new Map<string, number>();
  for (const { key, revision, previous } of changes) {
    expect(previous?.revision, `what ${key}@${revision} replaced`).to.equal(latest.get(key));
    latest.set(key, revision);
  }
}
