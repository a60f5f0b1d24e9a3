import { statfsSync } from 'node:fs';
import { expect } from 'chai';
import { isStorageError, type StorageError } from '../errors.js';
import { commit, commitAlone, commitInParts, failureOf, refuseIfFull } from './commit.js';
import { WriteGate } from './gate.js';
import type { WriteOperation } from './plan.js';
import { ALONE } from './room.js';
import { type LmdbTables, META, versionOf } from './tables.js';
import { eachFolder, withStore, withTables, writingWith } from './testing/folder.js';

/** A file system without any free space, on Linux. */
const FULL_DISK = '/proc';
const onLinux = process.platform === 'linux' ? it : it.skip;

const puts = (count: number): readonly WriteOperation[] =>
  Array.from({ length: count }, (_, i) => ({
    table: 'objects',
    key: Buffer.from(`n${i}`),
    value: Buffer.from('v'),
    version: 7,
  }));
const endAt = (end: number): WriteOperation => ({
  table: 'meta',
  key: META.end,
  value: { end, at: 0 },
  version: versionOf(end),
});
const countOf = ({ objects }: LmdbTables): number => objects.getKeysCount();

describe('lmdb: commit', () => {
  const folder = eachFolder();
  beforeEach(() => withStore(folder(), async () => undefined));

  it('writes everything, with versions, if the log ends where it should, and nothing otherwise', async () => {
    await withTables(folder(), async (tables) => {
      const log: WriteOperation = { table: 'log', key: Buffer.from('l'), value: Buffer.from('x') };
      expect(await commit(tables, 1, [...puts(1), log])).to.equal(false);
      expect([countOf(tables), tables.log.getKeysCount()]).to.deep.equal([0, 0]);
      expect(await commit(tables, 0, [...puts(2), log, endAt(2)])).to.equal(true);
      expect(tables.objects.getEntry(Buffer.from('n1'))).to.deep.include({ value: Buffer.from('v'), version: 7 });
      expect(tables.log.get(Buffer.from('l'))).to.deep.equal(Buffer.from('x'));
      expect(await commit(tables, 0, [{ table: 'objects', key: Buffer.from('n0') }])).to.equal(false);
      expect(await commit(tables, 2, [{ table: 'objects', key: Buffer.from('n0') }])).to.equal(true);
      expect([...tables.objects.getKeys()].map(String)).to.deep.equal(['n1']);
    });
  });

  for (const count of [10, 2000, 2001, 4500]) {
    it(`writes all of ${count} operations or none`, async () => {
      const gate = new WriteGate(folder());
      await withTables(folder(), async (tables) => {
        expect(await commitInParts(gate, tables, 3, [...puts(count), endAt(4)])).to.equal(false);
        expect(countOf(tables)).to.equal(0);
        expect(await commitInParts(gate, tables, 0, [...puts(count), endAt(4)])).to.equal(true);
        expect([countOf(tables), tables.meta.get(META.end)]).to.deep.equal([count, { end: 4, at: 0 }]);
        expect(await commitInParts(gate, tables, 0, [endAt(5)])).to.equal(false);
        await gate.close();
      });
    });
  }

  it('lets the event loop take its turns while it hands over many operations', async () => {
    const gate = new WriteGate(folder());
    await withTables(folder(), async (tables) => {
      let isOver = false;
      let turns = 0;
      const count = (): void => {
        turns++;
        if (!isOver) setImmediate(count);
      };
      let handedOver = 0;
      const slow = puts(20_000).map((operation) => ({
        ...operation,
        get key() {
          handedOver = turns;
          return operation.key;
        },
      }));
      count();
      await commitInParts(gate, tables, 0, slow);
      isOver = true;
      expect(handedOver).to.be.greaterThan(3);
      await gate.close();
    });
  });
});

