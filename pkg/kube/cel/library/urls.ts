import { dictOf } from '../values/dict.js';
import { listOf } from '../values/list.js';
import { type Meter, work } from '../values/meter.js';
import { typeNameOf } from '../values/type-name.js';
import { CelError, Opaque, type Value } from '../values/value.js';
import { define, type FunctionDef } from './declare.js';
import { type GoUrl, hostname, isUrlProblem, parseUrl, port, queryOf } from './go-url.js';

function overloadError(name: string, args: readonly Value[]): CelError {
  return new CelError(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`);
}

function urlValue(text: string, meter: Meter): Value {
  work(meter, text.length / SPEED);
  const url = parseUrl(text);
  if (isUrlProblem(url)) return new CelError(`URL parse error during conversion from string: ${url.problem}`);
  const { scheme, user, host, path, query, fragment, opaque } = url;
  return new Opaque('kubernetes.URL', url, JSON.stringify([scheme, user, host, path, query, fragment, opaque]));
}

/** The steps to read a URL, and the characters of it that are read in one more. */
const URL_WORK = 10;
const SPEED = 2;

function isUrl(args: readonly Value[], meter: Meter): Value {
  const [text] = args;
  if (typeof text !== 'string') return overloadError('isURL', args);
  work(meter, URL_WORK + text.length / SPEED);
  return !isUrlProblem(parseUrl(text));
}

function ofUrl(name: string, id: string, result: string, call: (url: GoUrl, meter: Meter) => Value): FunctionDef {
  return define(name, [`${id}: url.() -> ${result}`], (args, meter) => {
    const [value] = args;
    if (!(value instanceof Opaque) || value.type !== 'kubernetes.URL') return overloadError(name, args);
    return call(value.content as GoUrl, meter);
  });
}

function query(url: GoUrl, meter: Meter): Value {
  work(meter, URL_WORK + url.query.length / SPEED);
  return dictOf([...queryOf(url)].map(([name, values]) => [name, listOf(values)]));
}

export const URLS: readonly FunctionDef[] = [
  define('url', ['string_to_url: (string) -> url'], (args, meter) =>
    typeof args[0] === 'string' ? urlValue(args[0], meter) : overloadError('url', args),
  ),
  define('isURL', ['is_url_string: (string) -> bool'], isUrl),
  ofUrl('getScheme', 'url_get_scheme', 'string', ({ scheme }) => scheme),
  ofUrl('getHost', 'url_get_host', 'string', ({ host }) => host),
  ofUrl('getHostname', 'url_get_hostname', 'string', hostname),
  ofUrl('getPort', 'url_get_port', 'string', port),
  ofUrl('getEscapedPath', 'url_get_escaped_path', 'string', ({ path }) => path),
  ofUrl('getQuery', 'url_get_query', 'map(string, list(string))', query),
];
