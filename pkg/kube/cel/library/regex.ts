import { RE2JS } from 're2js';
import { listOf } from '../values/list.js';
import { type Meter, work } from '../values/meter.js';
import { typeNameOf } from '../values/type-name.js';
import { CelError, type Value } from '../values/value.js';
import { define, type FunctionDef } from './declare.js';

/** A pattern of RE2. It takes time that is linear in the text. */
export interface Pattern {
  test(text: string): boolean;
  /** The parts that match, and no more than `limit` of them if that is not negative. */
  find(text: string, limit: number, meter: Meter): readonly string[];
}

/** Throws an Error with Go's words if it is not a pattern. */
export function compilePattern(source: string): Pattern {
  const compiled = RE2JS.compile(source);
  return {
    test: (text) => compiled.matcher(text).find(),
    find: (text, limit, meter) => findAll(compiled, text, limit, meter),
  };
}

/** Steps that finding one match takes, beside those for the text. */
const MATCH = 5;

function findAll(compiled: RE2JS, text: string, limit: number, meter: Meter): readonly string[] {
  const results: string[] = [];
  const matcher = compiled.matcher(text);
  while (results.length !== limit && matcher.find()) {
    work(meter, MATCH);
    results.push(matcher.group() ?? '');
  }
  return results;
}

/** Uses a pattern that an expression computes. */
function withPattern(source: string, prefix: string, use: (pattern: Pattern) => Value): Value {
  let pattern: Pattern;
  try {
    pattern = compilePattern(source);
  } catch (error) {
    return new CelError(`${prefix}${error instanceof Error ? error.message : ''}`);
  }
  return use(pattern);
}

function overloadError(name: string, args: readonly Value[]): CelError {
  return new CelError(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`);
}

/** What a function does with a text and a pattern. */
export type PatternUse = (pattern: Pattern, text: string, rest: readonly Value[], meter: Meter) => Value;

/** The functions whose second argument is a pattern. If it is a literal, it is compiled once. */
export const PATTERN_USES: ReadonlyMap<string, PatternUse> = new Map<string, PatternUse>([
  ['matches', (pattern, text) => pattern.test(text)],
  ['find', (pattern, text, _, meter) => pattern.find(text, 1, meter)[0] ?? ''],
  [
    'findAll',
    (pattern, text, [limit], meter) =>
      listOf(pattern.find(text, typeof limit === 'bigint' ? Number(limit) : -1, meter)),
  ],
]);

function call(name: string, prefix: string) {
  return (args: readonly Value[], meter: Meter): Value => {
    const [text, source, ...rest] = args;
    const use = PATTERN_USES.get(name);
    if (typeof text !== 'string' || typeof source !== 'string' || use === undefined) return overloadError(name, args);
    // Compiling a pattern takes much longer than its cost says.
    work(meter, 200 + 4 * source.length + text.length / 2);
    return withPattern(source, prefix, (pattern) => use(pattern, text, rest, meter));
  };
}

export const REGEX: readonly FunctionDef[] = [
  define(
    'matches',
    ['matches: (string, string) -> bool', 'matches_string: string.(string) -> bool'],
    call('matches', ''),
  ),
  define('find', ['string_find_string: string.(string) -> string'], call('find', 'Illegal regex: ')),
  define(
    'findAll',
    [
      'string_find_all_string: string.(string) -> list(string)',
      'string_find_all_string_int: string.(string, int) -> list(string)',
    ],
    call('findAll', 'Illegal regex: '),
  ),
];
