import { z } from 'zod';
import { arrayOf } from '../../kube/meta/bounded.js';

/** Longer than any name, distinguished name or filter that people write. */
const LONGEST = 2000;
const LONGEST_PEM = 100_000;
const MOST_SERVERS = 20;

const text = (description: string, longest = LONGEST) => z.string().max(longest).optional().describe(description);
const flag = (description: string) => z.boolean().optional().describe(description);
const texts = (description: string, most = 50) =>
  arrayOf(z.string().max(LONGEST), most).optional().describe(description);

const Attributes = z
  .strictObject({
    username: text('Attribute with the login. By default cn.', 190),
    name: text('Attribute with the first name, or the whole one. By default givenName.', 190),
    surname: text('Attribute with the last name, which is added to the first one. By default sn.', 190),
    email: text('Attribute with the e-mail address. By default mail.', 190),
    member_of: text(
      'Attribute with the groups of a person, or with the name of a group if group_search_filter is set. By default memberOf.',
      190,
    ),
  })
  .meta({ id: 'SSOSettingsLdapAttributes' });

const GroupMapping = z
  .strictObject({
    group_dn: z.string().min(1).max(LONGEST).describe('Distinguished name of the group, or * for everybody.'),
    org_role: z.enum(['', 'None', 'Viewer', 'Editor', 'Admin']).optional().describe('Role in the organization.'),
    org_id: z.int().min(0).optional().describe('Number of the organization. By default 1.'),
    grafana_admin: flag('Makes the members administrators of the server.'),
  })
  .meta({ id: 'SSOSettingsLdapGroupMapping' });
export type GroupMapping = z.infer<typeof GroupMapping>;

const Server = z
  .strictObject({
    host: text('Host of the directory. Of several ones, separated by spaces, the first one that answers is asked.'),
    port: z.int().min(1).max(65_535).optional().describe('Port. By default 389, and 636 with use_ssl.'),
    use_ssl: flag('Connects by TLS.'),
    start_tls: flag('Turns to TLS after connecting (StartTLS).'),
    ssl_skip_verify: flag("Does not check the directory's certificate, and allows connections without TLS."),
    min_tls_version: text('Oldest version of TLS: TLS1.2 or TLS1.3.', 20),
    tls_ciphers: texts('Cipher suites by their names in the registry of IANA.'),
    root_ca_cert: text("Files with the directory's certificate authorities, separated by spaces."),
    root_ca_cert_value: arrayOf(z.string().max(LONGEST_PEM), 20)
      .optional()
      .describe("The directory's certificate authorities, PEM or PEM in base64."),
    client_cert: text('File with the certificate of this server.'),
    client_key: text('File with the private key of client_cert.'),
    client_cert_value: text('Certificate of this server, PEM or PEM in base64.', LONGEST_PEM),
    client_key_value: text('Private key of client_cert_value, PEM or PEM in base64.', LONGEST_PEM),
    bind_dn: text(
      'Distinguished name as which this server searches. With %s, which stands for the login, people search themselves.',
    ),
    bind_password: text('Password of bind_dn.'),
    timeout: z.int().min(0).max(60).optional().describe('Seconds for connecting and for each request. By default 10.'),
    search_filter: text('Filter that finds a person. %s stands for the login.'),
    search_base_dns: texts('Distinguished names below which people are.'),
    group_search_filter: text(
      'Filter that finds the groups of a person, if people have no attribute with them. %s stands for the value of group_search_filter_user_attribute.',
    ),
    group_search_filter_user_attribute: text(
      'Attribute of a person for group_search_filter, or dn. By default the login.',
      190,
    ),
    group_search_base_dns: texts('Distinguished names below which groups are. By default those of people.'),
    email_verified: flag(
      'People cannot write their own e-mail address in the directory, so it counts as verified. By default it does not.',
    ),
    attributes: Attributes.optional().describe('What attributes are read.'),
    group_mappings: arrayOf(GroupMapping, 1000)
      .optional()
      .describe('Roles by groups. With mappings, only people in a mapped group sign in.'),
  })
  .meta({ id: 'SSOSettingsLdapServer' });
export type LdapServerConfig = z.infer<typeof Server>;

/** The directories, with the keys that other servers have. The file of `auth.ldap.config_file` has the same. */
export const LdapConfig = z
  .strictObject({ servers: arrayOf(Server, MOST_SERVERS).describe('Directories. All are asked, in this order.') })
  .meta({ id: 'SSOSettingsLdapConfig' });
export type LdapConfig = z.infer<typeof LdapConfig>;

export const NO_SERVERS: LdapConfig = { servers: [] };

/** A directory with the values that apply where nothing is set. */
export interface LdapServer {
  readonly hosts: readonly string[];
  readonly port: number;
  readonly tls: 'none' | 'start' | 'always';
  /** Milliseconds for connecting, and for each request. */
  readonly timeout: number;
  readonly attributes: Readonly<Record<keyof z.infer<typeof Attributes>, string>>;
  /** As they are set. */
  readonly config: LdapServerConfig;
}

const DEFAULT_ATTRIBUTES = {
  username: 'cn',
  name: 'givenName',
  surname: 'sn',
  email: 'mail',
  member_of: 'memberOf',
} as const;
const DEFAULT_TIMEOUT = 10;

export function ldapServer(config: LdapServerConfig): LdapServer {
  const tls = config.start_tls === true ? 'start' : config.use_ssl === true ? 'always' : 'none';
  return {
    hosts: hostsOf(config),
    port: config.port ?? (tls === 'always' ? 636 : 389),
    tls,
    timeout: (config.timeout || DEFAULT_TIMEOUT) * 1000,
    attributes: { ...DEFAULT_ATTRIBUTES, ...withoutUndefined(config.attributes) },
    config,
  };
}

/** IPv6 addresses may be in brackets. */
export function hostsOf({ host = '' }: LdapServerConfig): readonly string[] {
  const names = host.split(/[\s,]+/).map((name) => name.replace(/^\[|\]$/g, ''));
  return names.filter((name) => name !== '');
}

function withoutUndefined(values: Readonly<Record<string, string | undefined>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
