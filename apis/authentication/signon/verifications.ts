import { Shares } from '../../../pkg/http/flowcontrol/shares.js';
import { SignOnFailure } from '../../../pkg/identity/signon/failure.js';
import { addressKey } from '../../../pkg/system/net/address.js';

const MOST_AT_ONCE = 16;

/** Bounds the messages of SAML that wait for the thread which reads them. One address gets at most half of them. */
export class Verifications {
  readonly #running = new Shares(MOST_AT_ONCE);

  /** Throws SignOnFailure if too many wait. */
  async run<T>(address: string, work: () => Promise<T>): Promise<T> {
    const key = addressKey(address);
    if (!this.#running.take(key)) throw new SignOnFailure('busy', 'too many messages of SAML are read');
    try {
      return await work();
    } finally {
      this.#running.give(key);
    }
  }
}
