import { isIPv6 } from './formats-net.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they make a URI wrong.
const CONTROL = /[\x00-\x1f\x7f]/;
const SCHEME = /^[a-zA-Z][-+.a-zA-Z0-9]*:/;
const BAD_ESCAPE = /%(?![0-9a-fA-F]{2})/;
/** In a host, only bytes that are not ASCII may be escaped, and the percent sign. */
const BAD_HOST_ESCAPE = /%(?!25|[89a-fA-F][0-9a-fA-F])/;
const BAD_HOST = /[ #%/?@\\^`{|}]/;
const BAD_ZONE_ESCAPE = /%(?:(?:[01][0-9a-fA-F])|2[3f]|3f|40|5[ce]|60|7[b-df])/i;
const PORT = /^(?::\d*)?$/;
const NOT_USER = /[^-A-Za-z0-9._:~!$&'()*+,;=%@]/;

/** What url.ParseRequestURI of Go accepts: an absolute URI, or an absolute path. */
export function isUri(text: string): boolean {
  if (text === '' || CONTROL.test(text)) return false;
  if (text === '*') return true;
  if (text.startsWith(':')) return false;
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  const afterScheme = text.slice(scheme.length);
  const query = afterScheme.indexOf('?');
  const rest = query < 0 ? afterScheme : afterScheme.slice(0, query);
  if (!rest.startsWith('/')) return scheme !== '';
  if (scheme === '' || !rest.startsWith('//')) return !BAD_ESCAPE.test(rest);
  const slash = rest.indexOf('/', 2);
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
  return isAuthority(authority, scheme.toLowerCase()) && (slash < 0 || !BAD_ESCAPE.test(rest.slice(slash)));
}

function isAuthority(authority: string, scheme: string): boolean {
  const offset = authority.lastIndexOf('@');
  const user = offset < 0 ? '' : authority.slice(0, offset);
  return isHost(authority.slice(offset + 1), scheme) && !NOT_USER.test(user) && isEscapedUser(user);
}

/** A name and a password are checked separately. */
function isEscapedUser(user: string): boolean {
  const colon = user.indexOf(':');
  const parts = colon < 0 ? [user] : [user.slice(0, colon), user.slice(colon + 1)];
  return parts.every((part) => !BAD_ESCAPE.test(part));
}

function isHost(host: string, scheme: string): boolean {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) return false;
  if (bracket === 0) return isLiteral(host);
  const isStrict = scheme === 'http:' || scheme === 'https:';
  const colon = isStrict ? host.indexOf(':') : host.lastIndexOf(':');
  return (colon < 0 || PORT.test(host.slice(colon))) && isHostText(host);
}

/** An IPv6 address in brackets, which may have a zone. */
function isLiteral(host: string): boolean {
  const end = host.lastIndexOf(']');
  if (end < 0 || !PORT.test(host.slice(end + 1))) return false;
  const name = host.slice(1, end);
  const zone = name.indexOf('%25');
  if (zone < 0) return isIPv6(name);
  const zoneText = name.slice(zone + 3);
  return isIPv6(name.slice(0, zone)) && zoneText !== '' && isZone(zoneText);
}

function isZone(zone: string): boolean {
  return !BAD_ESCAPE.test(zone) && !BAD_ZONE_ESCAPE.test(zone) && !BAD_HOST.test(zone.replaceAll('%', ''));
}

function isHostText(host: string): boolean {
  return !BAD_ESCAPE.test(host) && !BAD_HOST_ESCAPE.test(host) && !BAD_HOST.test(host.replaceAll('%', ''));
}
