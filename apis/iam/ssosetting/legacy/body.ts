import { z } from 'zod';
import type { SignOnProvider } from '../../../../pkg/signon/keys.js';
import { hasKey, keyOfSnakeCase } from '../../../../pkg/signon/values.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { LegacyError, plainFailure, structured } from '../../../../registry/legacy/errors.js';
import type { SSOSettingSpec } from '../schema.js';

export const SettingsBody = z.object({ settings: z.record(z.string(), z.unknown()) });

/** The settings of the body, by their names in the kind. The kind checks their values. Throws 400 for a name that the provider does not have. */
export function settingsOf(call: LegacyCall, type: SignOnProvider): SSOSettingSpec['settings'] {
  const parsed = SettingsBody.safeParse(bodyOf(call));
  if (!parsed.success) throw new LegacyError(400, structured(400, 'sso.settings', 'Settings field is invalid'));
  const entries = Object.entries(parsed.data.settings).filter(([, value]) => value !== null);
  return Object.fromEntries(entries.map(([name, value]) => [keyOf(type, name), value]));
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
function keyOf(type: SignOnProvider, name: string): string {
  const key = keyOfSnakeCase(name) ?? name;
  if (hasKey(type, key)) return key;
  const message = `${JSON.stringify(name.slice(0, 100))} is not a setting of ${type}.`;
  throw new LegacyError(400, structured(400, 'sso.invalidOauthConfig', message));
}
