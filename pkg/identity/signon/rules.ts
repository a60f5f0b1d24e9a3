import { isLoopback } from '../../system/net/address.js';
import { NO_SERVERS } from '../ldap/config.js';
import { configProblems, unstorable } from '../ldap/rules.js';
import { isSchedule } from '../ldap/schedule.js';
import { samlProblems, secretSamlProblems, wrongSamlValue } from '../saml/rules.js';
import { isExpression } from './expression.js';
import type { SignOnProvider } from './keys.js';
import { ORGANIZATION_ROLES, wrongMapping } from './roles.js';
import { oauthType } from './settings.js';
import { type SignOnKey, type SignOnValues, snakeCase } from './values.js';

/** A wrong value. The message is for people. */
export interface Problem {
  readonly key: SignOnKey;
  /** The path in the value of the key, such as `.servers[0].host`. */
  readonly at?: string;
  readonly message: string;
}

type EnteredValues = Partial<SignOnValues>;

/** The names of keys in messages. */
const LABELS: Readonly<Partial<Record<SignOnKey, string>>> = {
  clientId: 'Client Id',
  authUrl: 'Auth URL',
  tokenUrl: 'Token URL',
  apiUrl: 'API URL',
  teamsUrl: 'Teams URL',
  signoutRedirectUrl: 'Sign out redirect URL',
  idpMetadataUrl: 'IdP metadata URL',
  allowedDomains: 'Allowed domains',
};

