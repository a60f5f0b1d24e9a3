import { ApiError, call, get } from '../../../lib/api.js';
import { objectPath, ownResource, pathOf, type Resource } from '../../../lib/discovery.js';

/** The servers of a directory are an object. */
export type Value = string | boolean | object;

/** A provider with the settings that apply now. Secrets are masked. */
export interface Provider {
  readonly provider: string;
  readonly settings: Readonly<Record<string, Value>>;
  /** `database`: some settings are stored. `system`: all come from the settings of the server. */
  readonly source: 'database' | 'system';
  /** Why nobody can sign in by it, although it is enabled. */
  readonly problems?: readonly string[];
  /** Absent if people were never synchronized with it. */
  readonly lastSync?: LastSync;
}

export interface LastSync {
  readonly at: string;
  /** People whom the directory named. */
  readonly people: number;
  readonly disabled: number;
  readonly enabled: number;
  /** Who has left, but is not disabled. */
  readonly kept: number;
  /** Who stays as before because of an error. */
  readonly failed?: number;
  /** Why it is not complete. */
  readonly problems: readonly string[];
}

/** What people call a provider. Those without a name have that of their protocol. */
export function titleOf({ provider, settings }: Pick<Provider, 'provider' | 'settings'>): string {
  return String(settings['name'] || PROTOCOLS[provider] || provider);
}

const PROTOCOLS: Readonly<Record<string, string>> = { ldap: 'LDAP', saml: 'SAML' };

/** The server sends this instead of a secret. */
export const MASKED = '*********';

const PATH = '/api/v1/sso-settings';

export function providers(signal: AbortSignal): Promise<readonly Provider[]> {
  return get<readonly Provider[]>(PATH, undefined, signal);
}

/** A provider. A new one with a suffix begins with the settings of its type, without secrets and disabled. */
export async function providerNamed(name: string, signal: AbortSignal): Promise<Provider> {
  try {
    return await get<Provider>(`${PATH}/${encodeURIComponent(name)}`, undefined, signal);
  } catch (error) {
    const [type = name] = name.split('-');
    if (!(error instanceof ApiError && error.code === 404) || type === name) throw error;
    const base = await get<Provider>(`${PATH}/${encodeURIComponent(type)}`, undefined, signal);
    const settings = Object.entries(base.settings).map(([key, value]) => [key, value === MASKED ? '' : value]);
    return { provider: name, source: 'system', settings: { ...Object.fromEntries(settings), enabled: false } };
  }
}

export function settingsKind(): Resource {
  const resource = ownResource('iam', 'ssosettings');
  if (resource === undefined) throw new Error('This server has no sign-on settings.');
  return resource;
}

/** Sends only changed settings, so that it sends no masked secrets. Returns the warnings of the server. */
export async function save(
  { provider, source }: Provider,
  changed: Readonly<Record<string, Value>>,
): Promise<readonly string[]> {
  const resource = settingsKind();
  const spec = { settings: changed };
  if (source === 'database') {
    const type = 'application/merge-patch+json';
    return (await call('PATCH', objectPath(resource, undefined, provider), { type, body: { spec } })).warnings;
  }
  const apiVersion = `${resource.group}/${resource.version}`;
  const body = { apiVersion, kind: resource.kind, metadata: { name: provider }, spec };
  return (await call('POST', pathOf(resource), { body })).warnings;
}

/** Deletes the stored settings, so that those of the server apply again. */
export async function reset({ provider }: Provider): Promise<void> {
  await call('DELETE', objectPath(settingsKind(), undefined, provider));
}

/** Whether the server knows the provider. One with a suffix must be stored. */
export function isThere({ provider, source }: Provider): boolean {
  return source === 'database' || !provider.includes('-');
}

/** The result of asking one address of the provider, or why it was not asked. */
export interface Check {
  /** The key of the setting. */
  readonly name: string;
  readonly host: string;
  readonly ok: boolean;
  readonly message: string;
}

/** Makes the server ask the addresses of the provider: those that are stored, with what was typed since. */
export async function testConnection(
  { provider, settings }: Provider,
  changed: Readonly<Record<string, Value>> = {},
  login = '',
): Promise<TestedProvider> {
  const path = `${PATH}/${encodeURIComponent(provider)}/test`;
  const isChanged = Object.keys(changed).length > 0;
  const body = {
    ...(isChanged && { settings: { ...settings, ...changed } }),
    ...(login !== '' && { login }),
  };
  return (await call<TestedProvider>('POST', path, Object.keys(body).length > 0 ? { body } : {})).body;
}

export interface TestedProvider {
  readonly checks: readonly Check[];
  /** What a directory says about the login. */
  readonly person?: TestedPerson;
}

