import { expect } from 'chai';
import type { Client } from 'ldapts';
import { SlapdMissing } from '../../hack/slapd/find.js';
import { type Directory, SUFFIX, startSlapd } from '../../hack/slapd/start.js';
import { generateCa, generateLeaf, type KeyPair } from '../../pkg/identity/certs/generate.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { AS_ADMIN, type AuthnServer, basic } from '../authn/harness.js';
import { setting } from './settings.js';

export const PEOPLE = `ou=people,${SUFFIX}`;
export const GROUPS = `ou=groups,${SUFFIX}`;
export const READER = { bind_dn: `cn=reader,${SUFFIX}`, bind_password: 'the password of the reader' };

/** An OpenLDAP server with an account that reads, and the authority of its certificate. */
export interface TestDirectory extends Directory {
  readonly authority: KeyPair;
  /** The settings of a server that searches in it without TLS. */
  readonly server: Readonly<Record<string, unknown>>;
  /** Runs work with all rights. */
  write<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** Adds a person, whose password is `password of <uid>`, in these groups, which are made. */
  person(uid: string, groups?: readonly string[], more?: Readonly<Record<string, string>>): Promise<void>;
  /** Adds a group with these members, by their names: people, or `group:<name>`. */
  group(name: string, members: readonly string[]): Promise<void>;
  remove(dn: string): Promise<void>;
}

export const passwordOf = (uid: string): string => `password of ${uid}`;
export const personDn = (uid: string): string => `uid=${uid},${PEOPLE}`;
export const groupDn = (name: string): string => `cn=${name},${GROUPS}`;

const PATH = '/apis/iam.svc.app/v1beta1/ssosettings';

/** What callers and people do with a server. */
export function ldapCalls(server: () => AuthnServer) {
  const ask = (path: string, method: string, body?: unknown) => server().ask(path, { method, headers: AS_ADMIN, body });
  const userOf = (login: string): KubeObject | undefined =>
    [
      ...server()
        .services.objects('iam/users')
        .range({ index: 'byLogin', prefix: [login] }),
    ][0];
  const uidOf = (login: string): string => userOf(login)?.metadata.name ?? '';
  return {
    /** Stores the settings with these servers. */
    set: async (settings: object, ...servers: readonly object[]): Promise<void> => {
      const body = setting('ldap', { enabled: true, ...settings, config: { servers } });
      const exists = (await ask(`${PATH}/ldap`, 'GET')).status === 200;
      const answer = exists ? await ask(`${PATH}/ldap`, 'PUT', body) : await ask(PATH, 'POST', body);
      expect(answer.status, answer.text).to.be.oneOf([200, 201]);
    },
    login: (user: string, password = passwordOf(user)) => {
      const headers = { 'content-type': 'application/json' };
      return server().ask('/login', { method: 'POST', body: { user, password }, headers });
    },
    whoami: (user: string, password = passwordOf(user)) => server().ask('/whoami', { headers: basic(user, password) }),
    userOf,
    uidOf,
    sessionsOf: (login: string) => [
      ...server()
        .services.objects('internal/sessions')
        .range({ index: 'byUser', prefix: [uidOf(login)] }),
    ],
    /** `default Admin, …` in the order of the organizations. */
    rolesOf: (login: string): string =>
      [
        ...server()
          .services.objects<{ role: string }>('iam/organizationbindings')
          .range({ index: 'byUser', prefix: [uidOf(login)] }),
      ]
        .map(({ metadata, spec }) => `${metadata.namespace} ${spec?.role}`)
        .sort()
        .join(', '),
    teamsOf: (login: string): readonly string[] =>
      [
        ...server()
          .services.objects<{ teamRef: { name: string } }>('iam/teambindings')
          .range({ index: 'byUser', prefix: [uidOf(login)] }),
      ]
        .map(({ spec }) => spec?.teamRef.name ?? '')
        .sort(),
  };
}

const validity = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 3_600_000) };

/** Starts an OpenLDAP server. Skips the test if there is none on this machine, and none can be fetched. */
export async function openDirectory(
  context: Mocha.Context,
  more: readonly string[] = [],
  names = ['localhost', '127.0.0.1'],
): Promise<TestDirectory> {
  const authority = await generateCa(validity);
  const certificate = await generateLeaf(authority, { commonName: 'directory', names, validity });
  const directory = await startSlapd({ certificate, authority: authority.certificate, more }).catch(
    (error: unknown): never => {
      if (!(error instanceof SlapdMissing) || process.env['CI'] === 'true') throw error;
      process.emitWarning(`${error.message} Tests are skipped.`);
      return context.skip();
    },
  );
  const write: TestDirectory['write'] = async (work) => {
    const client = await directory.connect();
    try {
      return await work(client);
    } finally {
      await client.unbind();
    }
  };
  await write(async (client) => {
    await client.add(SUFFIX, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' });
    for (const unit of [PEOPLE, GROUPS]) await client.add(unit, { objectClass: 'organizationalUnit' });
    const reader = { objectClass: ['organizationalRole', 'simpleSecurityObject'], userPassword: READER.bind_password };
    await client.add(READER.bind_dn, reader);
  });
  return {
    ...directory,
    authority,
    write,
    server: {
      host: '127.0.0.1',
      port: directory.port,
      ...READER,
      search_filter: '(uid=%s)',
      search_base_dns: [PEOPLE],
      attributes: { username: 'uid', name: 'givenName', surname: 'sn', email: 'mail', member_of: 'memberOf' },
    },
    person: (uid, groups = [], others = {}) =>
      write(async (client) => {
        const names = { uid, cn: uid, sn: 'Example', givenName: uid, mail: `${uid}@example.com` };
        const entry = { objectClass: 'inetOrgPerson', ...names, userPassword: passwordOf(uid), ...others };
        await client.add(personDn(uid), entry);
        for (const name of groups) await addTo(client, name, personDn(uid));
      }),
    group: (name, members) =>
      write(async (client) => {
        for (const member of members)
          await addTo(client, name, member.startsWith('group:') ? groupDn(member.slice(6)) : personDn(member));
      }),
    remove: (dn) => write((client) => client.del(dn)),
  };
}

async function addTo(client: Client, name: string, member: string): Promise<void> {
  const { Attribute, Change } = await import('ldapts');
  const change = new Change({ operation: 'add', modification: new Attribute({ type: 'member', values: [member] }) });
  await client
    .add(groupDn(name), { objectClass: 'groupOfNames', cn: name, member })
    .catch(() => client.modify(groupDn(name), change));
}