const URL_KEYS: readonly SignOnKey[] = [
  'authUrl',
  'tokenUrl',
  'apiUrl',
  'teamsUrl',
  'signoutRedirectUrl',
  'idpMetadataUrl',
];
const PROMPTS = ['', 'login', 'consent', 'select_account'];
const DOMAIN = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** `a, b c` and `["a", "b", "c"]` → a, b and c. */
const splitList = (text: string): readonly string[] => text.split(/[\s,[\]"]+/).filter((part) => part !== '');

/** What is wrong with one value, whatever the others are. */
export function wrongValue(provider: SignOnProvider, key: SignOnKey, value: unknown): string | undefined {
  if (provider === 'saml' && value === true) return wrongSamlValue(key, 'true');
  if (typeof value !== 'string' || value === '') return undefined;
  if (URL_KEYS.includes(key) && !isWebAddress(value)) return `${label(key)} is an invalid URL.`;
  if (key === 'loginPrompt' && !PROMPTS.includes(value))
    return 'Invalid value for login_prompt. Valid values are: login, consent, select_account.';
  if (key === 'allowedDomains' && !splitList(value).every((domain) => DOMAIN.test(domain)))
    return `${label(key)} contains an invalid domain.`;
  if (key === 'teamIds' && provider === 'github' && !splitList(value).every((id) => /^\d{1,18}$/.test(id)))
    return 'Failed to parse Team Ids. Team Ids must be a list of numbers.';
  if (key === 'syncCron' && !isSchedule(value)) return `${key} is not a cron expression such as 0 1 * * *.`;
  return (provider === 'saml' ? wrongSamlValue(key, value) : undefined) ?? wrongRule(key, value);
}

/**
 * What is wrong with a value that decides who gets which rights. A sign-in would ignore what it cannot read, and give
 * people other rights.
 */
function wrongRule(key: SignOnKey, value: string): string | undefined {
  const text = value.trim();
  if (key.endsWith('AttributePath') && text !== '' && !isExpression(text))
    return `${key} is not a JMESPath expression. Check its operators, quotes and brackets.`;
  const entry = key === 'orgMapping' ? wrongMapping(text) : 0;
  return entry === 0 ? undefined : `Entry ${entry} of orgMapping is not valid. ${ENTRY}`;
}

const ENTRY = `Entries are group:organization:role, with one of the roles ${ORGANIZATION_ROLES.join(', ')}, or group:organization.`;

/** An absolute http or https address of a host, without user name and password. */
function isWebAddress(text: string): boolean {
  if (/[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && hostname !== '' && username === '' && password === '';
}

/** The addresses that belong to the provider, and so cannot be set, and those that it needs. */
const ADDRESSES: Readonly<
  Record<string, { readonly own: readonly SignOnKey[]; readonly needed: readonly SignOnKey[] }>
> = {
  github: { own: ['authUrl', 'tokenUrl', 'apiUrl'], needed: [] },
  gitlab: { own: ['authUrl', 'tokenUrl', 'apiUrl'], needed: [] },
  google: { own: ['authUrl', 'tokenUrl', 'apiUrl'], needed: [] },
  grafana_com: { own: ['authUrl', 'tokenUrl', 'teamsUrl'], needed: [] },
  azuread: { own: ['apiUrl'], needed: ['authUrl', 'tokenUrl'] },
  okta: { own: [], needed: ['authUrl', 'tokenUrl', 'apiUrl'] },
  generic_oauth: { own: [], needed: ['authUrl', 'tokenUrl'] },
};

/**
 * What is wrong with the values that somebody stores for a provider. `system` are the values that apply where nothing
 * is stored: a needed value may come from there, and a value that is the same changes nothing. `masked` stands for
 * secrets that stay.
 */
export function problemsOf(
  provider: SignOnProvider,
  entered: EnteredValues,
  system: SignOnValues,
  masked: string,
): readonly Problem[] {
  const keys = Object.keys(entered) as SignOnKey[];
  const values = keys.flatMap((key) => problem(key, wrongValue(provider, key, entered[key])));
  return [
    ...values,
    ...unencrypted(entered, system),
    ...(provider === 'ldap' ? ldapProblems(entered, system, masked) : []),
    ...(provider === 'saml' ? samlProblems(entered, system) : []),
    ...(oauthType(provider) === undefined ? [] : oauthProblems(provider, entered, system)),
  ];
}

function ldapProblems(entered: EnteredValues, system: SignOnValues, masked: string): readonly Problem[] {
  const isEnabled = entered.enabled ?? system.enabled;
  const found = configProblems(entered.config ?? system.config, { isEnabled, masked });
  return found.map((one) => ({ key: 'config', ...one }));
}

function oauthProblems(provider: SignOnProvider, entered: EnteredValues, system: SignOnValues): readonly Problem[] {
  const { own, needed } = ADDRESSES[provider] ?? { own: [], needed: [] };
  const missing = [
    ...((entered.clientId ?? system.clientId) === '' ? ['clientId' as const] : []),
    ...needed.filter((key) => (entered[key] || system[key]) === ''),
  ];
  const foreign = own.filter((key) => (entered[key] ?? '') !== '' && entered[key] !== system[key]);
  const {
    allowAssignGrafanaAdmin: assigns = system.allowAssignGrafanaAdmin,
    skipOrgRoleSync: skips = system.skipOrgRoleSync,
  } = entered;
  return [
    ...missing.flatMap((key) => problem(key, `${label(key)} is required.`)),
    ...foreign.flatMap((key) => problem(key, `${label(key)} must be empty.`)),
    ...problem('allowAssignGrafanaAdmin', assigns && skips ? BOTH : undefined),
    ...teamProblems(provider, entered, system),
  ];
}

const BOTH =
  'Allow assign Grafana Admin and Skip org role sync are both set thus Grafana Admin role will not be synced. Consider setting one or the other.';
const TEAMS = 'If Team Ids are configured then Teams URL and Team Ids Attribute Path must be configured.';

function teamProblems(provider: SignOnProvider, entered: EnteredValues, system: SignOnValues): readonly Problem[] {
  if (provider !== 'generic_oauth') return [];
  const { teamIds, teamsUrl, teamIdsAttributePath } = { ...system, ...entered };
  return problem('teamIds', teamIds !== '' && (teamsUrl === '' || teamIdsAttributePath === '') ? TEAMS : undefined);
}

/** The keys that name a file, and those that may name one instead of having its content. */
const FILES: readonly SignOnKey[] = [
  'workloadIdentityTokenFile',
  'certificatePath',
  'privateKeyPath',
  'idpMetadataPath',
];
const PEMS: readonly SignOnKey[] = ['tlsClientCert', 'tlsClientKey', 'tlsClientCa'];
const PEM = /^\s*-----BEGIN /;

/**
 * The values that would name files of the server. Only its operator may choose these, in the settings: a caller who
 * sets up a provider could otherwise have the server send it any file. `isKept` tells which values are those that are
 * stored already.
 */
export function fileProblems(
  entered: EnteredValues,
  system: SignOnValues,
  isKept: (value: unknown) => boolean,
): readonly Problem[] {
  const isNew = (key: SignOnKey): boolean =>
    Boolean(entered[key]) && entered[key] !== system[key] && !isKept(entered[key]);
  const inSettings = (key: SignOnKey): string => `A file is named in the settings of the server, as ${snakeCase(key)}.`;
  return [
    ...FILES.filter(isNew).flatMap((key) => problem(key, `${key} cannot be stored. ${inSettings(key)}`)),
    ...PEMS.filter((key) => isNew(key) && !PEM.test(String(entered[key]))).flatMap((key) =>
      problem(key, `${key} must be PEM. ${inSettings(key)}`),
    ),
    ...unstorable(entered.config ?? NO_SERVERS, system.config, isKept).map((one) => ({
      key: 'config' as const,
      ...one,
    })),
  ];
}

/** What is wrong with secrets. They are masked when the other rules see them. */
export function secretProblems(entered: EnteredValues, isKept: (value: unknown) => boolean): readonly Problem[] {
  const fresh = Object.entries(entered).filter(([, value]) => !isKept(value));
  return secretSamlProblems(Object.fromEntries(fresh));
}

/** Client secrets and tokens go over these connections. */
export function unencrypted(entered: EnteredValues, system: SignOnValues): readonly Problem[] {
  if (entered.tlsSkipVerifyInsecure ?? system.tlsSkipVerifyInsecure) return [];
  return URL_KEYS.filter((key) => isOpen(entered[key])).flatMap((key) =>
    problem(
      key,
      `${label(key)} must be an https:// address, unless it is on this machine or tlsSkipVerifyInsecure is set.`,
    ),
  );
}

function isOpen(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === 'http:' && !isLoopback(hostname);
}

const label = (key: SignOnKey): string => LABELS[key] ?? key;
const problem = (key: SignOnKey, message: string | undefined): readonly Problem[] =>
  message === undefined ? [] : [{ key, message }];
