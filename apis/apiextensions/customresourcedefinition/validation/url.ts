import { isIPv6 } from 'node:net';
import { quoted } from '../../../../pkg/kube/structural/go-text.js';

/** The parts of an address, as Kubernetes parses it. Parts that are missing are empty. */
export interface AddressParts {
  readonly scheme: string;
  readonly host: string;
  /** `undefined` without one. */
  readonly user: string | undefined;
  readonly query: string;
  readonly fragment: string;
}

export interface NoAddress {
  readonly problem: string;
}

const NOTHING: AddressParts = { scheme: '', host: '', user: undefined, query: '', fragment: '' };

/** An address that may have a fragment, and need not be absolute. */
export function parsedUrl(text: string): AddressParts | NoAddress {
  const [address, fragment] = cut(text, '#');
  const parts = parsed(address, false);
  if ('problem' in parts) return { problem: `parse ${quoted(address)}: ${parts.problem}` };
  const wrong = escapeProblem(fragment);
  return wrong === undefined ? { ...parts, fragment } : { problem: `parse ${quoted(text)}: ${wrong}` };
}

/** Whether the text has a scheme and a host, as an address in a request. */
export function isAbsoluteUrl(text: string): boolean {
  const parts = parsed(text, true);
  return !('problem' in parts) && parts.scheme !== '' && parts.host !== '';
}

function cut(text: string, separator: string): readonly [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function parsed(text: string, isRequest: boolean): AddressParts | NoAddress {
  if (hasControl(text)) return { problem: 'net/url: invalid control character in URL' };
  if (text === '' && isRequest) return { problem: 'empty url' };
  if (text === '*') return NOTHING;
  if (text.startsWith(':')) return { problem: 'missing protocol scheme' };
  const scheme = /^[A-Za-z][-+.A-Za-z0-9]*(?=:)/.exec(text)?.[0] ?? '';
  const [rest, query] = cut(scheme === '' ? text : text.slice(scheme.length + 1), '?');
  const parts = { ...NOTHING, scheme: scheme.toLowerCase(), query };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return parts;
    if (isRequest) return { problem: 'invalid URI for request' };
    const [segment] = cut(rest, '/');
    if (segment.includes(':')) return { problem: 'first path segment in URL cannot contain colon' };
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || (!isRequest && !rest.startsWith('///')));
  if (!hasAuthority) return withPath(parts, rest);
  const end = rest.indexOf('/', 2);
  const path = end < 0 ? '' : rest.slice(end);
  return withAuthority(parts, end < 0 ? rest.slice(2) : rest.slice(2, end), path);
}

function withPath(parts: AddressParts, path: string): AddressParts | NoAddress {
  const problem = escapeProblem(path);
  return problem === undefined ? parts : { problem };
}

function withAuthority(parts: AddressParts, authority: string, path: string): AddressParts | NoAddress {
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  const user = at < 0 ? undefined : authority.slice(0, at);
  const problem = hostProblem(host) ?? (user === undefined ? undefined : userProblem(user));
  return problem === undefined ? withPath({ ...parts, host, user }, path) : { problem };
}

function userProblem(user: string): string | undefined {
  return /^[-A-Za-z0-9._:~!$&'()*+,;=%@]*$/.test(user) ? escapeProblem(user) : 'net/url: invalid userinfo';
}

function hostProblem(host: string): string | undefined {
  const open = host.lastIndexOf('[');
  if (open > 0) return 'invalid IP-literal';
  const close = host.lastIndexOf(']');
  if (open === 0 && close < 0) return "missing ']' in host";
  const start = open === 0 ? close + 1 : host.indexOf(':');
  const port = start < 0 ? '' : host.slice(start);
  if (!/^(?::[0-9]*)?$/.test(port)) return `invalid port ${quoted(port)} after host`;
  if (open < 0) return hostEscapeProblem(host);
  const name = host.slice(1, close);
  return isIPv6(name.replace('%25', '%')) ? undefined : `invalid host: ParseAddr(${quoted(name)}): unable to parse IP`;
}

function hostEscapeProblem(host: string): string | undefined {
  for (let i = 0; i < host.length; i++) {
    const char = host[i] ?? '';
    if (char === '%') {
      const three = host.slice(i, i + 3);
      if (!/^%(?:25|[89A-Fa-f][0-9A-Fa-f])$/.test(three)) return `invalid URL escape ${quoted(three)}`;
    } else if (char.charCodeAt(0) < 0x80 && !/[-A-Za-z0-9._~!$&'()*+,;=:[\]<>"]/.test(char)) {
      return `invalid character ${quoted(char)} in host name`;
    }
  }
  return undefined;
}

/** The problem with the first invalid escape. */
function escapeProblem(text: string): string | undefined {
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 3)) {
    const three = text.slice(at, at + 3);
    if (!/^%[0-9A-Fa-f]{2}$/.test(three)) return `invalid URL escape ${quoted(three)}`;
  }
  return undefined;
}
