import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { generateLeaf } from '../../pkg/identity/certs/generate.js';
import type { Backend } from '../../storage/backend.js';
import { type AuthnServer, openAuthnServer } from '../authn/harness.js';
import { onOneStore } from '../harness/stores.js';
import { ldapCalls, openDirectory, PEOPLE, passwordOf, type TestDirectory } from './ldap-world.js';

const open = (backend: Backend): Promise<AuthnServer> =>
  openAuthnServer(backend, { argv: ['--auth.provider_networks=127.0.0.0/8'] });

onOneStore('the servers of a directory', open, (server) => {
  const { set, login } = ldapCalls(server);
  let directory: TestDirectory;
  before(async function () {
    this.timeout(120_000);
    directory = await openDirectory(this, ['require LDAPv3'], ['localhost']);
    await directory.person('ann');
  });
  after(() => directory?.close());
  beforeEach(() => server().advance(3_600_000));

  const status = async (user = 'ann'): Promise<number> => (await login(user)).status;
  const tls = () => ({ root_ca_cert_value: [directory.authority.certificate], min_tls_version: 'TLS1.2' });

  // Promise: security ldap
  for (const way of ['use_ssl', 'start_tls'] as const) {
    it(`are asked by ${way} with a certificate of a private authority for this host, and no other one`, async () => {
      const port = way === 'use_ssl' ? directory.tlsPort : directory.port;
      const secure = { ...directory.server, host: 'localhost', port, [way]: true };
      await set({}, { ...secure, ...tls() });
      expect(await status()).to.equal(200);
      await set({}, secure);
      expect(await status(), 'an unknown authority').to.equal(503);
      await set({}, { ...secure, ...tls(), host: '127.0.0.1' });
      expect(await status(), 'another host').to.equal(503);
      await set({}, { ...secure, host: '127.0.0.1', ssl_skip_verify: true });
      server().advance(60_000);
      expect(await status(), 'without a check').to.equal(200);
    });
  }

  it('get the certificate of this server, and the cipher suites that are set', async () => {
    const validity = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 600_000) };
    const own = await generateLeaf(directory.authority, { commonName: 'dashboards', validity });
    const secure = { ...directory.server, ...tls(), host: 'localhost', port: directory.tlsPort, use_ssl: true };
    const certificate = { client_cert_value: own.certificate, client_key_value: own.key };
    await set({}, { ...secure, ...certificate, tls_ciphers: ['TLS_AES_256_GCM_SHA384'], min_tls_version: 'TLS1.3' });
    expect(await status()).to.equal(200);
  });

  it('are asked one after another: hosts that do not answer, and directories without the person', async () => {
    const silent = net.createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as net.AddressInfo;
    try {
      await set({}, { ...directory.server, port, timeout: 1 }, directory.server);
      expect(await status(), 'a directory that is silent').to.equal(200);
      await set({}, { ...directory.server, host: '127.0.0.9 127.0.0.1' });
      expect(await status(), 'a host that refuses').to.equal(200);
      await set({}, { ...directory.server, search_base_dns: [`ou=groups,${PEOPLE.slice(10)}`] }, directory.server);
      expect(await status(), 'a directory without the person').to.equal(200);
      await set({}, { ...directory.server, port, timeout: 1 });
      expect(await status(), 'only the silent one').to.equal(503);
    } finally {
      silent.close();
    }
  });

  it('that hang in StartTLS or in TLS end a sign-in in time', async () => {
    const answers = Buffer.from('300c02010278070a010004000400', 'hex');
    const sockets = new Set<net.Socket>();
    const hanging = net.createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).once('data', () => socket.write(answers));
    });
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const { port } = hanging.address() as net.AddressInfo;
    try {
      for (const way of ['start_tls', 'use_ssl']) {
        await set({}, { ...directory.server, port, [way]: true, timeout: 1 });
        expect(await status(), way).to.equal(503);
        server().advance(3_600_000);
      }
    } finally {
      for (const socket of sockets) socket.destroy();
      hanging.close();
    }
  });

  // Promise: security ldap
  it('get no password if somebody in between has sent something before StartTLS', async () => {
    const validity = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 600_000) };
    const names = ['127.0.0.1'];
    const { certificate: cert, key } = await generateLeaf(directory.authority, { commonName: 'x', names, validity });
    // StartTLS succeeds, and then begins the answer to a bind, which the first byte by TLS would end.
    const answers = Buffer.from('300c02010278070a010004000400300d02010361080a010004000401', 'hex');
    const received: Buffer[] = [];
    const between = net.createServer((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', () => {
          socket.removeAllListeners('data').write(answers);
          const secure = new TLSSocket(socket, { isServer: true, cert, key });
          secure.on('error', () => undefined).on('data', (data) => received.push(data));
        });
    });
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
    const { port } = between.address() as net.AddressInfo;
    try {
      await set({}, { ...directory.server, ...tls(), port, start_tls: true, timeout: 1 });
      expect(await status()).to.equal(503);
      expect(Buffer.concat(received).includes(String(directory.server['bind_password']))).to.equal(false);
    } finally {
      between.close();
    }
  });

  it('are searched by people themselves, if bind_dn has %s', async () => {
    const { bind_password: _, ...others } = directory.server;
    await set({}, { ...others, bind_dn: `uid=%s,${PEOPLE}` });
    expect(await status()).to.equal(200);
    for (const user of ['ann,ou=people', 'ann+cn=ann', 'EXTERNAL', 'PLAIN']) {
      server().advance(3_600_000);
      expect((await login(user, passwordOf('ann'))).status, user).to.equal(401);
    }
  });

  it('are refused if the account that searches may not, or several people have the login', async () => {
    await set({}, { ...directory.server, bind_password: 'wrong' });
    expect(await status()).to.equal(503);
    await directory.person('ann2', [], { mail: 'shared@example.com' });
    await directory.person('ann3', [], { mail: 'shared@example.com' });
    await set({}, { ...directory.server, search_filter: '(|(uid=%s)(mail=%s))' });
    expect((await login('shared@example.com', passwordOf('ann2'))).status).to.equal(503);
    expect(await status('ann2')).to.equal(200);
    expect(server().warnings.join('\n')).to.contain('search_filter finds several people');
  });

  it('come from the settings and a file, with authorities in files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ldap-toml-'));
    const [file, ca] = [join(folder, 'ldap.toml'), join(folder, 'ca.pem')];
    await writeFile(ca, directory.authority.certificate);
    const text = `[[servers]]
host = "localhost"
port = ${directory.tlsPort}
use_ssl = true
root_ca_cert = "${ca}"
bind_dn = "cn=reader,dc=example,dc=com"
bind_password = "the password of the reader"
search_filter = "(uid=%s)"
search_base_dns = ["${PEOPLE}"]
[servers.attributes]
username = "uid"
`;
    await writeFile(file, text);
    expect(readFileSync(file, 'utf8')).to.contain(ca);
    const { openMemory } = await import('../../storage/memory/backend.js');
    // Without auth.provider_networks: the operator may name any host.
    const other = await openAuthnServer(openMemory(), {
      argv: ['--auth.ldap.enabled=true', `--auth.ldap.config_file=${file}`],
    });
    try {
      const calls = ldapCalls(() => other);
      expect((await calls.login('ann')).status).to.equal(200);
      const { host, ...rest } = directory.server;
      await calls.set({}, { ...rest, host });
      other.advance(3_600_000);
      expect((await calls.login('ann')).status, 'a stored host that is internal').to.equal(503);
      expect(other.warnings.join('\n')).to.contain('auth.provider_networks');
    } finally {
      await other.close();
      await rm(folder, { recursive: true });
    }
  });
});
