import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Backend, Put } from '../backend.js';
import { keyOf } from '../key.js';
import { encodeTuple } from '../tuple.js';
import { openLmdb } from './open.js';

const RESOURCE = 'notes.test.example';
const KEY = keyOf(RESOURCE, 'default', 'a');
const value = Buffer.from('{}');
const rowsOf = (color: string) => [{ index: 'color', tuple: encodeTuple([color]) }];
const created = (revision: number, color: string): Put => ({ key: KEY, revision, value, rows: rowsOf(color) });
const previousOf = (revision: number) => ({ previous: { key: KEY, revision, value } });

describe('lmdb: index rows', () => {
  let path: string;
  let backend: Backend;
  let end: number;
  const open = () => openLmdb({ path, domain: 'test.example' });
  const append = async (...changes: readonly Put[]): Promise<void> => {
    await backend.append(end, { commit: `${end}`, changes, counters: new Map() });
    end += changes.length;
  };
  const colors = async (): Promise<readonly string[]> => {
    const rows = await backend.range(RESOURCE, { index: 'color', from: '', to: '~', limit: 10 });
    return rows.map(({ rowKey }) => rowKey.split(' ')[0] ?? '');
  };
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'lmdb-rows.'));
    backend = await open();
    end = 0;
    await append(created(1, 'red'));
    // The next append does not know yet which resources have rows.
    await backend.close();
    backend = await open();
  });
  afterEach(async () => {
    await backend.close();
    await rm(path, { recursive: true });
  });

  it('are replaced by those of the next version', async () => {
    await append({ ...created(2, 'blue'), ...previousOf(1) });
    expect(await colors()).to.deep.equal([encodeTuple(['blue'])]);
    await append({ key: KEY, revision: 3, value, ...previousOf(2) });
    expect(await colors()).to.deep.equal([]);
  });

  it('are replaced if the object is deleted and made again in one commit', async () => {
    await append({ key: KEY, revision: 2, ...previousOf(1) }, created(3, 'blue'));
    expect(await colors()).to.deep.equal([encodeTuple(['blue'])]);
  });

  it('are gone if the object is made again and deleted in later commits', async () => {
    await append({ key: KEY, revision: 2, ...previousOf(1) });
    await append(created(3, 'blue'), { key: KEY, revision: 4, ...previousOf(3) });
    expect(await colors()).to.deep.equal([]);
    await append(created(5, 'green'));
    expect(await colors()).to.deep.equal([encodeTuple(['green'])]);
  });
});
