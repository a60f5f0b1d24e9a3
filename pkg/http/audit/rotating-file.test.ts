import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { RotatingFile } from './rotating-file.js';
import { AuditSink } from './sink.js';

describe('the file of the audit log', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audit-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const open = (maxSize: number, maxFiles = 1000): Promise<RotatingFile> =>
    RotatingFile.open({
      path: join(folder, 'new', 'audit.log'),
      maxSize,
      maxFiles,
      onError: (error) => {
        throw error;
      },
    });
  const files = async (): Promise<readonly string[]> => (await readdir(join(folder, 'new'))).sort();
  const read = (name: string): Promise<string> => readFile(join(folder, 'new', name), 'utf8');

  it('can be read by its owner only, and goes on where it ended', async () => {
    for (const line of ['one\n', 'two\n']) {
      const file = await open(1000);
      await file.write(line);
      await file.close();
    }
    expect(await read('audit.log')).to.equal('one\ntwo\n');
    expect((await stat(join(folder, 'new', 'audit.log'))).mode & 0o777).to.equal(0o600);
    expect((await stat(join(folder, 'new'))).mode & 0o777).to.equal(0o700);
  });

  it('is rotated by size without losing a line', async () => {
    const file = await open(2000);
    const lines = Array.from({ length: 500 }, (_, index) => `${String(index).padStart(30)}\n`);
    for (let from = 0; from < lines.length; from += 7) await file.write(lines.slice(from, from + 7).join(''));
    await file.close();
    const names = await files();
    expect(names.length).to.be.within(8, 12);
    for (const name of names) expect(name).to.match(/^audit(-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3})?\.log$/);
    // The stamps sort before the point of the newest file.
    const texts = await Promise.all(names.map(read));
    for (const text of texts) expect(text.length).to.be.at.most(2000);
    expect(texts.join('')).to.equal(lines.join(''));
  });

  it('keeps a number of old files', async () => {
    const file = await open(10, 2);
    for (let index = 0; index < 6; index++) await file.write(`line ${index}\n`);
    await file.close();
    const names = await files();
    expect(names).to.have.length(3);
    expect((await Promise.all(names.map(read))).join('')).to.equal('line 3\nline 4\nline 5\n');
  });

  it('keeps the newest old files, also after the clock was set back', async () => {
    const ahead = 'audit-2999-01-01T00-00-00.';
    const first = await open(10, 2);
    await first.close();
    for (const stamp of ['000', '999']) await writeFile(join(folder, 'new', `${ahead}${stamp}.log`), `${stamp}\n`);
    const file = await open(10, 2);
    for (let index = 0; index < 3; index++) await file.write(`line ${index}\n`);
    await file.close();
    const names = await files();
    expect((await Promise.all(names.map(read))).join('')).to.equal('line 0\nline 1\nline 2\n');
  });

  it('takes the lines of several workers at the same time, and is rotated once for all of them', async () => {
    const file = await open(2000);
    const lines = Array.from({ length: 400 }, (_, index) => `${String(index).padStart(30)}\n`);
    const send = async (worker: number): Promise<void> => {
      for (let from = 10 * worker; from < lines.length; from += 40)
        await file.write(lines.slice(from, from + 10).join(''));
    };
    await Promise.all([0, 1, 2, 3].map(send));
    await file.close();
    const texts = await Promise.all((await files()).map(read));
    for (const text of texts) expect(text.length).to.be.within(1, 2000);
    expect(texts.join('').split('\n').sort()).to.deep.equal(lines.join('').split('\n').sort());
  });

  it('counts what a full disk does not take as lost', async function fullDisk() {
    if (process.platform !== 'linux') this.skip();
    const onError = (): void => undefined;
    const target = await RotatingFile.open({ path: '/dev/full', maxSize: 1000, maxFiles: 1, onError });
    const reported: unknown[] = [];
    const sink = new AuditSink({ target, onError: (error) => reported.push(error) });
    sink.write('one\n');
    sink.write('two\n');
    await sink.close();
    expect([sink.events, sink.lost, reported.length]).to.deep.equal([2, 2, 1]);
    expect(String(reported[0])).to.include('ENOSPC');
  });

  it('is made anew after another program has renamed or deleted it', async () => {
    const file = await open(1000);
    await file.write('one\n');
    await rename(join(folder, 'new', 'audit.log'), join(folder, 'new', 'moved'));
    await file.write('two\n');
    await new Promise((resolve) => setTimeout(resolve, 1050));
    await file.write('three\n');
    expect(await read('moved')).to.equal('one\ntwo\n');
    expect(await read('audit.log')).to.equal('three\n');
    await rm(join(folder, 'new'), { recursive: true });
    await new Promise((resolve) => setTimeout(resolve, 1050));
    await file.write('four\n');
    await file.close();
    expect(await read('audit.log')).to.equal('four\n');
  });
});
