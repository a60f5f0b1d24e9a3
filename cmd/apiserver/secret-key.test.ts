import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Settings } from '../../pkg/config/schema.js';
import { secretKey } from './secret-key.js';

describe('the file of the secret key', () => {
  let data: string;
  const settings = () => ({ paths: { data }, security: {} }) as unknown as Settings;
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'secret-key-'));
  });
  afterEach(() => rm(data, { recursive: true }));

  it('is made once, and may be written by people', async () => {
    const key = await secretKey(settings());
    expect(await secretKey(settings())).to.equal(key);
    await writeFile(join(data, 'secret.key'), 'a key of ours: ä\n');
    expect(await secretKey(settings())).to.equal('a key of ours: ä');
  });

  for (const [what, bytes] of [
    ['is empty', Buffer.from('\n')],
    ['is no text', Buffer.alloc(43)],
    ['is no text', Buffer.from([0x30, 0xff, 0xfe, 0x31])],
    ['is no text', Buffer.from('\u007fELF')],
    ['is PEM', Buffer.from('-----BEGIN PRIVATE KEY-----\nMC4CAQAw\n-----END PRIVATE KEY-----\n')],
    ['is PEM', Buffer.from('# our key\n-----BEGIN EC PRIVATE KEY-----\nMC4CAQAw\n')],
  ] as const)
    it(`is refused and kept if it ${what} (${bytes.toString('hex').slice(0, 8)})`, async () => {
      const path = join(data, 'secret.key');
      await writeFile(path, bytes);
      expect(String(await secretKey(settings()).catch((error: unknown) => error))).to.contain(`${path} ${what}`);
      expect(await readFile(path)).to.deep.equal(bytes);
    });
});
