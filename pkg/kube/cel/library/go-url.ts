/** A URL as Go's net/url reads it. */
export interface GoUrl {
  readonly scheme: string;
  readonly user: string | undefined;
  readonly host: string;
  /** With escapes. */
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
  readonly opaque: string;
}

/** Why a text is no URL, in Go's words. */
export interface UrlProblem {
  readonly problem: string;
}

export function isUrlProblem(value: GoUrl | UrlProblem): value is UrlProblem {
  return 'problem' in value;
}

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const ESCAPE = /%(?![0-9a-fA-F]{2}).{0,2}/s;
const PORT = /^(?::\d*)?$/;
/** What needs no escape in a path: RFC 3986, section 3.3. */
const PATH = /^[A-Za-z0-9\-_.~!$&'()*+,;=:@/[\]%]*$/;

/** The URL of a request: absolute, or an absolute path. */
export function parseUrl(text: string): GoUrl | UrlProblem {
  const hash = text.indexOf('#');
  const whole = parse(text);
  if (hash < 0 || isUrlProblem(whole)) return whole;
  const url = parse(text.slice(0, hash));
  return isUrlProblem(url) ? url : { ...url, fragment: text.slice(hash + 1) };
}

function fail(text: string, message: string): UrlProblem {
  return { problem: `parse ${JSON.stringify(text)}: ${message}` };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused.
const CONTROL = /[\x00-\x1f\x7f]/;

function parse(text: string): GoUrl | UrlProblem {
  if (CONTROL.test(text)) return fail(text, 'net/url: invalid control character in URL');
  if (text === '') return fail(text, 'empty url');
  if (text.startsWith(':')) return fail(text, 'missing protocol scheme');
  const scheme = SCHEME.exec(text)?.[0].slice(0, -1).toLowerCase() ?? '';
  const [rest = '', query = ''] = cut(text.slice(scheme === '' ? 0 : scheme.length + 1), '?');
  const empty = { scheme, user: undefined, host: '', path: '', query, fragment: '', opaque: '' };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...empty, opaque: rest };
    return rest === '*' ? { ...empty, path: rest } : fail(text, 'invalid URI for request');
  }
  if (scheme === '' || !rest.startsWith('//')) return withPath(text, empty, rest);
  const slash = rest.indexOf('/', 2);
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
  const offset = authority.lastIndexOf('@');
  const host = authority.slice(offset + 1);
  const problem = hostProblem(host);
  if (problem !== undefined) return fail(text, problem);
  const user = offset < 0 ? undefined : authority.slice(0, offset);
  if (user !== undefined && !/^[A-Za-z0-9\-_.~!$&'()*+,;=:%@]*$/.test(user))
    return fail(text, 'net/url: invalid userinfo');
  return withPath(text, { ...empty, user, host }, slash < 0 ? '' : rest.slice(slash));
}

function cut(text: string, mark: string): readonly string[] {
  const offset = text.indexOf(mark);
  return offset < 0 ? [text] : [text.slice(0, offset), text.slice(offset + 1)];
}

function withPath(text: string, url: GoUrl, path: string): GoUrl | UrlProblem {
  const wrong = ESCAPE.exec(path)?.[0];
  if (wrong !== undefined) return fail(text, `invalid URL escape ${JSON.stringify(wrong)}`);
  return { ...url, path: PATH.test(path) ? path : escaped(path) };
}

/** Reads the escapes of the path, and then escapes what needs it. */
function escaped(path: string): string {
  const bytes = Buffer.from(path);
  let text = '';
  for (let i = 0; i < bytes.length; i++) {
    let byte = bytes[i] ?? 0;
    if (byte === 0x25) {
      byte = Number.parseInt(bytes.subarray(i + 1, i + 3).toString('latin1'), 16);
      i += 2;
    }
    const c = String.fromCharCode(byte);
    text += /[A-Za-z0-9\-_.~$&+,/:;=@]/.test(c) ? c : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return text;
}

function hostProblem(host: string): string | undefined {
  const close = host.lastIndexOf(']');
  if (host.startsWith('[')) {
    if (close < 0) return "missing ']' in host";
    const port = host.slice(close + 1);
    return PORT.test(port) ? undefined : `invalid port ${JSON.stringify(port)} after host`;
  }
  const colon = host.lastIndexOf(':');
  const port = colon < 0 ? '' : host.slice(colon);
  if (!PORT.test(port)) return `invalid port ${JSON.stringify(port)} after host`;
  const wrong = /[\s"<>\\^`{|}[\]#/?]/.exec(host)?.[0];
  if (wrong !== undefined) return `invalid character ${JSON.stringify(wrong)} in host name`;
  const wrongEscape = ESCAPE.exec(host)?.[0] ?? /%[0-7][0-9a-fA-F]/.exec(host)?.[0];
  return wrongEscape === undefined ? undefined : `invalid URL escape ${JSON.stringify(wrongEscape)}`;
}

/** The host without its port and its brackets. */
export function hostname({ host }: GoUrl): string {
  if (host.startsWith('[')) return host.slice(1, host.lastIndexOf(']'));
  const colon = host.lastIndexOf(':');
  return colon < 0 ? host : host.slice(0, colon);
}

export function port({ host }: GoUrl): string {
  const rest = host.startsWith('[') ? host.slice(host.lastIndexOf(']') + 1) : host;
  const colon = rest.lastIndexOf(':');
  return colon < 0 ? '' : rest.slice(colon + 1);
}

/** The values of each name of the query. What cannot be read is left out. */
export function queryOf({ query }: GoUrl): ReadonlyMap<string, readonly string[]> {
  const parameters = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const [name = '', value = ''] = cut(pair, '=').map(unescaped);
    if (name === undefined || value === undefined) continue;
    const values = parameters.get(name) ?? [];
    values.push(value);
    parameters.set(name, values);
  }
  return parameters;
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
