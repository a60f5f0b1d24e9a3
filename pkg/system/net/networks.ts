import { BlockList, isIP } from 'node:net';
import { plainAddress } from './address.js';

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

/** Throws TypeError for what `parseNetwork` does not read. */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const parsed = parseNetwork(network);
    if (parsed === undefined) throw new TypeError(`not an address or a network: ${network}`);
    list.addSubnet(parsed.address, parsed.prefix, family(parsed.address));
  }
  return list;
}

/** An address of IPv4 in the form of IPv6 is taken as that of IPv4. */
export function isListed(list: BlockList, address: string): boolean {
  const plain = plainAddress(address);
  return isIP(plain) !== 0 && list.check(plain, family(plain));
}
