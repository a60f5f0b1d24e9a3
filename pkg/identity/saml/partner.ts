import type { Credentials } from './credentials.js';
import type { IdpMetadata } from './metadata.js';
import type { SamlSettings, ServiceAddresses } from './settings.js';

/** Milliseconds by which the clocks of this server and of the provider may differ. */
export const CLOCK_SKEW = 60_000;

/** This server and the provider, as they know each other. */
export interface Partners {
  readonly settings: SamlSettings;
  readonly addresses: ServiceAddresses;
  readonly credentials: Credentials | undefined;
  readonly idp: IdpMetadata;
}
