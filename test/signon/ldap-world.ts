import type { Client } from 'ldapts';
import { SlapdMissing } from '../../hack/slapd/find.js';
import { type Directory, SUFFIX, startSlapd } from '../../hack/slapd/start.js';
import { generateCa, generateLeaf, type KeyPair } from '../../pkg/identity/certs/generate.js';

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
