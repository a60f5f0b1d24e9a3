import { typeNameOf } from '../values/type-name.js';
import { CelError, isError, Opaque, type Value } from '../values/value.js';
import { type Address, addressText, isMapped, isProblem, maskedValue, parseAddress } from './address.js';
import { define, type FunctionDef } from './declare.js';

interface Network {
  readonly address: Address;
  readonly prefix: number;
}

function overloadError(name: string, args: readonly Value[]): CelError {
  return new CelError(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`);
}

function ipValue(address: Address): Opaque<Address> {
  return new Opaque('net.IP', address, addressText(address));
}

function cidrValue(network: Network): Opaque<Network> {
  return new Opaque('net.CIDR', network, `${addressText(network.address)}/${network.prefix}`);
}

function ipOf(value: Value | undefined): Address | undefined {
  return value instanceof Opaque && value.type === 'net.IP' ? (value.content as Address) : undefined;
}

function cidrOf(value: Value | undefined): Network | undefined {
  return value instanceof Opaque && value.type === 'net.CIDR' ? (value.content as Network) : undefined;
}

function parseIp(text: string): Opaque<Address> | CelError {
  const quoted = JSON.stringify(text);
  const percent = text.indexOf('%');
  const address = parseAddress(percent > 0 && text.includes(':') ? text.slice(0, percent) : text);
  if (isProblem(address)) {
    return new CelError(`IP Address ${quoted} parse error during conversion from string: ${address.problem}`);
  }
  if (percent > 0) return new CelError(`IP address ${quoted} with zone value is not allowed`);
  return isMapped(address) ? new CelError(`IPv4-mapped IPv6 address ${quoted} is not allowed`) : ipValue(address);
}

function parseCidr(text: string): Opaque<Network> | CelError {
  const slash = text.lastIndexOf('/');
  if (slash < 0) return networkError(text, "no '/'");
  const address = parseAddress(text.slice(0, slash));
  if (isProblem(address)) return networkError(text, address.problem);
  const bits = text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d*)$/.test(bits)) return networkError(text, `bad bits after slash: ${JSON.stringify(bits)}`);
  const prefix = Number(bits);
  if (prefix > address.bits) return networkError(text, 'prefix length out of range');
  if (isMapped(address)) {
    const message = `IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`;
    return new CelError(`network address parse error during conversion from string: ${message}`);
  }
  return cidrValue({ address, prefix });
}

function networkError(text: string, problem: string): CelError {
  const parse = 'network address parse error during conversion from string: ';
  return new CelError(`${parse}${parse}netip.ParsePrefix(${JSON.stringify(text)}): ${problem}`);
}

/** Whether the first `prefix` bits of the address are those of the network. */
function covers({ address, prefix }: Network, other: Address): boolean {
  return address.bits === other.bits && maskedValue(address, prefix) === maskedValue(other, prefix);
}

function containsIp(args: readonly Value[]): Value {
  const [first, second] = args;
  const network = cidrOf(first);
  const other = typeof second === 'string' ? parseIp(second) : second;
  if (other instanceof CelError) return other;
  const ip = ipOf(other);
  return network === undefined || ip === undefined ? overloadError('containsIP', args) : covers(network, ip);
}

function containsCidr(args: readonly Value[]): Value {
  const [first, second] = args;
  const network = cidrOf(first);
  const range = typeof second === 'string' ? parseCidr(second) : second;
  if (range instanceof CelError) return range;
  const other = cidrOf(range);
  if (network === undefined || other === undefined) return overloadError('containsCIDR', args);
  return network.prefix <= other.prefix && covers(network, other.address);
}

function isLoopback({ value, bits }: Address): boolean {
  return bits === 32 ? value >> 24n === 127n : value === 1n;
}

function isMulticast({ value, bits }: Address): boolean {
  return bits === 32 ? value >> 28n === 0xen : value >> 120n === 0xffn;
}

function isLinkLocalMulticast({ value, bits }: Address): boolean {
  return bits === 32 ? value >> 8n === 0xe00000n : ((value >> 112n) & 0xff0fn) === 0xff02n;
}

function isLinkLocalUnicast({ value, bits }: Address): boolean {
  return bits === 32 ? value >> 16n === 0xa9fen : value >> 118n === 0x3fan;
}

function isGlobalUnicast(address: Address): boolean {
  const isBroadcast = address.bits === 32 && address.value === 0xffffffffn;
  const isOther = address.value === 0n || isBroadcast || isLoopback(address) || isMulticast(address);
  return !isOther && !isLinkLocalUnicast(address);
}

function ofText(name: string, signature: string, call: (text: string) => Value): FunctionDef {
  return define(name, [signature], (args) => (typeof args[0] === 'string' ? call(args[0]) : overloadError(name, args)));
}

function ofIp(name: string, signature: string, call: (address: Address) => Value): FunctionDef {
  return define(name, [signature], (args) => {
    const address = ipOf(args[0]);
    return address === undefined ? overloadError(name, args) : call(address);
  });
}

function ofCidr(name: string, signature: string, call: (network: Network) => Value): FunctionDef {
  return define(name, [signature], (args) => {
    const network = cidrOf(args[0]);
    return network === undefined ? overloadError(name, args) : call(network);
  });
}

function isCanonical(text: string): Value {
  const ip = parseIp(text);
  return isError(ip) ? ip : ip.key === text;
}

/** The number of bytes, for costs. */
export function addressSize(value: Opaque): number | undefined {
  const address = ipOf(value);
  if (address !== undefined) return address.bits / 8;
  const network = cidrOf(value);
  return network === undefined ? undefined : Math.ceil(network.prefix / 8);
}

export const NET: readonly FunctionDef[] = [
  define('ip', ['string_to_ip: (string) -> ip', 'cidr_ip: cidr.() -> ip'], (args) => {
    const network = cidrOf(args[0]);
    if (network !== undefined) return ipValue(network.address);
    return typeof args[0] === 'string' ? parseIp(args[0]) : overloadError('ip', args);
  }),
  ofIp('family', 'ip_family: ip.() -> int', ({ bits }) => (bits === 32 ? 4n : 6n)),
  ofText('ip.isCanonical', 'ip_is_canonical: (string) -> bool', isCanonical),
  ofIp('isUnspecified', 'ip_is_unspecified: ip.() -> bool', ({ value }) => value === 0n),
  ofIp('isLoopback', 'ip_is_loopback: ip.() -> bool', isLoopback),
  ofIp('isLinkLocalMulticast', 'ip_is_link_local_multicast: ip.() -> bool', isLinkLocalMulticast),
  ofIp('isLinkLocalUnicast', 'ip_is_link_local_unicast: ip.() -> bool', isLinkLocalUnicast),
  ofIp('isGlobalUnicast', 'ip_is_global_unicast: ip.() -> bool', isGlobalUnicast),
  ofText('isIP', 'is_ip: (string) -> bool', (text) => !isError(parseIp(text))),
  ofText('cidr', 'string_to_cidr: (string) -> cidr', parseCidr),
  define(
    'containsIP',
    ['cidr_contains_ip_string: cidr.(string) -> bool', 'cidr_contains_ip_ip: cidr.(ip) -> bool'],
    containsIp,
  ),
  define(
    'containsCIDR',
    ['cidr_contains_cidr_string: cidr.(string) -> bool', 'cidr_contains_cidr: cidr.(cidr) -> bool'],
    containsCidr,
  ),
  ofCidr('prefixLength', 'cidr_prefix_length: cidr.() -> int', ({ prefix }) => BigInt(prefix)),
  ofCidr('masked', 'cidr_masked: cidr.() -> cidr', ({ address, prefix }) =>
    cidrValue({ address: { ...address, value: maskedValue(address, prefix) }, prefix }),
  ),
  ofText('isCIDR', 'is_cidr: (string) -> bool', (text) => !isError(parseCidr(text))),
];
