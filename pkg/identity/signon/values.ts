import { z } from 'zod';
import { LdapConfig, NO_SERVERS } from '../ldap/config.js';
import { configSecrets, mapSecrets, SECRET_SERVER_KEYS } from '../ldap/secrets.js';
import { AZURE, GENERIC, GITHUB, GOOGLE, LDAP, OAUTH, SAML, type SignOnProvider } from './keys.js';

/** All keys, with their types, bounds and descriptions. Settings, schemas and OpenAPI are made from them. */
export const SIGN_ON_KEYS = { ...OAUTH, ...GITHUB, ...GENERIC, ...AZURE, ...GOOGLE, ...LDAP, ...SAML } as const;
type Keys = typeof SIGN_ON_KEYS;
export type SignOnKey = keyof Keys;

/** The values of all keys that a provider may have. */
export type SignOnValues = {
  readonly [Key in SignOnKey]: Keys[Key]['type'] extends 'flag'
    ? boolean
    : Keys[Key]['type'] extends 'config'
      ? LdapConfig
      : string;
};

type KeySet = Readonly<Partial<Record<SignOnKey, unknown>>>;
const KEYS_OF: Readonly<Record<SignOnProvider, KeySet>> = {
  github: { ...GITHUB },
  gitlab: OAUTH,
  google: GOOGLE,
  generic_oauth: GENERIC,
  grafana_com: OAUTH,
  azuread: AZURE,
  okta: OAUTH,
  ldap: LDAP,
  saml: SAML,
};

export function keysOf(provider: SignOnProvider): readonly SignOnKey[] {
  return Object.keys(KEYS_OF[provider]) as SignOnKey[];
}

export function hasKey(provider: SignOnProvider, key: string): key is SignOnKey {
  return Object.hasOwn(KEYS_OF[provider], key);
}

/** `clientId` → `client_id`, the name in the settings of the server. */
export const snakeCase = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const CAMEL = new Map((Object.keys(SIGN_ON_KEYS) as SignOnKey[]).map((key) => [snakeCase(key), key]));

/** `client_id` → `clientId`. Undefined if there is no such key. */
export const keyOfSnakeCase = (name: string): SignOnKey | undefined => CAMEL.get(name);

const SECRET = /secret|private|certificate|password|client_key/;

/** Whether the value of a key is stored encrypted and never shown. */
export const isSecretKey = (key: string): boolean => SECRET.test(snakeCase(key));

/** The keys with secret values, in both spellings. */
export const SECRET_SIGN_ON_KEYS: readonly string[] = [
  ...[...CAMEL].flatMap(([snake, key]) => (isSecretKey(key) ? [...new Set([key, snake])] : [])),
  ...SECRET_SERVER_KEYS,
];

/** A secret among the values of a provider. */
export interface SignOnSecret {
  /** Under which it is stored. */
  readonly name: string;
  readonly key: SignOnKey;
  /** Its path in the value of the key; empty if the value is the secret. */
  readonly at: string;
  readonly value: string;
}

/** The secrets of a provider that are not empty. */
export function secretsIn(values: Partial<SignOnValues>): readonly SignOnSecret[] {
  const plain = Object.entries(values).flatMap(([name, value]) => {
    const key = name as SignOnKey;
    return isSecretKey(key) && typeof value === 'string' && value !== '' ? [{ name, key, at: '', value }] : [];
  });
  const nested = configSecrets(values.config ?? NO_SERVERS).map((secret) => ({ ...secret, key: 'config' as const }));
  return [...plain, ...nested];
}

/** The values with other secrets. Undefined leaves a secret out. */
export function withSecrets(
  values: Partial<SignOnValues>,
  change: (secret: SignOnSecret) => string | undefined,
): Partial<SignOnValues> {
  const plain = new Map(secretsIn(values).map((secret) => [secret.name, secret]));
  const entries = Object.entries(values).flatMap(([name, value]) => {
    const secret = plain.get(name);
    const changed = secret === undefined ? value : change(secret);
    return changed === undefined ? [] : [[name, changed]];
  });
  const { config } = values;
  const others = Object.fromEntries(entries) as Partial<SignOnValues>;
  if (config === undefined) return others;
  return { ...others, config: mapSecrets(config, (secret) => change({ ...secret, key: 'config' })) };
}

const EMPTY = { flag: false, text: '', config: NO_SERVERS } as const;

/** The values of a provider without any setting. */
export const EMPTY_VALUES = Object.fromEntries(
  Object.entries(SIGN_ON_KEYS).map(([key, { type }]) => [key, EMPTY[type]]),
) as SignOnValues;

function schemaOf(known: Keys[SignOnKey]) {
  if (known.type === 'text') return z.string().max(known.maxLength);
  return known.type === 'flag' ? z.boolean() : LdapConfig;
}

/** A schema of an object with some of these values. */
export function valuesSchema(keys: readonly SignOnKey[] = Object.keys(SIGN_ON_KEYS) as SignOnKey[]) {
  const shape = keys.map((key) => {
    const known = SIGN_ON_KEYS[key];
    return [key, schemaOf(known).optional().describe(known.description)];
  });
  return z.strictObject(Object.fromEntries(shape)) as unknown as z.ZodType<Partial<SignOnValues>>;
}
