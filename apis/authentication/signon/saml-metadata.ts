import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import { credentialsOf } from '../../../pkg/identity/saml/credentials.js';
import { type SamlProvider, type SamlSettings, serviceAddresses } from '../../../pkg/identity/saml/settings.js';
import { runSaml } from '../../../pkg/identity/saml/thread/run.js';
import { SignOnFailure } from '../../../pkg/identity/signon/failure.js';
import { pathNotFound } from '../../../pkg/kube/status/errors.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import { messageOf } from '../../../pkg/system/errors/message.js';
import { type SignOnOptions, samlRootUrlOf } from './sign-in.js';

/** Milliseconds for which metadata are sent as they were made, and with a certificate of a file, which may change. */
const FRESH = 3_600_000;
const FRESH_FILE = 10_000;

interface Made {
  readonly rootUrl: string;
  readonly ends: number;
  readonly xml: Promise<string>;
}

/**
 * The metadata of this server, for its providers. Anybody may ask for them, and they are signed, so they are made once
 * for the settings. Those are another object when they change.
 */
export class SamlMetadata {
  readonly #options: SignOnOptions;
  readonly #made = new WeakMap<SamlSettings, Made>();

  constructor(options: SignOnOptions) {
    this.#options = options;
  }

  /** A provider that is off has them, too. */
  async answer(request: ApiRequest, name: string): Promise<ApiResponse> {
    const provider = this.#options.providers.saml(name);
    if (provider === undefined) throw pathNotFound();
    const xml = await this.#current(provider, this.#rootUrl(request));
    const headers = { 'content-type': 'application/samlmetadata+xml; charset=utf-8', 'cache-control': 'no-store' };
    return { status: 200, headers, body: Buffer.from(xml) };
  }

  #current(provider: SamlProvider, rootUrl: string): Promise<string> {
    const { settings } = provider;
    const before = this.#made.get(settings);
    const now = this.#options.services.now();
    if (before?.rootUrl === rootUrl && now < before.ends) return before.xml;
    const longest = settings.certificatePath === '' && settings.privateKeyPath === '' ? FRESH : FRESH_FILE;
    const made = {
      rootUrl,
      ends: now + Math.min(longest, settings.metadataValidDuration / 2),
      xml: this.#make(provider, rootUrl, now),
    };
    this.#made.set(settings, made);
    made.xml.catch(() => this.#made.delete(settings));
    return made.xml;
  }

  async #make(provider: SamlProvider, rootUrl: string, now: number): Promise<string> {
    const { settings, name } = provider;
    const credentials = await credentialsOf(settings).catch((error: unknown) => {
      if (!(error instanceof SignOnFailure)) throw error;
      this.#options.warn(`The metadata of ${name} have no certificate: ${error.message}`);
      return undefined;
    });
    const addresses = serviceAddresses(provider, rootUrl);
    return runSaml('serviceMetadata', { settings, addresses, credentials, now });
  }

  #rootUrl(request: ApiRequest): string {
    try {
      return samlRootUrlOf(this.#options, request);
    } catch (error) {
      throw new ApiError({ code: 421, reason: 'BadRequest', message: messageOf(error) });
    }
  }
}
