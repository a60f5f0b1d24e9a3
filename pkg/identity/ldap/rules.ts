import { isLoopback } from '../../system/net/address.js';
import { hostsOf, type LdapConfig, type LdapServerConfig } from './config.js';
import { isOwnBind } from './dn.js';
import { isFilter } from './filter.js';
import { isCertificate, isPrivateKey, opensslCipher, tlsVersion } from './tls.js';

/** What is wrong with one value. `at` is its path in the configuration, such as `.servers[0].host`. */
export interface ConfigProblem {
  readonly at: string;
  readonly message: string;
}

interface RuleOptions {
  /** Whether what a sign-in needs must be there. */
  readonly isEnabled: boolean;
  /** The value that is sent instead of a secret that stays. Its content cannot be checked. */
  readonly masked: string;
}

/** Everything that would keep people from signing in, or would have no effect. */
export function configProblems({ servers }: LdapConfig, options: RuleOptions): readonly ConfigProblem[] {
  const missing = options.isEnabled && servers.length === 0 ? [{ at: '.servers', message: 'No server is given.' }] : [];
  return [
    ...missing,
    ...servers.flatMap((server, index) =>
      [...(options.isEnabled ? missingValues(server) : []), ...wrongValues(server, options)].map(({ at, message }) => ({
        at: `.servers[${index}]${at}`,
        message,
      })),
    ),
  ];
}

function missingValues(server: LdapServerConfig): readonly ConfigProblem[] {
  return [
    ...problem('.host', hostsOf(server).length === 0, 'A host is needed.'),
    ...problem('.search_filter', !server.search_filter, 'A search filter is needed, such as (uid=%s).'),
    ...problem(
      '.search_base_dns',
      !server.search_base_dns?.length,
      'A search base is needed, such as dc=example,dc=com.',
    ),
  ];
}

function wrongValues(server: LdapServerConfig, { masked }: RuleOptions): readonly ConfigProblem[] {
  return [
    ...encryption(server),
    ...certificates(server, masked),
    ...binding(server),
    ...filters(server),
    ...problem('.attributes.username', server.attributes?.username === '', 'The attribute with the login is needed.'),
    ...mappings(server),
  ];
}

function encryption(server: LdapServerConfig): readonly ConfigProblem[] {
  const { min_tls_version: version = '', tls_ciphers: ciphers = [], ssl_skip_verify: skips } = server;
  const isOpen = !server.use_ssl && !server.start_tls && !skips && hostsOf(server).some((host) => !isLoopback(host));
  return [
    ...problem('.use_ssl', isOpen, OPEN),
    ...problem('.min_tls_version', version !== '' && !tlsVersion(version), 'The versions are TLS1.2 and TLS1.3.'),
    ...ciphers.flatMap((name, index) =>
      problem(`.tls_ciphers[${index}]`, opensslCipher(name) === undefined, 'This server has no such cipher suite.'),
    ),
  ];
}

const OPEN =
  'Passwords would be sent without encryption: set use_ssl or start_tls. ssl_skip_verify allows it nevertheless.';

function certificates(server: LdapServerConfig, masked: string): readonly ConfigProblem[] {
  const { root_ca_cert_value: authorities = [], client_cert_value: cert = '', client_key_value: key = '' } = server;
  return [
    ...authorities.flatMap((value, index) =>
      problem(`.root_ca_cert_value[${index}]`, !isCertificate(value), 'It is no certificate in PEM.'),
    ),
    ...problem('.client_cert_value', cert !== '' && !isCertificate(cert), 'It is no certificate in PEM.'),
    ...problem('.client_key_value', !['', masked].includes(key) && !isPrivateKey(key), NO_KEY),
    ...problem('.client_key_value', (cert === '') !== (key === ''), 'Certificate and key are needed, or none of them.'),
    ...problem(
      '.client_key',
      !server.client_cert !== !server.client_key,
      'Both client_cert and client_key are needed.',
    ),
  ];
}

function binding(server: LdapServerConfig): readonly ConfigProblem[] {
  const { bind_dn: dn = '', bind_password: password = '' } = server;
  const isOwn = isOwnBind(dn);
  return [
    ...problem('.bind_dn', dn !== '' && !/[=@\\]/.test(dn), 'It is no distinguished name.'),
    ...problem('.bind_password', dn !== '' && !isOwn && password === '', NO_PASSWORD),
    ...problem('.bind_password', password !== '' && (dn === '' || isOwn), UNUSED),
  ];
}

const NO_PASSWORD = 'bind_dn needs a password. To search without one, leave out bind_dn.';
const UNUSED = 'It would have no effect: with %s in bind_dn, people search with their own passwords.';

function filters(server: LdapServerConfig): readonly ConfigProblem[] {
  const { search_filter: search = '', group_search_filter: groups = '' } = server;
  const hasGroups = groups !== '';
  const isUnused = !hasGroups && Boolean(server.group_search_base_dns?.length);
  return [
    ...problem('.search_filter', search !== '' && !isTemplate(search), `${WRONG_FILTER} and has %s for the login.`),
    ...problem('.group_search_filter', hasGroups && !isTemplate(groups), `${WRONG_FILTER} and has %s for the person.`),
    ...problem('.group_search_base_dns', isUnused, 'It would have no effect without group_search_filter.'),
  ];
}

/** Without `%s`, everybody would be the same person, or in the same groups. */
const isTemplate = (text: string): boolean => text.includes('%s') && isFilter(text);
const WRONG_FILTER = 'It must be a filter of RFC 4515 that fits in parentheses,';

function mappings({ group_mappings: all = [] }: LdapServerConfig): readonly ConfigProblem[] {
  return all.flatMap(({ org_role: role = '', grafana_admin: isAdministrator }, index) =>
    problem(
      `.group_mappings[${index}]`,
      role === '' && isAdministrator === undefined,
      'A role in the organization is needed, or grafana_admin.',
    ),
  );
}

const NO_KEY = 'It is no private key in PEM.';

const problem = (at: string, isWrong: boolean | undefined, message: string): readonly ConfigProblem[] =>
  isWrong === true ? [{ at, message }] : [];

const FILES = ['root_ca_cert', 'client_cert', 'client_key'] as const;

/**
 * What is wrong with values that cannot be checked any more when they are masked: those that name files of this server
 * and are not among those of `system`, and private keys.
 */
export function unstorable(
  config: LdapConfig,
  system: LdapConfig,
  isKept: (value: string) => boolean,
): readonly ConfigProblem[] {
  return config.servers.flatMap((server, index) => {
    const files = FILES.flatMap((key) => {
      const value = server[key] ?? '';
      const isKnown = value === '' || isKept(value) || system.servers.some((other) => other[key] === value);
      return problem(`.${key}`, !isKnown, `${key} cannot be stored. ${IN_FILE}`);
    });
    const key = server.client_key_value ?? '';
    const isWrong = key !== '' && !isKept(key) && !isPrivateKey(key);
    return [...files, ...problem('.client_key_value', isWrong, NO_KEY)].map(({ at, message }) => ({
      at: `.servers[${index}]${at}`,
      message,
    }));
  });
}

const IN_FILE =
  'Files are named in the file of auth.ldap.config_file. Here, root_ca_cert_value, client_cert_value and client_key_value take the content.';
