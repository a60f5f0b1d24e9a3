import { z } from 'zod';
import { SIGN_ON_PROVIDERS, type SignOnProvider } from '../identity/signon/keys.js';
import { wrongValue } from '../identity/signon/rules.js';
import {
  keyOfSnakeCase,
  keysOf,
  SIGN_ON_KEYS,
  type SignOnKey,
  type SignOnValues,
  snakeCase,
} from '../identity/signon/values.js';
import { flag } from './values.js';

/** The values that the settings of this server give to a provider. */
export type GivenValues = Partial<SignOnValues>;

const OTHERWISE = 'what the database says, or none';

/** The section `[auth.<provider>]` of the settings. It has the keys of the provider in snake case. */
function section(provider: SignOnProvider): z.ZodType<GivenValues, Readonly<Record<string, string>>> {
  const own = keysOf(provider).filter((key) => SIGN_ON_KEYS[key].type !== 'config');
  const shape = [
    ...own.map((key) => [snakeCase(key), settingOf(provider, key)]),
    ...(provider === 'ldap' ? [FILE] : []),
  ];
  return z.strictObject(Object.fromEntries(shape)) as unknown as z.ZodType<GivenValues, Record<string, string>>;
}

const FILE = [
  'config_file',
  z.string().optional().meta({
    description: 'File with the servers of the directory, in TOML. It is read again when it changes.',
    otherwise: OTHERWISE,
  }),
] as const;

function settingOf(provider: SignOnProvider, key: SignOnKey): z.ZodType {
  const known = SIGN_ON_KEYS[key];
  if (known.type === 'config') throw new Error(`${key} is not a setting of a file`);
  const value = known.type === 'flag' ? flag() : z.string().max(known.maxLength);
  return checked(value, provider, key).optional().meta({ description: known.description, otherwise: OTHERWISE });
}

function checked(value: z.ZodType, provider: SignOnProvider, key: SignOnKey): z.ZodType {
  return value.superRefine((text, context) => {
    const message = wrongValue(provider, key, text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
}

export const SIGN_ON_SECTIONS = Object.fromEntries(
  SIGN_ON_PROVIDERS.map((provider) => [provider, section(provider).prefault({})]),
) as Record<SignOnProvider, z.ZodPrefault<ReturnType<typeof section>>>;

/** The values of a section by their keys. */
export function givenValues(section: Readonly<Record<string, unknown>>): GivenValues {
  const entries = Object.entries(section).flatMap(([name, value]) => {
    const key = keyOfSnakeCase(name);
    return key === undefined || value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(entries);
}