describe('lmdb: a commit of whoever fills or repairs a store', () => {
  const folder = eachFolder();
  beforeEach(() => withStore(folder(), async () => undefined));
  const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => (isStorageError(error) ? error.code : error),
    );

  onLinux('is refused, and writes nothing, if another process has written, or if the disk is full', async () => {
    await withTables(folder(), async (tables) => {
      expect(await codeOf(commitAlone(tables, folder(), 1, puts(1)))).to.equal('refused');
      expect(await codeOf(commitAlone(tables, FULL_DISK, 0, puts(1)))).to.equal('unavailable');
      expect(countOf(tables)).to.equal(0);
      await commitAlone(tables, folder(), 0, puts(2));
      expect(countOf(tables)).to.equal(2);
    });
  });

  it('tells why it has failed', async () => {
    await withTables(folder(), async (tables) => {
      const failing = (code: number): LmdbTables =>
        writingWith(tables, () => Promise.reject(Object.assign(new Error('failed'), { code })));
      expect(await codeOf(commitAlone(failing(28), folder(), 0, puts(1)))).to.equal('unavailable');
      expect(await codeOf(commitAlone(failing(30), folder(), 0, puts(1)))).to.equal('unknown');
    });
  });
});

describe('lmdb: a failed commit', () => {
  const failure = async (error: unknown, path = '/tmp', operations = puts(1)): Promise<StorageError> => {
    const found = await failureOf(error, path, operations, ALONE);
    expect(isStorageError(found)).to.equal(true);
    return found;
  };
  const withCode = (code: number): Error => Object.assign(new Error(`it has failed with ${code}`), { code });

  it('has written nothing if the disk is full or memory is short', async () => {
    for (const code of [28, 122, 27, 12, -30792, -30788]) {
      const cause = withCode(code);
      const error = await failure(cause);
      expect(error).to.include({ code: 'unavailable', cause });
      expect(error.message).to.include('/tmp is full, so nothing was written');
    }
  });

  onLinux('has written nothing if it fails with an input/output error on a full disk', async () => {
    expect((await failure(withCode(5), FULL_DISK)).code).to.equal('unavailable');
    expect((await failure(withCode(5))).code).to.equal('unknown');
    expect((await failure(withCode(6), FULL_DISK)).code).to.equal('unknown');
  });

  it('is of unknown outcome otherwise, and tells the reason', async () => {
    for (const cause of [withCode(30), new Error('no code'), 'a text']) {
      const error = await failure(cause);
      expect(error).to.include({ code: 'unknown', cause });
      expect(error.message).to.match(
        /The disk of \/tmp failed \((it has failed with 30|no code|a text)\): it is unknown/,
      );
    }
  });

  it('is of unknown outcome if nothing is told of it', async () => {
    for (const error of [undefined, null]) expect((await failure(error)).code).to.equal('unknown');
  });

  it('has the cause that lmdb-js tells later', async () => {
    const later = (commitError: unknown): Error => Object.assign(new Error('Commit failed'), { commitError });
    const refused = Promise.reject(withCode(28));
    refused.catch(() => undefined);
    expect((await failure(later(refused))).code).to.equal('unavailable');
    expect((await failure(later(Promise.resolve(withCode(28))))).code).to.equal('unavailable');
    expect((await failure(later(Promise.resolve(withCode(1))))).message).to.include('it has failed with 1');
  });
});

describe('lmdb: the room on a disk', () => {
  const isRefused = (path: string, operations: readonly WriteOperation[]): boolean => {
    try {
      refuseIfFull(path, operations, ALONE);
      return false;
    } catch (error) {
      expect(isStorageError(error, 'unavailable'), String(error)).to.equal(true);
      return true;
    }
  };

  it('is kept for what a commit needs beside its bytes', () => {
    const { bavail, bsize } = statfsSync('/tmp');
    const free = bavail * bsize;
    const value = Buffer.alloc(1024 * 1024);
    const ofBytes = (bytes: number): readonly WriteOperation[] =>
      Array.from({ length: Math.floor(bytes / value.byteLength) }, (_, i) => ({
        table: 'objects',
        key: Buffer.from(`${i}`),
        value,
      }));
    expect(isRefused('/tmp', [])).to.equal(false);
    expect(isRefused('/tmp', ofBytes(free / 8))).to.equal(false);
    expect(isRefused('/tmp', ofBytes(free / 2))).to.equal(true);
  });

  onLinux('is never enough on a full disk, also for a deletion', () => {
    expect(isRefused(FULL_DISK, [])).to.equal(true);
    expect(isRefused(FULL_DISK, [{ table: 'objects', key: Buffer.from('a') }])).to.equal(true);
  });
});
