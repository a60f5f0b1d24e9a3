import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { failureOf } from '../testing/transfer/fixture.js';
import { commit } from './commit.js';
import { WriteGate } from './gate.js';
import { eachFolder, withStore, withTables } from './testing/folder.js';

const NOTE = [{ table: 'objects', key: Buffer.from('a'), value: Buffer.from('v'), version: 1 }] as const;

describe('lmdb: the gate before the writes', () => {
  const folder = eachFolder();
  beforeEach(() => withStore(folder(), async () => undefined));

  it('keeps writes waiting while it is shut, again and again', async () => {
    const other = await mkdtemp(join(tmpdir(), 'lmdb-gate.'));
    await withStore(other, async () => undefined);
    const gate = new WriteGate(folder());
    await withTables(other, (clock) =>
      withTables(folder(), async (tables) => {
        for (let i = 0; i < 2; i++) {
          const order: string[] = [];
          const open = await gate.shut();
          const written = commit(tables, 0, NOTE).then((isDone) => order.push(`written: ${isDone}`));
          for (let k = 0; k < 5; k++) await commit(clock, 0, NOTE);
          order.push('opened');
          await open();
          await written;
          expect(order).to.deep.equal(['opened', 'written: true']);
        }
        await gate.close();
      }),
    );
    await rm(other, { recursive: true });
  });

  it('leaves the lock on the folder when it is closed, and cannot be shut then', async () => {
    const gate = new WriteGate(folder());
    await gate.close();
    await withTables(folder(), async (tables) => {
      await (await gate.shut())();
      await gate.close();
      expect(await commit(tables, 0, NOTE)).to.equal(true);
      expect(await failureOf(gate.shut())).to.not.equal('it succeeded');
    });
  });

  it('cannot be shut if there is no store', async () => {
    const file = join(folder(), 'file');
    await writeFile(file, 'not a folder');
    expect(await failureOf(new WriteGate(file).shut())).to.include('Error');
  });
});
