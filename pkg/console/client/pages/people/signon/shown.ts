import type { Field, Provider, Value } from './settings.js';

type Values = Readonly<Record<string, Value>>;

/** Where the metadata of a SAML provider come from: exactly one of these is set. */
export const SOURCES = [
  ['idpMetadataUrl', 'An address, which is read again every hour'],
  ['idpMetadata', 'A text that I paste'],
  ['idpMetadataPath', 'A file of this server'],
] as const;
export type Source = (typeof SOURCES)[number][0];

/** The source that is set. An address, if none is. */
export function sourceOf(settings: Values): Source {
  return SOURCES.find(([key]) => Boolean(settings[key]))?.[0] ?? 'idpMetadataUrl';
}

export const isSaml = ({ provider }: Pick<Provider, 'provider'>): boolean => /^saml\b/.test(provider);

/** Settings of SAML that the API knows because other servers have them. This one refuses a value. */
const OF_OTHERS = /^(clientId|clientSecret|tokenUrl|forceUseGraphApi)$/;
/** Files are named in the settings of the server, and not here. */
const OF_SERVER = /Path$/;

/**
 * Whether a setting does something in the chosen case. What is set by the settings of the server is shown, so that
 * people see it.
 */
export function isShown({ key, hasEffect }: Field, provider: Provider, values: Values, source: Source): boolean {
  if (!(key in provider.settings) || key === 'enabled' || !hasEffect) return false;
  if (!isSaml(provider)) return true;
  if (SOURCES.some(([one]) => one === key)) return key === source;
  if (OF_OTHERS.test(key) || OF_SERVER.test(key)) return Boolean(values[key]);
  if (key === 'relayState') return values['allowIdpInitiated'] === true;
  return true;
}
