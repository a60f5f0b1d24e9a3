import { keysOf, type SignOnValues, withSecrets } from '../../../../pkg/identity/signon/values.js';
import type { SyncRecordSpec } from '../../../internal/syncrecord/schema.js';
import type { ProviderSettings } from '../providers.js';
import { MASKED } from '../schema.js';

/**
 * The settings of a provider as callers see them: with a value of each key, and without secrets. While it is on,
 * `obstacles` say why nobody can sign in by it.
 */
export function entryOf(
  { id, provider, type, source, values, custom }: ProviderSettings,
  lastSync: SyncRecordSpec | undefined,
  obstacles: readonly string[],
) {
  const own = Object.fromEntries(keysOf(type).map((key) => [key, values[key]])) as Partial<SignOnValues>;
  const settings = withSecrets(own, () => MASKED);
  return {
    id,
    provider,
    settings: { ...answered(custom ?? {}), ...settings },
    source,
    ...(values.enabled && obstacles.length > 0 && { problems: obstacles.map((why) => `${why}.`) }),
    ...(lastSync && { lastSync }),
  };
}

/** Values of other keys, by the spelling of answers. A key that has both spellings keeps them. */
function answered(custom: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const spelling = (name: string): string => (Object.hasOwn(custom, camelCase(name)) ? name : camelCase(name));
  return Object.fromEntries(Object.entries(custom).map(([name, value]) => [spelling(name), value]));
}

/** Clients send names in both spellings, and expect this one in answers. */
export const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

/** FNV-1a with 64 bits in 16 hexadecimal digits: the form of ETag that callers expect here. It needs no strength. */
export function fnv64(text: string): string {
  let hash = OFFSET;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * PRIME);
  return hash.toString(16).padStart(16, '0');
}
