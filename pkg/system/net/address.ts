import { isIPv4, isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** How many of the eight groups of an IPv6 address name the network: a /64. */
const NETWORK_GROUPS = 4;

/**
 * The address in the form in which addresses are compared: without a zone. An IPv4 address that a socket shows in the
 * form of IPv6 is IPv4 again.
 */
export function plainAddress(address: string): string {
  const zone = address.indexOf('%');
  const bare = zone === -1 ? address : address.slice(0, zone);
  return MAPPED.exec(bare)?.[1] ?? bare;
}

/**
 * The key of a client where addresses have shares or limits. An IPv4 address is its own key. The key of an IPv6 client
 * is its /64, because it can choose any address in it: `2001:db8:0:1::7` has the key `2001:db8:0:1::/64`. Other text is
 * its own key.
 */
export function addressKey(address: string): string {
  const plain = plainAddress(address);
  if (isIPv4(plain) || !isIPv6(plain)) return plain;
  return `${groupsOf(plain).slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = address.toLowerCase().split('::');
  const before = groups(head);
  const after = groups(tail ?? '');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array<string>(zeros).fill('0'), ...after];
}

/**
 * IPv4 at the end takes the place of two groups. Which ones does not matter here, because it is not in the network
 * part.
 */
function groups(text: string): readonly string[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : group.replace(/^0+(?=.)/, '')));
}

/** Addresses that only this machine can reach. */
export function isLoopback(address: string): boolean {
  return /^(localhost|::1|\[::1\]|127(\.\d{1,3}){3}|(::ffff:)127(\.\d{1,3}){3})$/i.test(address);
}
