import type { SamlProvider } from '../saml/settings.js';
import type { OAuthProvider } from './settings.js';

/** A provider that is on. */
export type EnabledProvider = OAuthProvider | SamlProvider;

/** The providers as they are set up now. */
export interface EnabledProviders {
  /** Undefined if the provider is off. */
  get(name: string): EnabledProvider | undefined;
  enabled(): readonly EnabledProvider[];
  /** Also one that is off: it reads the metadata of this server before people can sign in. */
  saml(name: string): SamlProvider | undefined;
}
