import { badRequest } from '../status/errors.js';
import { parseInt64, parseRequirements, type Requirement } from './label-parser.js';

export type Labels = Readonly<Record<string, string>>;

export interface LabelSelector {
  /** True if the selector selects everything. */
  readonly empty: boolean;
  matches(labels: Labels): boolean;
  /** The labels, with their values, that every selected object has. */
  readonly required: readonly (readonly [key: string, value: string])[];
  /**
   * A canonical text: the same for selectors that differ only in white space or in the order of requirements and
   * values.
   */
  toString(): string;
}

const MAX_TEXT = 64 * 1024;
const MAX_REQUIREMENTS = 100;

/** Parses Kubernetes' labelSelector: requirements separated by commas, all of which must match. Throws 400. */
export function parseLabelSelector(text: string): LabelSelector {
  if (text.length > MAX_TEXT) throw badRequest(`the label selector is longer than ${MAX_TEXT} characters`);
  const requirements = parseRequirements(text);
  if (requirements.length > MAX_REQUIREMENTS) {
    throw badRequest(`the label selector has more than ${MAX_REQUIREMENTS} requirements`);
  }
  const tests = requirements.map(testOf);
  const canonical = requirements.map(textOf).sort().join(',');
  return {
    empty: tests.length === 0,
    matches: (labels) => tests.every((test) => test(labels)),
    required: requirements.flatMap(requiredBy),
    toString: () => canonical,
  };
}

function requiredBy({ key, operator, values }: Requirement): readonly (readonly [string, string])[] {
  const [value, ...others] = new Set(values);
  const isOne = operator === '=' || operator === '==' || operator === 'in';
  return isOne && value !== undefined && others.length === 0 ? [[key, value]] : [];
}

/** `!=`, `notin` and `!` match an object without the label; the others do not. */
function testOf({ key, operator, values }: Requirement): (labels: Labels) => boolean {
  const set = new Set(values);
  switch (operator) {
    case 'exists':
      return (labels) => Object.hasOwn(labels, key);
    case '!':
      return (labels) => !Object.hasOwn(labels, key);
    case '=':
    case '==':
    case 'in':
      return (labels) => Object.hasOwn(labels, key) && set.has(labels[key] ?? '');
    case '!=':
    case 'notin':
      return (labels) => !Object.hasOwn(labels, key) || !set.has(labels[key] ?? '');
    case '>':
      return compares(key, values[0], (label, bound) => label > bound);
    case '<':
      return compares(key, values[0], (label, bound) => label < bound);
  }
}

function compares(
  key: string,
  value = '',
  holds: (label: bigint, bound: bigint) => boolean,
): (labels: Labels) => boolean {
  const bound = parseInt64(value) ?? 0n;
  return (labels) => {
    const label = Object.hasOwn(labels, key) ? parseInt64(labels[key] ?? '') : undefined;
    return label !== undefined && holds(label, bound);
  };
}

function textOf({ key, operator, values }: Requirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${[...new Set(values)].sort().join(',')})`;
    default:
      return `${key}${operator}${values[0] ?? ''}`;
  }
}
