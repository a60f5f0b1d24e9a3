/** One clause of an Accept header: `application/json;as=Table;v=v1;g=meta.k8s.io;q=0.9`. */
export interface MediaRange {
  /** In lower case; `*` matches any. */
  readonly type: string;
  readonly subtype: string;
  /** Without `q`; the names are in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/** More clauses than clients send. Further clauses are ignored. */
const MAX_CLAUSES = 32;

/**
 * Returns the clauses in the client's order of preference, without malformed clauses and those with q=0. An absent
 * header accepts anything. By hand because Kubernetes' clients choose a representation by parameters (`as=Table`).
 * `negotiator` compares parameters only as a whole, with a list of all values.
 */
export function parseAccept(header: string | undefined): readonly MediaRange[] {
  if (header === undefined || header.trim() === '') return parseAccept('*/*');
  return splitOutsideQuotes(header, ',')
    .slice(0, MAX_CLAUSES)
    .map(parseRange)
    .filter((range) => range !== undefined)
    .filter((range) => range.quality > 0)
    .sort((a, b) => b.quality - a.quality || specificity(b) - specificity(a));
}

export function matches(range: MediaRange, type: string, subtype: string): boolean {
  return (range.type === '*' || range.type === type) && (range.subtype === '*' || range.subtype === subtype);
}

/** Whether the clause accepts Kubernetes' protobuf. As in Kubernetes, `application/*` does not: it is JSON. */
export function isProtobufRange({ type, subtype }: MediaRange): boolean {
  return type === 'application' && subtype === 'vnd.kubernetes.protobuf';
}

function parseRange(clause: string): MediaRange | undefined {
  const [essence = '', ...pairs] = splitOutsideQuotes(clause, ';').map((part) => part.trim());
  const media = /^([^/\s]+)\/([^/\s]+)$/.exec(essence.toLowerCase());
  if (media?.[1] === undefined || media[2] === undefined) return undefined;
  const parameters = new Map(pairs.filter((pair) => pair !== '').map(parseParameter));
  const quality = Number(parameters.get('q') ?? '1');
  parameters.delete('q');
  if (!(quality >= 0 && quality <= 1)) return undefined;
  return { type: media[1], subtype: media[2], parameters, quality };
}

function parseParameter(pair: string): [string, string] {
  const equals = pair.indexOf('=');
  if (equals < 0) return [pair.toLowerCase(), ''];
  const value = pair.slice(equals + 1).trim();
  const unquoted = /^"(.*)"$/.exec(value)?.[1]?.replaceAll(/\\(.)/g, '$1');
  return [pair.slice(0, equals).trim().toLowerCase(), unquoted ?? value];
}

function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (quoted && text[at] === '\\') at += 1;
    else if (text[at] === '"') quoted = !quoted;
    else if (!quoted && text[at] === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

function specificity(range: MediaRange): number {
  if (range.type === '*') return 0;
  return range.subtype === '*' ? 1 : 2;
}
