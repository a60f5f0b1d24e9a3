import { type BlockList, isIP } from 'node:net';
import { plainAddress } from './address.js';
import { isListed, networkList } from './networks.js';

/** More proxies in a row than any installation has. */
const MAX_HOPS = 16;
const HOP = /^(?:\[(?<bracketed>[^\]]*)\](?::\d+)?|(?<ported>\d{1,3}(?:\.\d{1,3}){3}):\d+|(?<plain>.*))$/;

/** The proxies whose headers about their clients are believed (`server.trusted_proxies`). */
export class TrustedProxies {
  readonly #list: BlockList;

  /** Throws TypeError for what `parseNetwork` does not read. */
  constructor(networks: readonly string[]) {
    this.#list = networkList(networks);
  }

  trusts(address: string): boolean {
    return isListed(this.#list, address);
  }

  /**
   * The client of a trusted peer: in `X-Forwarded-For`, from right to left, the first address that is not trusted. The
   * client may have written what is further left. Without the header, or if it has no address there, this is the last
   * known proxy.
   */
  clientOf(peer: string, forwardedFor: string | undefined): string {
    let client = peer;
    let end = forwardedFor?.length ?? 0;
    for (let hops = 0; hops < MAX_HOPS && end > 0; hops++) {
      const comma = forwardedFor?.lastIndexOf(',', end - 1) ?? -1;
      const address = hopOf(forwardedFor?.slice(comma + 1, end) ?? '');
      if (address === undefined) return client;
      client = address;
      if (!this.trusts(address)) return client;
      end = comma;
    }
    return client;
  }
}

/** Undefined if there are none, so that requests cost nothing then. */
export const trustedProxies = (networks: readonly string[]): TrustedProxies | undefined =>
  networks.length === 0 ? undefined : new TrustedProxies(networks);

/** One address of `X-Forwarded-For`. Some proxies add the port. */
function hopOf(text: string): string | undefined {
  const { bracketed, ported, plain } = HOP.exec(text.trim())?.groups ?? {};
  const address = plainAddress(bracketed ?? ported ?? plain ?? '');
  return isIP(address) === 0 ? undefined : address;
}
