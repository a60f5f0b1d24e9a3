import { X509Certificate } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { finishRotation, nextGeneration, startRotation } from './authority.js';
import { ensurePki } from './pki.js';
import { filePkiStore, type PkiStore } from './store.js';
import { trusts } from './trust.js';

const NOW = new Date();

describe('filePkiStore', () => {
  let dir = '';
  let folder = '';
  let store: PkiStore;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'pki-store-'));
    folder = join(dir, 'pki');
    store = filePkiStore(folder);
    await ensure();
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const ensure = () => ensurePki({ dir, names: [], clock: () => NOW });
  const loaded = async () => {
    const authority = await store.load();
    if (authority === undefined) throw new Error('there is no authority');
    return authority;
  };
  const replace = async (next: Awaited<ReturnType<typeof loaded>>) => store.replace(await loaded(), next);

  it('keeps both authorities during a rotation: the new one signs clients, the old one the server', async () => {
    const old = await ensure();
    await replace(await startRotation(await loaded(), NOW));
    const during = await ensure();
    const [ca, before] = during.trust.authorities as [X509Certificate, X509Certificate];
    expect(before.toString()).to.equal(new X509Certificate(old.ca).toString());
    expect(new X509Certificate(during.admin.certificate).verify(ca.publicKey)).to.equal(true);
    expect(during.server).to.deep.equal(old.server);
    await replace(finishRotation(await loaded()));
    const after = await ensure();
    expect(after.ca).to.equal(ca.toString());
    expect(new X509Certificate(after.server.certificate).verify(ca.publicKey)).to.equal(true);
    expect(after.admin).to.deep.equal(during.admin);
  });

  it('can be read when only some of the files of a change are written', async () => {
    const old = await loaded();
    const [certificate, key] = [join(folder, 'ca.crt'), join(folder, 'ca.key')];
    await copyFile(certificate, `${certificate}.old`);
    await copyFile(key, `${key}.old`);
    const rotated = await replace(await startRotation(old, NOW));
    await copyFile(`${certificate}.old`, certificate);
    expect(await loaded(), 'the keys are new').to.deep.equal(old);
    await replace(rotated);
    await replace(finishRotation(rotated));
    const { previous, ...finished } = rotated;
    expect(await loaded()).to.deep.equal(finished);
    expect(await readFile(key, 'utf8'), 'the old key').to.not.contain(previous?.key);
  });

  it('refuses to start a rotation twice, and to finish none', async () => {
    expect(() => finishRotation({ ca: { certificate: '', key: '' }, generation: '' })).to.throw('no rotation');
    const rotated = await startRotation(await loaded(), NOW);
    const error = await startRotation(rotated, NOW).catch(String);
    expect(error).to.contain('is not finished');
  });
});

describe('trusts', () => {
  it('accepts certificates of a trusted authority and of the current generation only', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'trust-'));
    const other = await mkdtemp(join(tmpdir(), 'trust-'));
    try {
      const ensure = (at: string) => ensurePki({ dir: at, names: [], clock: () => NOW });
      const first = await ensure(dir);
      const certificate = new X509Certificate(first.admin.certificate);
      expect(trusts(first.trust, certificate)).to.equal(true);
      expect(trusts((await ensure(other)).trust, certificate), 'of another authority').to.equal(false);
      const store = filePkiStore(join(dir, 'pki'));
      const authority = await store.load();
      if (authority === undefined) throw new Error('there is no authority');
      await store.replace(authority, nextGeneration(authority));
      const second = await ensure(dir);
      expect(trusts(second.trust, certificate), 'of the old generation').to.equal(false);
      expect(trusts(second.trust, new X509Certificate(second.admin.certificate))).to.equal(true);
      expect(second.server, 'the certificate of the server').to.deep.equal(first.server);
    } finally {
      await rm(dir, { recursive: true });
      await rm(other, { recursive: true });
    }
  });
});
