import { z } from 'zod';
import { LdapConfig } from '../../../../pkg/identity/ldap/config.js';
import type { SignOnProvider } from '../../../../pkg/identity/signon/keys.js';
import { hasKey, keyOfSnakeCase, SIGN_ON_KEYS, type SignOnKey } from '../../../../pkg/identity/signon/values.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { LegacyError, plainFailure, structured } from '../../../../registry/legacy/errors.js';
import { withKnownNames } from '../../../../registry/legacy/members.js';
import type { SSOSettingSpec } from '../schema.js';
import { camelCase } from './dto.js';

export const SettingsBody = z.object({ settings: z.record(z.string(), z.unknown()) });
export const TestBody = SettingsBody.partial().extend({
  login: z.string().max(190).optional().describe('Somebody of a directory to look for.'),
});

/**
 * The settings of the body, by their names in the kind. The kind checks their values. Throws 400 for a name that only
 * other providers have. Names that no provider has are those of newer clients: they are kept, with a warning.
 */
export function settingsOf(call: LegacyCall, type: SignOnProvider): SSOSettingSpec {
  const parsed = SettingsBody.safeParse(withKnownNames(SettingsBody, bodyOf(call)));
  if (!parsed.success) throw new LegacyError(400, structured(400, 'sso.settings', 'Settings field is invalid'));
  const entries = Object.entries(parsed.data.settings).filter(
    ([name, value]) => value !== null && !isUnset(type, name, value),
  );
  const custom = entries.filter(([name]) => isCustom(type, name));
  const own = entries.filter(([name]) => !isCustom(type, name));
  call.warn(
    custom.map(
      ([name]) => `settings.${name.slice(0, 100)}: this server does not know it: it is kept, and has no effect`,
    ),
  );
  return {
    settings: Object.fromEntries(
      own.map(([name, value]) => {
        const key = keyOf(type, name);
        return [key, converted(key, value)];
      }),
    ),
    ...(custom.length > 0 && { custom: Object.fromEntries(custom) as NonNullable<SSOSettingSpec['custom']> }),
  };
}

function isCustom(type: SignOnProvider, name: string): boolean {
  const key = keyOfSnakeCase(name) ?? camelCase(name);
  return !hasKey(type, key) && !Object.hasOwn(SIGN_ON_KEYS, key);
}

/** Clients that have a map of texts send `"true"` for true, and others send a number where a text is meant. */
function converted(key: SignOnKey, value: unknown): unknown {
  if (SIGN_ON_KEYS[key].type === 'config') return withKnownKeys(withoutUnset(value));
  if (SIGN_ON_KEYS[key].type === 'flag') return value === 'true' ? true : value === 'false' ? false : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** Refuses a key that no directory has: it may be meant to restrict who signs in. The kind checks the values. */
function withKnownKeys(config: unknown): unknown {
  const issue = LdapConfig.safeParse(config).error?.issues.find(({ code }) => code === 'unrecognized_keys');
  if (issue?.code !== 'unrecognized_keys') return config;
  const path = ['config', ...issue.path, issue.keys[0] ?? ''].map(String).join('.').slice(0, 100);
  throw new LegacyError(400, structured(400, 'sso.invalidOauthConfig', `${path} is not a setting of a directory.`));
}

/** Keys of the servers of a directory that user interfaces send, and that no server reads. */
const UNREAD: ReadonlySet<string> = new Set(['tls_skip_verify', 'skip_org_role_sync']);

/** Clients send null for what is not set. */
function withoutUnset(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnset);
  if (typeof value !== 'object' || value === null) return value;
  const isSet = ([key, member]: [string, unknown]): boolean =>
    member !== null && !(UNREAD.has(key) && member === false);
  const set = Object.entries(value).filter(isSet);
  return Object.fromEntries(set.map(([key, member]) => [key, withoutUnset(member)]));
}

/** Switches of the forms of user interfaces. No server reads them. */
const OF_FORMS: ReadonlySet<string> = new Set(['defineAllowedGroups', 'defineAllowedTeamsIds']);

/**
 * Whether it is a key that the provider does not have, and that clients send for all providers although it is not set.
 * One that is set is refused: it may be meant to restrict who signs in.
 */
function isUnset(type: SignOnProvider, name: string, value: unknown): boolean {
  const key = keyOfSnakeCase(name) ?? camelCase(name);
  if (hasKey(type, key)) return false;
  if (OF_FORMS.has(key)) return true;
  return (value === '' || value === false) && Object.hasOwn(SIGN_ON_KEYS, key);
}

function bodyOf(call: LegacyCall): unknown {
  try {
    return call.body(z.unknown());
  } catch (error) {
    if (error instanceof LegacyError && error.code === 400)
      throw plainFailure(400, 'Failed to parse request body', error);
    throw error;
  }
}

/** Callers may use the names of the settings file, too: `client_id`. */
function keyOf(type: SignOnProvider, name: string): SignOnKey {
  const key = keyOfSnakeCase(name) ?? name;
  if (hasKey(type, key)) return key;
  const message = `${JSON.stringify(name.slice(0, 100))} is not a setting of ${type}.`;
  throw new LegacyError(400, structured(400, 'sso.invalidOauthConfig', message));
}
