import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Authority } from './authority.js';
import { writeKubeconfig } from './kubeconfig.js';
import { ensurePki, namesOf } from './pki.js';
import type { PkiStore } from './store.js';

const DAY = 86_400_000;
const at = (days: number) => () => new Date(Date.UTC(2026, 0, 1) + days * DAY);

describe('ensurePki', () => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'pki-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const ensure = (days = 0, names: readonly string[] = ['api.example']) => ensurePki({ dir, names, clock: at(days) });

  it('makes an authority, and certificates that it signed, with their keys', async () => {
    const pki = await ensure();
    const ca = new X509Certificate(pki.ca);
    expect(ca.ca).to.equal(true);
    for (const pair of [pki.server, pki.admin]) {
      const certificate = new X509Certificate(pair.certificate);
      expect(certificate.checkIssued(ca)).to.equal(true);
      expect(certificate.verify(ca.publicKey)).to.equal(true);
      expect(certificate.checkPrivateKey(createPrivateKey(pair.key))).to.equal(true);
      expect(certificate.ca).to.equal(false);
    }
  });

  it('gives the authority of the folder to a shared store that has none, so that clients go on', async () => {
    const { ca } = await ensure();
    let stored: Authority | undefined;
    const store: PkiStore = {
      load: async () => stored,
      replace: async (_previous, next) => {
        stored = next;
        return next;
      },
    };
    expect((await ensurePki({ dir, names: [], clock: at(0), store })).ca).to.equal(ca);
    expect(stored?.ca.certificate).to.equal(ca);
    stored = undefined;
    await rm(join(dir, 'pki', 'ca.key'));
    expect((await ensurePki({ dir, names: [], clock: at(0), store })).ca).not.to.equal(ca);
  });

  it('makes the server certificate for the given names and for loopback', async () => {
    const server = new X509Certificate((await ensure(0, ['api.example', '10.1.2.3'])).server.certificate);
    expect(namesOf(server)).to.have.members(['api.example', '10.1.2.3', 'localhost', '127.0.0.1', '0:0:0:0:0:0:0:1']);
    expect(server.checkHost('api.example')).to.equal('api.example');
    expect(server.checkIP('10.1.2.3')).to.equal('10.1.2.3');
    expect(server.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.1']);
  });

  it('makes a client certificate of the administrator in system:masters', async () => {
    const admin = new X509Certificate((await ensure()).admin.certificate);
    expect(admin.subject.split('\n')).to.have.members(['CN=admin', 'O=system:masters']);
    expect(admin.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.2']);
  });

  it('hides secrets from other users of the machine, and leaves no incomplete files', async () => {
    await ensure();
    const mode = async (file: string) => (await stat(join(dir, file))).mode & 0o777;
    for (const file of ['pki/ca.key', 'pki/server.key', 'pki/admin.key', 'admin.token']) {
      expect(await mode(file), file).to.equal(0o600);
    }
    expect(await readdir(join(dir, 'pki'))).to.have.members(
      ['ca', 'server', 'admin'].flatMap((name) => [`${name}.crt`, `${name}.key`]),
    );
  });

  it('makes a token of 32 random bytes, once', async () => {
    const { adminToken } = await ensure();
    expect(Buffer.from(adminToken, 'base64url')).to.have.length(32);
    expect((await ensure()).adminToken).to.equal(adminToken);
    expect((await readFile(join(dir, 'admin.token'), 'utf8')).trim()).to.equal(adminToken);
  });

  it('refuses a short token', async () => {
    await writeFile(join(dir, 'admin.token'), 'short\n');
    const error = await ensure().catch((reason: unknown) => reason);
    expect(String(error)).to.contain('at least 32 characters');
  });

  it('keeps everything that is valid', async () => {
    const first = await ensure(0, ['api.example', '2001:db8::1']);
    expect(await ensure(200, ['2001:db8::1', 'API.example'])).to.deep.equal(first);
  });

  it('renews certificates with less than a third of their lifetime left, by the same authority', async () => {
    const first = await ensure();
    const later = await ensure(300);
    expect(later.ca).to.equal(first.ca);
    expect(later.server.certificate).to.not.equal(first.server.certificate);
    expect(later.admin.certificate).to.not.equal(first.admin.certificate);
    expect(Date.parse(new X509Certificate(later.server.certificate).validTo)).to.equal(at(697)().getTime());
  });

  it('replaces only the server certificate when the names change', async () => {
    const first = await ensure();
    const other = await ensure(1, ['other.example']);
    expect(namesOf(new X509Certificate(other.server.certificate))).to.include('other.example');
    expect(other.admin).to.deep.equal(first.admin);
  });

  it('makes a new authority, and new certificates, when the old authority ends', async () => {
    const first = await ensure();
    const later = await ensure(3_650);
    expect(later.ca).to.not.equal(first.ca);
    expect(new X509Certificate(later.admin.certificate).verify(new X509Certificate(later.ca).publicKey)).to.equal(true);
  });

  it('makes no certificate that ends after its authority', async () => {
    await ensure();
    const late = await ensure(3_500);
    const [ca, server] = [new X509Certificate(late.ca), new X509Certificate(late.server.certificate)];
    expect(Date.parse(server.validTo)).to.equal(Date.parse(ca.validTo));
  });

  it('recovers from a crash that left a key without a certificate, or a pair that does not match', async () => {
    const first = await ensure();
    await rm(join(dir, 'pki/server.crt'));
    await writeFile(join(dir, 'pki/admin.key'), first.server.key);
    const again = await ensure();
    for (const pair of [again.server, again.admin]) {
      expect(new X509Certificate(pair.certificate).checkPrivateKey(createPrivateKey(pair.key))).to.equal(true);
    }
  });

  it('tells what to do if the key of the authority is missing', async () => {
    await ensure();
    await rm(join(dir, 'pki/ca.key'));
    const error = await ensure().catch((reason: unknown) => reason);
    expect(String(error)).to.contain('has ca.crt but not ca.key');
  });

  it('uses the authority of the first of several servers that share a database', async () => {
    let shared: Authority | undefined;
    const store: PkiStore = {
      load: async () => undefined, // As if both read before either wrote.
      replace: async (_previous, next) => {
        shared ??= next;
        return shared;
      },
    };
    const other = await mkdtemp(join(tmpdir(), 'pki-'));
    try {
      const a = await ensurePki({ dir, names: [], clock: at(0), store });
      const b = await ensurePki({ dir: other, names: [], clock: at(0), store });
      expect(b.ca).to.equal(a.ca);
      expect(new X509Certificate(b.server.certificate).verify(new X509Certificate(a.ca).publicKey)).to.equal(true);
      expect(await readdir(join(other, 'pki'))).to.not.include('ca.key');
    } finally {
      await rm(other, { recursive: true });
    }
  });
});

describe('writeKubeconfig', () => {
  // Promise: contract 7
  it('embeds all credentials and is readable by the owner only', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
    try {
      const path = join(dir, 'kubeconfig');
      const client = { certificate: 'CERT', key: 'KEY' };
      await writeKubeconfig({ path, server: 'https://localhost:6443', ca: 'CA', client });
      expect((await stat(path)).mode & 0o777).to.equal(0o600);
      const config = JSON.parse(await readFile(path, 'utf8'));
      expect(config.clusters[0].cluster.server).to.equal('https://localhost:6443');
      expect(Buffer.from(config.users[0].user['client-key-data'], 'base64').toString()).to.equal('KEY');
      expect(config['current-context']).to.equal(config.contexts[0].name);
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});
