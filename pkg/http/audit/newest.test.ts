import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { newestEvents } from './newest.js';

describe('the newest events of an audit log', () => {
  let folder = '';
  const write = async (text: string): Promise<string> => {
    const path = join(folder, 'audit.log');
    await writeFile(path, text);
    return path;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'newest-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are the last lines, the newest last', async () => {
    const path = await write('{"n":1}\n{"n":2}\n{"n":3}\n');
    expect(await newestEvents(path, 2)).to.deep.equal([{ n: 2 }, { n: 3 }]);
    expect(await newestEvents(path, 100)).to.deep.equal([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('are none without a file, and leave out what is no whole event', async () => {
    expect(await newestEvents(join(folder, 'none.log'), 10)).to.deep.equal([]);
    expect(await newestEvents(await write('cut"}\n{"n":1}\n{"n":'), 10)).to.deep.equal([{ n: 1 }]);
  });

  it('are read from the end of a large file alone', async () => {
    const path = await write(`${`{"n":0,"text":"${'x'.repeat(1000)}"}\n`.repeat(3000)}{"n":1}\n`);
    const events = await newestEvents(path, 5000);
    expect(events.length).to.be.within(900, 1100);
    expect(events.at(-1)).to.deep.equal({ n: 1 });
  });
});
