import { z } from 'zod';
import { AZURE, GENERIC, GITHUB, GOOGLE, OAUTH, SAML, type SignOnProvider } from './keys.js';

/** All keys, with their types, bounds and descriptions. Settings, schemas and OpenAPI are made from them. */
export const SIGN_ON_KEYS = { ...OAUTH, ...GITHUB, ...GENERIC, ...AZURE, ...GOOGLE, ...SAML } as const;
type Keys = typeof SIGN_ON_KEYS;
export type SignOnKey = keyof Keys;

/** The values of all keys that a provider may have. */
export type SignOnValues = {
  readonly [Key in SignOnKey]: Keys[Key]['type'] extends 'flag' ? boolean : string;
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
export const SECRET_SIGN_ON_KEYS: readonly string[] = [...CAMEL].flatMap(([snake, key]) =>
  isSecretKey(key) ? [...new Set([key, snake])] : [],
);

/** The values of a provider without any setting. */
export const EMPTY_VALUES = Object.fromEntries(
  Object.entries(SIGN_ON_KEYS).map(([key, { type }]) => [key, type === 'flag' ? false : '']),
) as SignOnValues;

/** A schema of an object with some of these values. */
export function valuesSchema(keys: readonly SignOnKey[] = Object.keys(SIGN_ON_KEYS) as SignOnKey[]) {
  const shape = keys.map((key) => {
    const known = SIGN_ON_KEYS[key];
    const schema = known.type === 'flag' ? z.boolean() : z.string().max(known.maxLength);
    return [key, schema.optional().describe(known.description)];
  });
  return z.strictObject(Object.fromEntries(shape)) as unknown as z.ZodType<Partial<SignOnValues>>;
}
