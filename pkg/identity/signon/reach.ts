import { type AddressGuard, addressGuard } from '../../system/net/address-guard.js';
import { type SignOnKey, type SignOnValues, snakeCase } from './values.js';

/** The addresses of a provider that this server asks, also those below them. */
export type AskedAddress = 'authUrl' | 'tokenUrl' | 'apiUrl' | 'teamsUrl' | 'idpMetadataUrl';

/** Which addresses of a provider may be internal. */
export interface Reach {
  /** For the addresses that somebody stored through an API. */
  readonly guard: AddressGuard;
  /** The addresses that are those of the settings of this server. Its operator chose them, so they may be anywhere. */
  readonly ofOperator: ReadonlySet<SignOnKey>;
}

/** The guard for stored addresses. `networks` are the internal ones that they may have. */
export const providerGuard = (networks: readonly string[]): AddressGuard =>
  addressGuard(networks, 'auth.provider_networks');

/** `system` are the values that would apply if nothing was stored. */
export function reachOf(values: SignOnValues, system: SignOnValues, guard: AddressGuard): Reach {
  const keys = Object.keys(system) as SignOnKey[];
  const isAddress = (key: SignOnKey): boolean => key === 'config' || snakeCase(key).endsWith('_url');
  const ofOperator = keys.filter((key) => isAddress(key) && values[key] === system[key]);
  return { guard, ofOperator: new Set(ofOperator) };
}
