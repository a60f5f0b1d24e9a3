import { readFile } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { messageOf } from '../../system/errors/message.js';
import { ForbiddenAddress } from '../../system/net/address-guard.js';
import { boundedFetch } from '../../system/net/bounded-fetch.js';
import { forbidden, SignOnFailure } from '../signon/failure.js';
import type { IdpMetadata } from './metadata.js';
import { MOST_METADATA_BYTES, metadataText } from './metadata-text.js';
import type { SamlProvider } from './settings.js';
import { runSaml } from './thread/run.js';

type Source = Pick<SamlProvider, 'settings' | 'reach'>;

/** Milliseconds for which metadata of an address are used before they are read again, and those of a file. */
const FRESH = 3_600_000;
const FRESH_FILE = 10_000;
/** Metadata that cannot be read are not asked for again in this time. */
const FAILED = 60_000;
/** After a signature of an unknown key they are read again, but not more often than this. */
const SELDOM = 60_000;
const PATIENCE = 10_000;

interface Loaded {
  readonly metadata: IdpMetadata;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The metadata of the providers. They are read again while the server runs, because providers change their keys. */
export interface MetadataCache {
  /** Throws SignOnFailure if there are none, or if they have ended. */
  get(source: Source): Promise<IdpMetadata>;
  /** Reads them again, unless that has just been done. Undefined if they are as before. */
  refreshed(source: Source): Promise<IdpMetadata | undefined>;
}

export function metadataCache(now: () => number, warn: (message: string) => void): MetadataCache {
  const loaded = new LRUCache<string, Loaded>({ max: 50 });
  const failed = new LRUCache<string, { readonly error: unknown; readonly at: number }>({ max: 50 });
  const loading = new Map<string, Promise<Loaded>>();

  const load = (key: string, source: Source): Promise<Loaded> => {
    const failure = failed.get(key);
    if (failure !== undefined && now() - failure.at < FAILED && isRemote(source)) return Promise.reject(failure.error);
    const running = loading.get(key) ?? read(key, source).finally(() => loading.delete(key));
    loading.set(key, running);
    return running;
  };
  const read = async (key: string, source: Source): Promise<Loaded> => {
    try {
      const read = { metadata: await readMetadata(source, AbortSignal.timeout(PATIENCE)), at: now() };
      loaded.set(key, read);
      failed.delete(key);
      return read;
    } catch (error) {
      failed.set(key, { error, at: now() });
      throw error;
    }
  };
  /** What was read before is used while the provider does not answer. */
  const current = async (source: Source): Promise<Loaded> => {
    const key = keyOf(source);
    const before = loaded.get(key);
    if (before !== undefined && now() - before.at < freshness(source)) return before;
    try {
      return await load(key, source);
    } catch (error) {
      if (before === undefined) throw error;
      warn(`The metadata of a SAML provider were not read again: ${messageOf(error)}`);
      return before;
    }
  };
  return {
    get: async (source) => {
      const { metadata } = await current(source);
      if (metadata.ends === undefined || now() < metadata.ends) return metadata;
      throw new SignOnFailure('provider', 'the metadata of the provider have ended (validUntil)');
    },
    refreshed: async (source) => {
      const key = keyOf(source);
      const before = loaded.get(key);
      if (before === undefined || now() - before.at < SELDOM) return undefined;
      const { metadata } = await load(key, source);
      return String(metadata.certificates) === String(before.metadata.certificates) ? undefined : metadata;
    },
  };
}

/** The text itself is part of the key, so it is parsed again when it changes. */
function keyOf({ settings, reach }: Source): string {
  const { idpMetadata, idpMetadataPath, idpMetadataUrl } = settings;
  return JSON.stringify([idpMetadata, idpMetadataPath, idpMetadataUrl, reach.ofOperator.has('idpMetadataUrl')]);
}

const isRemote = ({ settings }: Source): boolean => settings.idpMetadata === '' && settings.idpMetadataPath === '';

function freshness({ settings }: Source): number {
  if (settings.idpMetadata !== '') return Number.POSITIVE_INFINITY;
  return settings.idpMetadataPath === '' ? FRESH : FRESH_FILE;
}

/** Reads the metadata from where the settings say. Throws SignOnFailure, or what the request failed with. */
export async function readMetadata(source: Source, signal: AbortSignal): Promise<IdpMetadata> {
  return runSaml('idpMetadata', { xml: await textOf(source, signal) });
}

async function textOf(source: Source, signal: AbortSignal): Promise<string> {
  const { idpMetadata, idpMetadataPath, idpMetadataUrl } = source.settings;
  if (idpMetadata !== '') return metadataText(idpMetadata);
  if (idpMetadataPath !== '')
    return readFile(idpMetadataPath, 'utf8').catch((error: unknown) => {
      throw new SignOnFailure('settings', 'idp_metadata_path cannot be read', error);
    });
  if (idpMetadataUrl === '')
    throw new SignOnFailure('settings', 'one of idp_metadata, idp_metadata_path and idp_metadata_url is needed');
  return download(idpMetadataUrl, source, signal);
}

/** With the same guard as the addresses of all providers. */
async function download(url: string, { reach }: Source, signal: AbortSignal): Promise<string> {
  const { guard, ofOperator } = reach;
  const guarded = ofOperator.has('idpMetadataUrl') ? {} : { guard };
  const answer = await boundedFetch({ signal, bytes: MOST_METADATA_BYTES, ...guarded })(url).catch((error: unknown) => {
    throw error instanceof ForbiddenAddress ? forbidden(error) : new MetadataUnreachable(error);
  });
  if (answer.status !== 200)
    throw new SignOnFailure('provider', `the address of the metadata answers with ${answer.status}`);
  return answer.text();
}

/** The address of the metadata does not answer. The cause says why. */
export class MetadataUnreachable extends SignOnFailure {
  constructor(cause: unknown) {
    super('provider', `the metadata of the provider cannot be read: ${messageOf(cause)}`, cause);
  }
}