export interface TestedPerson {
  /** A sign-in with the right password would succeed. */
  readonly ok: boolean;
  readonly message: string;
  readonly user?: {
    readonly dn: string;
    readonly login: Attribute;
    readonly name: Attribute;
    readonly surname: Attribute;
    readonly email: Attribute;
    readonly isGrafanaAdmin: boolean | null;
    readonly roles: readonly {
      readonly orgId: number;
      readonly orgName: string;
      readonly orgRole: string;
      readonly groupDN: string;
    }[];
  };
}

interface Attribute {
  readonly ldapValue: string;
}

export interface Field {
  readonly key: string;
  readonly description: string;
  readonly isFlag: boolean;
  readonly isSecret: boolean;
  readonly isLong: boolean;
  /** The value is an object, which people write in YAML. */
  readonly isObject: boolean;
  /** Whether the server does something with it. */
  readonly hasEffect: boolean;
}

interface Schema {
  readonly description?: string;
  readonly type?: string;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const SECRET = /secret|private|certificate|password|clientKey/i;
/** Fields that may have more characters get several lines, such as PEM files and metadata. */
const LONG = 50_000;

/** The fields of all providers, from the OpenAPI document of the kind. */
export async function fieldsOf(signal: AbortSignal): Promise<ReadonlyMap<string, Field>> {
  const { group, version } = settingsKind();
  const path = `/openapi/v3/apis/${group}/${version}`;
  const document = await get<{ components: { schemas: Readonly<Record<string, Schema>> } }>(path, undefined, signal);
  const [, schema] = Object.entries(document.components.schemas).find(([name]) => name.endsWith('.SSOSettings')) ?? [];
  const all = Object.entries(schema?.properties ?? {}).map(
    ([key, { description = '', type, maxLength = 0 }]): Field => {
      const isFlag = type === 'boolean';
      return {
        key,
        description,
        isFlag,
        isSecret: SECRET.test(key) && !key.endsWith('Path'),
        isLong: maxLength > LONG,
        isObject: type !== 'boolean' && type !== 'string',
        hasEffect: !/has no effect/.test(description),
      };
    },
  );
  const ofDirectories = directoryHints(document.components.schemas);
  return new Map([...all, ...ofDirectories].map((field) => [field.key, field]));
}

/** The descriptions of the settings of a directory: `config.host`, `config.attributes.email`. */
function directoryHints(schemas: Readonly<Record<string, Schema>>): readonly Field[] {
  const hintsOf = (name: string, prefix: string): readonly Field[] => {
    const [, schema] = Object.entries(schemas).find(([id]) => id.endsWith(`.SSOSettingsLdap${name}`)) ?? [];
    return Object.entries(schema?.properties ?? {}).map(([key, { description = '' }]) => ({
      key: `config.${prefix}${key}`,
      description,
      isFlag: false,
      isSecret: false,
      isLong: false,
      isObject: false,
      hasEffect: true,
    }));
  };
  return [...hintsOf('Server', ''), ...hintsOf('Attributes', 'attributes.')];
}

/** `clientId` → `Client id`. */
export function labelOf(key: string): string {
  // The place of a value in the servers of a directory.
  if (key.includes('[')) return key.replace(/^config\./, '');
  const words = key.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const text = words.replaceAll(/\b(url|api|tls|pkce|ca|idp|saml)\b/g, (word) => word.toUpperCase());
  const known = text.replace('assign grafana admin', 'providers to name administrators of the server');
  return known.charAt(0).toUpperCase() + known.slice(1);
}

/** The values of settings that are chosen, and what people call them. The empty value is always one of them. */
export const CHOICES: Readonly<Record<string, readonly (readonly [value: string, label: string])[]>> = {
  authStyle: [
    ['', 'Find out'],
    ['InParams', 'In the body of the request'],
    ['InHeader', 'In a header'],
  ],
  signatureAlgorithm: [
    ['', 'None: requests are not signed'],
    ['rsa-sha256', 'rsa-sha256'],
    ['rsa-sha512', 'rsa-sha512'],
  ],
  loginPrompt: [
    ['', 'What it asks by itself'],
    ['login', 'To sign in again each time'],
    ['consent', 'To agree each time'],
    ['select_account', 'Which account'],
  ],
};

/** The sections, and the keys of their fields. The last section takes the rest. */
export const PARTS: readonly (readonly [title: string, keys: RegExp])[] = [
  [
    'General',
    /^(name|clientId|clientSecret|clientAuthentication|scopes|emptyScopes|authStyle|usePkce|loginPrompt|autoLogin)$/,
  ],
  ['Addresses', /^(?!idpMetadata).*Url$/],
  ['Metadata', /^(idpMetadata|entityId|nameIdFormat|maxIssueDelay|metadataValidDuration|relayState)/],
  ['Who may sign in', /^(allow|hosted|validateHd|teamIds$|roleAttributeStrict)/],
  ['What is read of people', /Attribute|^orgMapping$|^skipOrgRoleSync$|^roleValues|^assertion/],
  ['Encryption', /^tls|ertificate|rivateKey|^signatureAlgorithm$/],
  ['More', /./],
];
