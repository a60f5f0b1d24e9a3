import { compareStrings } from '../values/compare.js';
import { isDict } from '../values/dict.js';
import { valuesOf } from '../values/list.js';
import { type Meter, work, workOnText } from '../values/meter.js';
import { typeNameOf } from '../values/type-name.js';
import { CelError, type Dict, Duration, List, Timestamp, TypeValue, Uint, type Value } from '../values/value.js';
import { durationText, toText } from './conversions.js';
import { clausesOf, FormatProblem, typeProblem } from './format-clauses.js';

const DEFAULT_PRECISION = 6;
/** A double has fewer digits, and more would take too long. */
const MAX_PRECISION = 100;
/** The steps that a clause takes, and each value in a list or a map. Costs do not count them. */
const CLAUSE = 5;
const ELEMENT = 20;

/** `format.format(values)` */
export function formatText(format: string, values: List, meter: Meter): Value {
  let next = 0;
  try {
    const parts = clausesOf(format, values.size).map((clause) => {
      if ('text' in clause) return clause.text;
      return clauseText(clause.verb, clause.precision, values.get(next++), meter);
    });
    return parts.join('');
  } catch (error) {
    if (error instanceof FormatProblem) return new CelError(error.message);
    throw error;
  }
}

function clauseText(verb: string, precision: number | undefined, value: Value, meter: Meter): string {
  work(meter, CLAUSE);
  const digits = Math.min(precision ?? DEFAULT_PRECISION, MAX_PRECISION);
  switch (verb) {
    case 's':
      return stringText(value, meter);
    case 'f':
      return fixedText(doubleOf(verb, value), digits);
    case 'e':
      return scientificText(doubleOf(verb, value), digits);
    case 'x':
    case 'X':
      return hexText(verb, value, meter);
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : intOf(verb, value).toString(2);
    case 'o':
      return intOf(verb, value).toString(8);
    default:
      return intOf(verb, value).toString();
  }
}

function intOf(verb: string, value: Value): bigint {
  if (typeof value === 'bigint') return value;
  if (value instanceof Uint) return value.value;
  throw typeProblem(verb, typeNameOf(value));
}

function doubleOf(verb: string, value: Value): number {
  if (typeof value === 'number') return value;
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value);
  throw typeProblem(verb, typeNameOf(value));
}

/** With commas between thousands, as Go prints numbers in English. */
function fixedText(value: number, digits: number): string {
  if (!Number.isFinite(value)) return specialText(value);
  return fixedFormat(digits).format(value);
}

/** To make one takes a hundred times longer than to use it. */
const fixedFormats = new Map<number, Intl.NumberFormat>();

function fixedFormat(digits: number): Intl.NumberFormat {
  const known = fixedFormats.get(digits);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  fixedFormats.set(digits, made);
  return made;
}

function specialText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '∞' : '-∞';
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function scientificText(value: number, digits: number): string {
  if (!Number.isFinite(value)) return specialText(value);
  const [mantissa = '', power = ''] = value.toExponential(digits).split('e');
  const exponent = power.replace(/[+-]/, '').padStart(2, '0');
  const raised = [...exponent].map((digit) => SUPERSCRIPTS[Number(digit)]).join('');
  return `${mantissa}×10${power.startsWith('-') ? '⁻' : ''}${raised}`;
}

function hexText(verb: string, value: Value, meter: Meter): string {
  const isBytes = typeof value === 'string' || value instanceof Uint8Array;
  if (isBytes) workOnText(meter, value.length);
  const text = isBytes ? Buffer.from(value).toString('hex') : intOf(verb, value).toString(16);
  return verb === 'X' ? text.toUpperCase() : text;
}

function stringText(value: Value, meter: Meter): string {
  if (value instanceof List) return listText(value, meter);
  if (isDict(value)) return dictText(value, meter);
  if (value === null) return 'null';
  if (value instanceof TypeValue) return value.name;
  if (typeof value === 'string' || value instanceof Uint8Array) workOnText(meter, value.length);
  const text = isPrintable(value) ? toText(value) : undefined;
  if (typeof text !== 'string') throw typeProblem('s', typeNameOf(value));
  return text;
}

function isPrintable(value: Value): boolean {
  if (typeof value !== 'object') return true;
  return (
    value instanceof Uint || value instanceof Uint8Array || value instanceof Timestamp || value instanceof Duration
  );
}

function listText(list: List, meter: Meter): string {
  work(meter, ELEMENT * list.size);
  return `[${valuesOf(list)
    .map((value) => innerText(value, meter))
    .join(', ')}]`;
}

function dictText(dict: Dict, meter: Meter): string {
  work(meter, ELEMENT * (1 + 4 * dict.size));
  const pairs = dict.keys().map((key) => [innerText(key, meter), innerText(dict.find(key) ?? null, meter)] as const);
  const sorted = pairs.sort(([a], [b]) => compareStrings(a, b));
  return `{${sorted.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}

/** Values in lists and maps are printed as CEL would read them. */
function innerText(value: Value, meter: Meter): string {
  if (typeof value === 'string') {
    workOnText(meter, value.length);
    return JSON.stringify(value);
  }
  if (value instanceof Uint8Array) return `b${JSON.stringify(stringText(value, meter))}`;
  if (typeof value === 'number')
    return Number.isFinite(value) ? value.toFixed(DEFAULT_PRECISION) : JSON.stringify(goWord(value));
  if (value instanceof Timestamp) return `timestamp(${JSON.stringify(toText(value))})`;
  if (value instanceof Duration) return `duration(${JSON.stringify(durationText(value))})`;
  return stringText(value, meter);
}

function goWord(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}
