import { X509Certificate } from 'node:crypto';
import { messageOf } from '../../system/errors/message.js';
import { ForbiddenAddress } from '../../system/net/address-guard.js';
import type { ConnectionCheck } from '../signon/connection.js';
import { unreachable } from '../signon/unreachable.js';
import { credentialsOf } from './credentials.js';
import type { IdpMetadata } from './metadata.js';
import { MetadataUnreachable, readMetadata } from './metadata-cache.js';
import { type SamlProvider, type SamlSettings, signatureOf } from './settings.js';

const PATIENCE = 5000;

type Source = Pick<SamlProvider, 'settings' | 'reach'>;

/** Reads the metadata of the provider and the credentials of this server, as sign-ins do. `now`: ms since the epoch. */
export async function checkSamlConnection(
  source: Source,
  signal: AbortSignal,
  now: number,
): Promise<readonly ConnectionCheck[]> {
  const [ofProvider, ofServer] = await Promise.all([
    checkMetadata(source, signal, now),
    checkCredentials(source.settings, now),
  ]);
  // Requests that were aborted say nothing about the provider.
  signal.throwIfAborted();
  return [...ofProvider, ...ofServer];
}

async function checkMetadata(source: Source, signal: AbortSignal, now: number): Promise<readonly ConnectionCheck[]> {
  const { idpMetadata, idpMetadataPath, idpMetadataUrl } = source.settings;
  const name = idpMetadata !== '' ? 'idpMetadata' : idpMetadataPath !== '' ? 'idpMetadataPath' : 'idpMetadataUrl';
  const host = name === 'idpMetadataUrl' && URL.canParse(idpMetadataUrl) ? new URL(idpMetadataUrl).host : '';
  const check = (ok: boolean, message: string): ConnectionCheck => ({ name, host, ok, message });
  try {
    const metadata = await readMetadata(source, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]));
    const problem = problemOf(metadata, source.settings, now);
    return [check(problem === undefined, problem ?? `They name ${metadata.entityId.slice(0, 200)}.`)];
  } catch (error) {
    return [check(false, whyUnread(error))];
  }
}

/** The address of a host in the network of this server is not told. */
function whyUnread(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  const isOfNetwork = error instanceof MetadataUnreachable || cause instanceof ForbiddenAddress;
  return isOfNetwork ? unreachable(cause) : sentence(messageOf(error));
}

function problemOf(metadata: IdpMetadata, settings: SamlSettings, now: number): string | undefined {
  if (metadata.ends !== undefined && metadata.ends <= now) return 'They have ended (validUntil).';
  if (metadata.wantsSignedRequests && signatureOf(settings) === undefined)
    return 'The provider wants signed requests, and signatureAlgorithm is not set.';
  const ends = metadata.certificates.map((pem) => Date.parse(new X509Certificate(pem).validTo));
  if (ends.every((end) => end <= now)) return 'All certificates of the provider have expired.';
  if (settings.singleLogout && metadata.logout === undefined)
    return 'The provider has no SingleLogoutService for HTTP-Redirect, so singleLogout has no effect.';
  return undefined;
}

async function checkCredentials(settings: SamlSettings, now: number): Promise<readonly ConnectionCheck[]> {
  const check = (ok: boolean, message: string): readonly ConnectionCheck[] => [
    { name: 'certificate', host: '', ok, message },
  ];
  try {
    const credentials = await credentialsOf(settings);
    if (credentials === undefined) return [];
    const { validTo } = new X509Certificate(credentials.certificate);
    return Date.parse(validTo) <= now ? check(false, 'It has expired.') : check(true, `It is valid until ${validTo}.`);
  } catch (error) {
    return check(false, sentence(messageOf(error)));
  }
}

/** Names of settings stay as they are. */
const sentence = (text: string): string =>
  `${/^[a-z]+_/.test(text) ? text.charAt(0) : text.charAt(0).toUpperCase()}${text.slice(1)}.`;
