import { BlockList, isIP } from 'node:net';
import { plainAddress } from './address.js';

/** More proxies in a row than any installation has. */
const MAX_HOPS = 16;
const HOP = /^(?:\[(?<bracketed>[^\]]*)\](?::\d+)?|(?<ported>\d{1,3}(?:\.\d{1,3}){3}):\d+|(?<plain>.*))$/;

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** The address and the prefix length of `10.0.0.0/8` or `10.1.2.3`; undefined for other text. */
export function parseNetwork(text: string): { readonly address: string; readonly prefix: number } | undefined {
  const [given = '', length, ...more] = text.split('/');
  const address = plainAddress(given);
  if (isIP(address) === 0 || more.length > 0) return undefined;
  const bits = isIP(address) === 6 ? 128 : 32;
  if (length === undefined) return { address, prefix: bits };
  const prefix = /^\d{1,3}$/.test(length) ? Number(length) : 0;
  return prefix >= 1 && prefix <= bits && address === given ? { address, prefix } : undefined;
}

/** The proxies whose headers about their clients count (`server.trusted_proxies`). */
export class TrustedProxies {
  readonly #list = new BlockList();

  /** Throws TypeError for what `parseNetwork` does not read. */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const parsed = parseNetwork(network);
      if (parsed === undefined) throw new TypeError(`not an address or a network: ${network}`);
      this.#list.addSubnet(parsed.address, parsed.prefix, family(parsed.address));
    }
  }

  trusts(address: string): boolean {
    const plain = plainAddress(address);
    return isIP(plain) !== 0 && this.#list.check(plain, family(plain));
  }

  /**
   * The client of a trusted peer: in `X-Forwarded-For`, from right to left, the first address that is not trusted. The client may have
   * written what is further left. Without the header, or if it has no address there, this is the last known proxy.
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
