/** A part of a format: text, or how a value is printed. */
export type Clause = { readonly text: string } | { readonly verb: string; readonly precision: number | undefined };

/** A format cannot be read. The words are those of cel-go. */
export class FormatProblem extends Error {}

const VERBS = 'sdfebxXo';

/** The parts of the format. Throws FormatProblem if it is wrong, or has more clauses than there are values. */
export function clausesOf(format: string, values: number): readonly Clause[] {
  const clauses: Clause[] = [];
  let next = 0;
  let rest = 0;
  for (let at = format.indexOf('%'); at >= 0; at = format.indexOf('%', rest)) {
    clauses.push({ text: format.slice(rest, at) });
    if (format[at + 1] === '%') {
      clauses.push({ text: '%' });
      rest = at + 2;
      continue;
    }
    if (next >= values) throw new FormatProblem(`index ${next} out of range`);
    if (at + 1 >= format.length) throw new FormatProblem('unexpected end of string');
    const { verb, precision, end } = clauseAt(format, at + 1);
    clauses.push({ verb, precision });
    rest = end;
    next++;
  }
  clauses.push({ text: format.slice(rest) });
  return clauses;
}

function clauseAt(
  format: string,
  start: number,
): { readonly verb: string; readonly precision: number | undefined; readonly end: number } {
  let end = start;
  let precision: number | undefined;
  if (format[end] === '.') {
    do end++;
    while (/\d/.test(format[end] ?? ''));
    if (end >= format.length)
      throw clauseProblem('error while parsing precision: could not find end of precision specifier');
    const digits = format.slice(start + 1, end);
    precision = Number(digits);
    if (digits === '') {
      const text =
        'error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax';
      throw clauseProblem(text);
    }
  }
  const verb = String.fromCodePoint(format.codePointAt(end) ?? 0);
  if (!VERBS.includes(verb)) throw clauseProblem(`unrecognized formatting clause "${verb}"`);
  return { verb, precision, end: end + 1 };
}

function clauseProblem(message: string): FormatProblem {
  return new FormatProblem(`could not parse formatting clause: ${message}`);
}

const NAMES: Readonly<Record<string, string>> = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  d: 'decimal clause can only be used on integers',
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
  b: 'only integers and bools can be formatted as binary',
  x: 'only integers, byte buffers, and strings can be formatted as hex',
  X: 'only integers, byte buffers, and strings can be formatted as hex',
  o: 'octal clause can only be used on integers',
};

export function typeProblem(verb: string, type: string): FormatProblem {
  return new FormatProblem(`error during formatting: ${NAMES[verb]}, was given ${type}`);
}
