import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from 'chai';
import { syncLdap } from '../../apis/authentication/ldap/sync.js';
import { signOnAccounts } from '../../apis/authentication/signon/accounts.js';
import { ldapProviders } from '../../apis/iam/ssosetting/directories.js';
import { signOnProviders } from '../../apis/iam/ssosetting/providers.js';
import type { ExternalIdentitySpec } from '../../apis/internal/externalidentity/schema.js';
import type { Backend } from '../../storage/backend.js';
import { type AuthnServer, openAuthnServer } from '../authn/harness.js';
import { ENVIRONMENT } from '../harness/server.js';
import { onEachStore } from '../harness/stores.js';
import { ldapCalls, openDirectory, personDn, type TestDirectory } from './ldap-world.js';

const open = (backend: Backend): Promise<AuthnServer> =>
  openAuthnServer(backend, { argv: ['--auth.provider_networks=127.0.0.0/8'] });

onEachStore('a directory that answers with errors', open, (server) => {
  const { set, login, whoami, userOf, uidOf } = ldapCalls(server);
  let directory: TestDirectory;
  const people = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8'];
  before(async function () {
    this.timeout(120_000);
    // Anonymous searches are answered with unwillingToPerform (53), and more than five entries with a part of them.
    directory = await openDirectory(this, ['limits * size=5', 'require authc']);
    for (const name of people) await directory.person(name);
    await server().user('local', {}, 'local password');
  });
  after(() => directory?.close());
  beforeEach(async () => {
    await set({ activeSyncEnabled: false }, directory.server);
    server().advance(3_600_000);
    for (const name of people) expect((await login(name)).status, name).to.equal(200);
  });

  const synchronize = () => {
    const { services } = server();
    const accounts = signOnAccounts({ services, findsByEmail: false, warn: () => undefined });
    const signOn = { ...ENVIRONMENT.signOn, networks: ['127.0.0.0/8'], secretKey: () => 'the secret key of the tests' };
    const provider = ldapProviders(signOnProviders(services.reader, { ...ENVIRONMENT, signOn }))();
    if (provider === undefined) throw new Error('LDAP is off');
    return syncLdap({ services, accounts }, provider, new AbortController().signal);
  };
  const isDisabled = (name: string): boolean =>
    (userOf(name)?.spec as { readonly disabled: boolean } | undefined)?.disabled === true;

  // Promise: security ldap
  it('disables nobody when a directory sends only a part of the people', async () => {
    const report = await synchronize();
    expect([report.disabled, people.filter(isDisabled)]).to.deep.equal([[], []]);
    expect(report.problems.join()).to.contain('result code 4: it sends fewer entries than there are');
  });

  // Promise: security ldap
  it('lets local users sign in, and tells the operator the reason', async () => {
    const { bind_dn: _, bind_password: __, ...anonymous } = directory.server;
    const wrong: readonly (readonly [object, string])[] = [
      [anonymous, 'result code 53: it refuses the request: it may want an account (bind_dn)'],
      [{ ...directory.server, search_base_dns: ['nonsense'] }, 'result code 34: one of search_base_dns'],
    ];
    for (const [settings, reason] of wrong) {
      server().advance(3_600_000);
      await set({ activeSyncEnabled: false }, settings);
      expect((await login('local', 'local password')).status, reason).to.equal(200);
      expect((await whoami('local', 'local password')).status, reason).to.equal(200);
      server().advance(3_600_000);
      expect((await login('p1', 'wrong')).status, reason).to.equal(503);
      expect(server().warnings.join('\n')).to.contain(`by 127.0.0.1 failed: the directory answers with ${reason}`);
      const report = await synchronize();
      expect(report.disabled, reason).to.deep.equal([]);
      expect(report.problems.join(), reason).to.contain(reason);
    }
  });

  // Promise: security ldap
  it('finds people by all that identifies them, so that an attribute may become readable', async () => {
    const identities = server().services.objects<ExternalIdentitySpec>('internal/externalidentities');
    const own = () => [...identities.range({ index: 'byUser', prefix: [uidOf('p1')] })];
    const subjects = () => own().map(({ spec }) => spec?.subject.split('=')[0]);
    /** The account as it is stored while the directory shows no `entryUUID`. */
    const forget = async (): Promise<void> => {
      const [identity] = own();
      if (identity?.spec === undefined) throw new Error('p1 has no account');
      const subject = `dn=${personDn('p1')}`;
      const name = createHash('sha256')
        .update(JSON.stringify(['ldap', 'ldap', subject]))
        .digest('hex')
        .slice(0, 40);
      await identities.delete(identity.metadata.name);
      await identities.create({ metadata: { name }, spec: { ...identity.spec, subject } });
      expect(subjects()).to.deep.equal(['dn']);
    };
    const uid = uidOf('p1');
    await forget();
    expect((await login('p1')).status).to.equal(200);
    expect([uidOf('p1'), subjects()]).to.deep.equal([uid, ['entryUUID']]);
    await forget();
    for (const name of people.slice(4)) await server().services.objects('iam/users').delete(uidOf(name));
    const report = await synchronize();
    expect([report.people, report.disabled, report.problems]).to.deep.equal([4, [], []]);
    expect([uidOf('p1'), subjects()]).to.deep.equal([uid, ['entryUUID']]);
  });

  // A result of a search for message 7, which nobody has asked for (RFC 4511 §4.1.1).
  const small = Buffer.from('3009020107640404003000', 'hex');
  // Of an entry whose value is longer than the message, the library would read values without an end.
  const endless = Buffer.from('3012020102640d0400300930070401613102047f', 'hex');
  const senders = [
    ['very many small messages at once', Buffer.concat(Array.from({ length: 100_000 }, () => small))],
    ['a message that contradicts itself', endless],
    ['a message that would be too long', Buffer.from('3084ffffffff0201', 'hex')],
    ['something else', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ] as const;
  // Promise: security ldap
  for (const [what, bytes] of senders) {
    it(`goes on when a directory sends ${what}`, async () => {
      const sender = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.end(bytes));
      });
      sender.listen(0, '127.0.0.1');
      await once(sender, 'listening');
      const { port } = sender.address() as AddressInfo;
      await set({ activeSyncEnabled: false }, { ...directory.server, port, timeout: 5 });
      try {
        expect((await login('local', 'local password')).status).to.equal(200);
      } finally {
        sender.close();
      }
    });
  }
});
