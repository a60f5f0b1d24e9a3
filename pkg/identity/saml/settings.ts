import { z } from 'zod';
import { goDuration } from '../../system/time/go-duration.js';
import type { Reach } from '../signon/reach.js';
import { flag, list, mappings, text } from '../signon/settings.js';

const duration = (otherwise: number) => text.transform((value) => millisecondsOf(value) ?? otherwise);

/** `90s` → milliseconds. Undefined for what is no time, and for 0 and less. */
export function millisecondsOf(value: string): number | undefined {
  const nanos = goDuration(value);
  return nanos === undefined || nanos < 1_000_000n ? undefined : Number(nanos / 1_000_000n);
}

/** The settings of a provider that signing in by SAML depends on. Values without a meaning count as not set. */
export const SamlSettings = z.object({
  enabled: flag(false),
  name: text,
  entityId: text,
  singleLogout: flag(false),
  certificate: text,
  certificatePath: text,
  privateKey: text,
  privateKeyPath: text,
  signatureAlgorithm: text,
  idpMetadata: text,
  idpMetadataPath: text,
  idpMetadataUrl: text,
  maxIssueDelay: duration(90_000),
  metadataValidDuration: duration(48 * 3_600_000),
  nameIdFormat: text,
  allowIdpInitiated: flag(false),
  relayState: text,
  assertionAttributeName: text,
  assertionAttributeLogin: text,
  assertionAttributeEmail: text,
  assertionAttributeGroups: text,
  assertionAttributeRole: text,
  assertionAttributeOrg: text,
  assertionAttributeExternalUid: text,
  roleValuesNone: list,
  roleValuesViewer: list,
  roleValuesEditor: list,
  roleValuesAdmin: list,
  roleValuesGrafanaAdmin: list,
  allowedOrganizations: list,
  orgMapping: mappings,
  skipOrgRoleSync: flag(false),
  allowSignUp: flag(true),
  autoLogin: flag(false),
});
export type SamlSettings = z.output<typeof SamlSettings>;

/** By the values of the setting `signature_algorithm`. */
export const SIGNATURES = { 'rsa-sha256': 'sha256', 'rsa-sha512': 'sha512' } as const;

/** How requests are signed. Undefined: not at all. */
export function signatureOf({ signatureAlgorithm }: SamlSettings): 'sha256' | 'sha512' | undefined {
  return SIGNATURES[signatureAlgorithm as keyof typeof SIGNATURES];
}

/** A provider by which people sign in through SAML 2.0. It may be off. */
export interface SamlProvider {
  /** As in paths: `saml`, or `saml-west`. */
  readonly name: string;
  readonly type: 'saml';
  readonly settings: SamlSettings;
  readonly reach: Reach;
  /** Why nobody can sign in by it at the moment, for the log. */
  readonly problem?: string;
}

/** The addresses of this server that the provider knows. */
export interface ServiceAddresses {
  readonly entityId: string;
  readonly metadata: string;
  /** The assertion consumer service. */
  readonly acs: string;
  /** The single logout service. */
  readonly slo: string;
}

/** `rootUrl` is the address at which people reach the server, without a slash at its end. */
export function serviceAddresses(
  { name, settings }: Pick<SamlProvider, 'name' | 'settings'>,
  rootUrl: string,
): ServiceAddresses {
  const base = name === 'saml' ? `${rootUrl}/saml` : `${rootUrl}/saml/${name}`;
  const metadata = `${base}/metadata`;
  return { entityId: settings.entityId || metadata, metadata, acs: `${base}/acs`, slo: `${base}/slo` };
}
