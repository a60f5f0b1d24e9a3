import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Stored } from '../backend.js';
import { isStorageError, StorageError } from '../errors.js';
import { keyOf } from '../key.js';
import { plainStored } from '../testing/backend/fixture.js';
import { all, held } from '../testing/transfer/fixture.js';
import type { Head, Snapshot } from '../transfer/snapshot.js';
import { backupSnapshot, verifyBackup } from './read.js';
import { writeBackup } from './write.js';

const MADE = new Date('2026-05-04T03:02:01.000Z');
const HEAD: Head = { domain: 'svc.app', end: 9, compacted: 4, at: 1234, counters: new Map([['teams', 3]]) };
const OBJECTS: readonly Stored[] = [
  held('a', 1),
  held('b', 2),
  { key: keyOf('teams.x', '', 'ö'), revision: 9, value: Buffer.from('{"a":\n"b"}') },
];

function snapshotOf(objects: () => AsyncIterable<readonly Stored[]>): Snapshot {
  return { head: HEAD, size: OBJECTS.length, objects } as unknown as Snapshot;
}

async function* chunks(objects: readonly Stored[]): AsyncGenerator<readonly Stored[], void, undefined> {
  yield objects;
}

describe('backup', () => {
  let folder = '';
  let path = '';
  const written = (objects = () => chunks(OBJECTS), progress: (done: number) => void = () => undefined) =>
    writeBackup(snapshotOf(objects), { path, by: '1.2.3', made: MADE, progress });
  const verified = (progress: (done: number) => void = () => undefined) => verifyBackup(path, progress);
  const refusal = async (work: Promise<unknown>): Promise<StorageError> => {
    const error: unknown = await work.catch((error: unknown) => error);
    if (isStorageError(error, 'refused')) return error;
    throw new Error(`it was not refused: ${String(error)}`);
  };
  const textOf = async (): Promise<string> => gunzipSync(await readFile(path)).toString();
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backup.'));
    path = join(folder, 'file');
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** A backup whose text was changed, with the right SHA-256 if its end is `ended`. */
  const changed = async (change: (text: string) => string, ended?: object): Promise<void> => {
    await written();
    const text = change((await textOf()).replace(/[^\n]+\n$/, (line) => (ended === undefined ? line : '')));
    const sha256 = createHash('sha256').update(text).digest('hex');
    await writeFile(path, gzipSync(ended === undefined ? text : `${text}${JSON.stringify({ ...ended, sha256 })}\n`));
  };
  const END = { end: true, objects: 3, resources: {} };

  it('is a text that zcat shows: its head, each object, and its end', async () => {
    await written();
    const lines = (await textOf()).split('\n');
    expect(JSON.parse(lines[0] ?? '')).to.deep.equal({
      format: 'dashboard-apiserver backup',
      version: 2,
      domain: 'svc.app',
      revision: 9,
      at: 1234,
      made: '2026-05-04T03:02:01.000Z',
      by: '1.2.3',
      counters: { teams: 3 },
    });
    expect(lines.slice(1, -2)).to.deep.equal([
      '["folders.folder.svc.app/default/a",1,5]',
      '"a 1"',
      '["folders.folder.svc.app/default/b",2,5]',
      '"b 2"',
      '["teams.x//ö",9,10]',
      '{"a":',
      '"b"}',
    ]);
    const before = lines.slice(0, -2).join('\n');
    expect(JSON.parse(lines.at(-2) ?? '')).to.deep.equal({
      end: true,
      objects: 3,
      resources: { 'folders.folder.svc.app': 2, 'teams.x': 1 },
      sha256: createHash('sha256').update(`${before}\n`).digest('hex'),
    });
  });

  it('gives back what was written, without a log, and as many revisions later as it is told', async () => {
    const end = await written();
    const found = await verified();
    expect(found.end).to.deep.equal(end);
    expect(found.head).to.include({ domain: 'svc.app', revision: 9, by: '1.2.3' });
    for (const advance of [0, 5]) {
      const snapshot = backupSnapshot(path, found, { advance });
      expect(snapshot.head).to.deep.equal({ ...HEAD, end: 9 + advance, compacted: 9 + advance });
      expect(snapshot.size).to.equal(3);
      expect((await all(snapshot.objects())).map(plainStored)).to.deep.equal(OBJECTS.map(plainStored));
      expect(await all(snapshot.commits(9))).to.deep.equal([]);
      await snapshot.close();
    }
  });

  it('is read in chunks, and tells how far it is', async () => {
    const many = Array.from({ length: 1100 }, (_, i) => held(`n${1000 + i}`, (i % HEAD.end) + 1));
    const [writing, reading, sizes]: number[][] = [[], [], []];
    await written(
      () => chunks(many),
      (done) => writing?.push(done),
    );
    expect(writing).to.deep.equal([1100]);
    const found = await verified((done) => reading?.push(done));
    expect(reading).to.deep.equal([500, 1000, 1100]);
    for await (const chunk of backupSnapshot(path, found, { advance: 0 }).objects()) sizes?.push(chunk.length);
    expect(sizes).to.deep.equal([500, 500, 100]);
    for (const count of [500, 0]) {
      await written(() => chunks(many.slice(0, count)));
      const progress: number[] = [];
      expect((await verified((done) => progress.push(done))).end.objects).to.equal(count);
      expect(progress).to.deep.equal(count === 0 ? [] : [500]);
    }
    expect((await verified()).end).to.deep.include({ objects: 0, resources: {} });
  });

  it('can be read by its owner only, and leaves nothing else in the folder', async () => {
    await written();
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    expect(await readdir(folder)).to.deep.equal(['file']);
  });

  it('that fails leaves the earlier one as it is, and tells why', async () => {
    await writeFile(path, 'earlier');
    const failing = (error: Error) =>
      written(async function* () {
        yield OBJECTS;
        throw error;
      });
    const lost = new StorageError('unavailable', 'The store is gone.');
    expect(await failing(lost).catch((error: unknown) => error)).to.equal(lost);
    const cause = new Error('a bug');
    const error: unknown = await failing(cause).catch((error: unknown) => error);
    expect(error).to.include({ code: 'unavailable', message: `${path} cannot be written: a bug`, cause });
    expect([await readdir(folder), String(await readFile(path))]).to.deep.equal([['file'], 'earlier']);
    path = join(folder, 'none', 'file');
    expect(await written().catch((error: unknown) => error)).to.include({ code: 'unavailable' });
  });

  it('is refused if it cannot be read, or is none', async () => {
    const missing = await refusal(verified());
    expect(missing.message).to.match(/file cannot be read: ENOENT/);
    expect(missing.cause).to.include({ code: 'ENOENT' });
    await mkdir(path);
    expect((await refusal(verified())).message).to.match(/cannot be read: EISDIR/);
    await rm(path, { recursive: true });
    for (const bytes of [
      'hello',
      '',
      gzipSync(''),
      gzipSync('hello\n'),
      gzipSync('{"format":"x"}\n'),
      gzipSync('{}'),
    ]) {
      await writeFile(path, bytes);
      expect((await refusal(verified())).message).to.equal(`${path} is not a backup of this server.`);
    }
    await writeFile(path, 'hello');
    expect((await refusal(verified())).cause).to.be.instanceOf(Error);
    await changed((text) => text.replace('"version":2', '"version":3'));
    expect((await refusal(verified())).message).to.include('was written by a later version (1.2.3)');
  });

  const damages: readonly (readonly [what: string, change: (text: string) => string, told: string, ended?: object])[] =
    [
      ['that has no end', (text) => text.replace(/[^\n]+\n$/, ''), 'it has no end. Is it complete?'],
      ['whose end has no line feed', (text) => text.slice(0, -1), 'it has no end. Is it complete?'],
      ['in which a character is another one', (text) => text.replace('b 2', 'c 2'), 'its SHA-256 is another one.'],
      [
        'in which a line feed is another character',
        (text) => text.replace('"a 1"\n', '"a 1"x'),
        'its SHA-256 is another',
      ],
      ['behind which something follows', (text) => `${text}more\n`, 'something follows its end.'],
      ['that lacks an object', (text) => text, 'it has 3 of 4 objects.', { ...END, objects: 4 }],
      ['with an object without a head', (text) => text.replace('["teams', '[["teams'), 'object 3 has no head.', END],
      ['with a key that is none', (text) => text.replace('teams.x//', 'teams.x/'), 'object 3 has no head.', END],
      ['with a revision that is none', (text) => text.replace('ö",9', 'ö",0'), 'object 3 has no head.', END],
      [
        'with an object that is longer than the file',
        (text) => text.replace('",9,10', '",9,999'),
        'teams.x//ö is not complete.',
        END,
      ],
      [
        'with an object twice, made by hand',
        (text) => text.replace('default/b', 'default/a'),
        'folders.folder.svc.app/default/a is not in the order of keys.',
        END,
      ],
      [
        'with a revision after its own, made by hand',
        (text) => text.replace('ö",9', 'ö",10'),
        'teams.x//ö has a revision after that of the backup.',
        END,
      ],
      [
        'with an object that is no JSON, made by hand',
        (text) => text.replace('"b 2"', '"b 2|'),
        'folders.folder.svc.app/default/b is no JSON.',
        END,
      ],
      ['whose end is another object', (text) => text, 'its last line is not its end.', { ...END, end: false }],
    ];
  for (const [what, change, told, ended] of damages) {
    // Promise: security tools
    it(`${what} is refused as damaged`, async () => {
      await changed(change, ended);
      expect((await refusal(verified())).message).to.include(`${path} is damaged, so nothing is restored: ${told}`);
    });
  }

  it('that is torn is refused as damaged, with the cause', async () => {
    const many = Array.from({ length: 3000 }, (_, i) => held(`n${10_000 + i}-${Math.sin(i)}`, (i % HEAD.end) + 1));
    await written(() => chunks(many));
    const bytes = await readFile(path);
    await writeFile(path, bytes.subarray(0, bytes.length - 20_000));
    const error = await refusal(verified());
    expect(error.message).to.include('it cannot be decompressed (unexpected end of file). Is it complete?');
    expect(error.cause).to.be.instanceOf(Error);
  });

  it('is refused if it was changed after it was verified', async () => {
    await written();
    const found = await verified();
    await written(() => chunks(OBJECTS.slice(0, 2)));
    const restoring = all(backupSnapshot(path, found, { advance: 0 }).objects());
    expect((await refusal(restoring)).message).to.include('it was changed in the meantime.');
  });
});
