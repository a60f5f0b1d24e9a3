const STRICT_OCTET = /^(?:0|[1-9]\d{0,2})$/;
const OCTET = /^\d+$/;
const STRICT_GROUP = /^[0-9a-fA-F]{1,4}$/;
const GROUP = /^0*[0-9a-fA-F]{1,4}$/;
const MAX_ADDRESS = 1000;

/** Allows leading zeros, as Kubernetes always has, and also IPv6 addresses that end in an IPv4 address. */
export function isIPv4(text: string): boolean {
  if (!text.includes('.') || text.length > MAX_ADDRESS) return false;
  const colon = text.indexOf(':');
  return colon >= 0 && colon < text.indexOf('.') ? isV6(text, false) : isV4(text, false);
}

export function isIPv6(text: string): boolean {
  return text.length <= MAX_ADDRESS && isV6(text, true);
}

/** Allows leading zeros. */
export function isCidr(text: string): boolean {
  const slash = text.indexOf('/');
  if (slash < 0 || text.length > MAX_ADDRESS) return false;
  const [address, bits] = [text.slice(0, slash), text.slice(slash + 1)];
  if (!OCTET.test(bits)) return false;
  return (isV4(address, false) && Number(bits) <= 32) || (isV6(address, false) && Number(bits) <= 128);
}

/** Whether net.ParseIP of Go accepts it. */
export function isIP(text: string): boolean {
  return text.length <= MAX_ADDRESS && (isV4(text, true) || isV6(text, true));
}

function isV4(text: string, isStrict: boolean): boolean {
  const octets = text.split('.');
  return (
    octets.length === 4 && octets.every((part) => (isStrict ? STRICT_OCTET : OCTET).test(part) && Number(part) <= 255)
  );
}

/** `::` stands for at least one group, and the last two groups may be an IPv4 address. */
function isV6(text: string, isStrict: boolean): boolean {
  if (!text.includes(':')) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const counts = halves.map((half, i) => countOfGroups(half, i === halves.length - 1, isStrict));
  if (counts.includes(-1)) return false;
  const total = counts.reduce((sum, count) => sum + count, 0);
  return halves.length === 1 ? total === 8 : total < 8;
}

/** -1 if one of them is wrong. */
function countOfGroups(half: string, isLast: boolean, isStrict: boolean): number {
  if (half === '') return 0;
  const groups = half.split(':');
  const last = groups.at(-1) ?? '';
  const hasV4 = isLast && last.includes('.');
  if (hasV4) groups.pop();
  const isRight = groups.every((group) => (isStrict ? STRICT_GROUP : GROUP).test(group));
  if (!isRight || (hasV4 && !isV4(last, isStrict))) return -1;
  return groups.length + (hasV4 ? 2 : 0);
}

const MAC =
  /^(?:[0-9a-f]{2}(?::[0-9a-f]{2}){5,19}|[0-9a-f]{2}(?:-[0-9a-f]{2}){5,19}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2,9}|[0-9a-f]{12,40})$/i;
const MAC_BYTES: ReadonlySet<number> = new Set([6, 8, 20]);

/** 6, 8 or 20 bytes, with `:` or `-` between them, with `.` between pairs of them, or without. */
export function isMac(text: string): boolean {
  return MAC.test(text) && MAC_BYTES.has(text.replace(/[:.-]/g, '').length / 2);
}
