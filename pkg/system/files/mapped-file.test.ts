import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { mapFile } from './mapped-file.js';

/** More than one stretch of the file that is asked for at once, and no multiple of a page. */
const SIZE = 5 * 2 ** 20 + 123;

/** Asks the system to take a file out of its page cache. Returns false if it cannot be asked. */
function dropped(path: string): boolean {
  try {
    execFileSync('dd', [`of=${path}`, 'conv=notrunc,fdatasync', 'oflag=nocache', 'count=0'], { stdio: 'ignore' });
    execFileSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a file in memory', () => {
  const content = randomBytes(SIZE);
  let root = '';
  let path = '';

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'apiserver-mapped-'));
    path = join(root, 'file');
    writeFileSync(path, content);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('gives its bytes, all of them or a part, wherever that begins', async () => {
    const file = await mapFile(path);
    expect(file.size).to.equal(SIZE);
    expect(Buffer.from(file.view(0, SIZE)).equals(content)).to.equal(true);
    for (const [offset, length] of [
      [0, 1],
      [1, 10],
      [4095, 2],
      [4096, 4096],
      [SIZE - 1, 1],
      [123_457, 1_000_001],
    ] as const) {
      const view = file.view(offset, length);
      expect(view.byteLength).to.equal(length);
      expect(Buffer.from(view).equals(content.subarray(offset, offset + length)), `${offset}`).to.equal(true);
    }
    expect(file.view(5, 0).byteLength).to.equal(0);
  });

  it('gives numbers where they are aligned', async () => {
    const numbers = Float64Array.from({ length: 1000 }, (_, i) => i / 7);
    writeFileSync(join(root, 'numbers'), numbers);
    const file = await mapFile(join(root, 'numbers'));
    expect(new Float64Array(file.view(0, file.size))).to.deep.equal(numbers);
    expect([...new Float64Array(file.view(80, 24))]).to.deep.equal([10 / 7, 11 / 7, 12 / 7]);
  });

  it('stays readable after it was removed or replaced, also for who gets a view only then', async () => {
    const file = await mapFile(path);
    const view = Buffer.from(file.view(0, SIZE));
    rmSync(path);
    writeFileSync(path, 'another file');
    rmSync(root, { recursive: true });
    expect(view.equals(content)).to.equal(true);
    expect(Buffer.from(file.view(7, 100)).equals(content.subarray(7, 107))).to.equal(true);
    await file.load(0, SIZE);
  });

  it('stays readable as long as there is a part of a view of it', async () => {
    const part = await (async () => Buffer.from((await mapFile(path)).view(0, SIZE)).subarray(1000, 2000))();
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    for (let i = 0; i < 5; i++) {
      collect();
      await setImmediate();
    }
    expect(part.equals(content.subarray(1000, 2000))).to.equal(true);
  });

  it('is in memory after it was read, in any range', async () => {
    const file = await mapFile(path);
    await file.load(0, SIZE);
    for (const [offset, length] of [
      [0, SIZE],
      [SIZE - 1, 1],
      [5000, 10],
      [4096 * 1024 - 1, 2],
      [0, 0],
    ] as const)
      expect(file.isResident(offset, length), `${offset}`).to.equal(true);
  });

  it('is not in memory if the system has taken it out, and is again after that part was loaded', async function evicted() {
    const file = await mapFile(path);
    if (!dropped(path) || file.isResident(0, SIZE)) this.skip();
    await file.load(0, 3 * 2 ** 20);
    expect(file.isResident(0, 3 * 2 ** 20)).to.equal(true);
    await file.load(0, SIZE);
    expect(file.isResident(0, SIZE)).to.equal(true);
    expect(Buffer.from(file.view(0, SIZE)).equals(content)).to.equal(true);
  });

  it('has all of a range in memory after what was missing was loaded, and no more', async function evicted() {
    const file = await mapFile(path);
    if (!dropped(path) || file.isResident(0, SIZE)) this.skip();
    await file.load(2 ** 20, 2 ** 20);
    await file.ensure(5000, 3 * 2 ** 20);
    expect(file.isResident(5000, 3 * 2 ** 20)).to.equal(true);
    await file.ensure(0, SIZE + 1000);
    expect(file.isResident(0, SIZE)).to.equal(true);
    for (const [offset, length] of [
      [0, 0],
      [SIZE, 10],
    ] as const)
      await file.ensure(offset, length);
  });

  it('has a range in memory soon after that was asked for, and is read alone elsewhere', async function evicted() {
    const file = await mapFile(path);
    if (!dropped(path) || file.isResident(0, SIZE)) this.skip();
    file.prefetch(2 ** 20 + 5, 2 ** 20);
    for (let left = 100; left > 0 && !file.isResident(2 ** 20, 2 ** 20); left--) await setTimeout(10);
    expect(file.isResident(2 ** 20, 2 ** 20)).to.equal(true);
    expect(Buffer.from(file.view(SIZE - 1, 1))[0]).to.equal(content[SIZE - 1]);
    expect([file.isResident(SIZE - 1, 1), file.isResident(SIZE - 2 ** 20, 2 ** 20)]).to.deep.equal([true, false]);
  });

  it('is asked for in any range, also beyond its end', async () => {
    const file = await mapFile(path);
    for (const [offset, length] of [
      [SIZE - 10, 1000],
      [100, 0],
      [SIZE, 1000],
      [1, SIZE - 2],
    ] as const)
      file.prefetch(offset, length);
    expect(Buffer.from(file.view(0, SIZE)).equals(content)).to.equal(true);
  });

  it('is loaded in any range, also beyond its end', async () => {
    const file = await mapFile(path);
    await file.load(SIZE - 10, 1000);
    await file.load(100, 0);
    await file.load(SIZE, 1000);
    await file.load(1, SIZE - 2);
    expect(file.isResident(0, SIZE)).to.equal(true);
  });

  it('may be empty', async () => {
    writeFileSync(path, '');
    const file = await mapFile(path);
    expect([file.size, file.view(0, 0).byteLength, file.isResident(0, 0)]).to.deep.equal([0, 0, true]);
    await file.load(0, 0);
  });

  it('must be there, and be a file', async () => {
    const failureOf = (work: Promise<unknown>): Promise<string> => work.then(() => 'none', String);
    expect(await failureOf(mapFile(join(root, 'none')))).to.include('ENOENT');
    expect(await failureOf(mapFile(root))).to.include(root);
  });
});
