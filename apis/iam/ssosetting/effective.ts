import { signOnType } from '../../../pkg/identity/signon/keys.js';
import { PRESETS } from '../../../pkg/identity/signon/presets.js';
import { EMPTY_VALUES, type SignOnKey, type SignOnValues, snakeCase } from '../../../pkg/identity/signon/values.js';
import type { SignOnEnvironment } from '../../environment.js';

/**
 * The values that apply where nothing is stored: those of the settings of this server, otherwise the defaults of the
 * type of the provider.
 */
export function systemValues(name: string, { configured: given }: SignOnEnvironment): SignOnValues {
  const type = signOnType(name);
  return type === undefined ? EMPTY_VALUES : { ...EMPTY_VALUES, ...PRESETS[type], ...given[name] };
}

/** These belong together, so a stored one does not mix with one of the settings. */
const GROUPS = /certificate|private_key|idp_metadata/;

/**
 * The values that apply, key by key: the stored one, otherwise that of the settings. An empty stored address does not
 * count.
 */
export function effectiveValues(stored: Partial<SignOnValues> | undefined, system: SignOnValues): SignOnValues {
  if (stored === undefined) return system;
  const entries = (Object.keys(system) as SignOnKey[]).map((key) => {
    const name = snakeCase(key);
    const value = stored[key] === '' && name.endsWith('_url') ? undefined : stored[key];
    return [key, value ?? (GROUPS.test(name) ? EMPTY_VALUES[key] : system[key])];
  });
  return Object.fromEntries(entries);
}
