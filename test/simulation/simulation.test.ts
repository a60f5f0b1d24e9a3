import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../e2e/process.js';
import { STORES } from '../harness/stores.js';
import { BUGS, type Bug } from './bugs.js';
import { describeRandomClients } from './suite.js';

// The store in memory has a file of its own.
if (STORES.includes('lmdb')) describeRandomClients('lmdb', 1);
if (STORES.includes('mongodb')) describeRandomClients('mongodb', 2);

describe('the planted bugs of the simulation', () => {
  it('are at least 20, and all can be planted in the present sources', async () => {
    const isPlantable = async ({ file, find }: Bug): Promise<boolean> =>
      (await readFile(join(ROOT, file), 'utf8')).split(find).length === 2;
    const plantable = await Promise.all(BUGS.map(isPlantable));
    expect(BUGS.filter((_, i) => !plantable[i]).map(({ name }) => name)).to.deep.equal([]);
    expect(BUGS.length).to.be.at.least(20);
  });
});
