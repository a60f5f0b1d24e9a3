import { z } from 'zod';
import { arrayOf } from '../../../../pkg/kube/meta/bounded.js';
import { plainFailure } from '../../../../registry/legacy/errors.js';

const MOST_INPUTS = 1000;
/** The most characters of all values that are filled in. A short placeholder may stand for a long value many times. */
const MOST_FILLED = 4 * 2 ** 20;
/** A placeholder counts as so many characters at least, also if it is no input, because each takes time. */
const LEAST_FILLED = 64;

/** The values of the placeholders in an exported dashboard, such as `${DS_METRICS}`. */
export const Inputs = arrayOf(
  z.object({ name: z.string().max(200), type: z.string().max(200).nullish(), value: z.string().max(10_000).nullish() }),
  MOST_INPUTS,
);
export type Inputs = z.infer<typeof Inputs>;

const PLACEHOLDER = /\$\{([\w-]+)\}/g;
/** The members of an exported dashboard that are about its export. */
const OF_EXPORT = ['__inputs', '__requires'];

export interface Filled {
  readonly dashboard: Readonly<Record<string, unknown>>;
  /** The names of inputs that the dashboard neither declares nor has a placeholder for. */
  readonly unused: readonly string[];
}

/**
 * The dashboard and its library elements with the inputs filled in. Throws 400 if the dashboard declares an input that
 * is not given, and if one is given with two values.
 */
export function filledIn(dashboard: Readonly<Record<string, unknown>>, inputs: Inputs): Filled {
  const values = new Map(inputs.map(({ name, value }) => [name, value ?? '']));
  const twice = inputs.find(({ name, value }) => values.get(name) !== (value ?? ''));
  if (twice !== undefined) throw plainFailure(400, `Dashboard input with two values: ${twice.name.slice(0, 100)}`);
  const declared = declaredIn(dashboard);
  for (const name of declared) {
    if (!values.has(name)) throw plainFailure(400, `Dashboard input missing: ${name.slice(0, 100)}`);
  }
  const own = Object.entries(dashboard).filter(([name]) => !OF_EXPORT.includes(name));
  const filling = new Filling(values);
  const filled = filling.members(own);
  const used = new Set([...declared, ...filling.used]);
  return { dashboard: filled, unused: [...values.keys()].filter((name) => !used.has(name)) };
}

function declaredIn(dashboard: Readonly<Record<string, unknown>>): readonly string[] {
  const declared = dashboard['__inputs'];
  if (!Array.isArray(declared)) return [];
  return declared
    .map((input: unknown) => (input as { readonly name?: unknown } | null)?.name)
    .filter((name) => typeof name === 'string');
}

/**
 * Replaces the placeholders in the texts of a value. Other values, and placeholders that are no inputs, stay as they
 * are.
 */
class Filling {
  readonly #values: ReadonlyMap<string, string>;
  #filled = 0;
  readonly used = new Set<string>();

  constructor(values: ReadonlyMap<string, string>) {
    this.#values = values;
  }

  members(entries: readonly (readonly [string, unknown])[]): Readonly<Record<string, unknown>> {
    return Object.fromEntries(entries.map(([name, member]) => [name, this.#value(member)]));
  }

  #value(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((element: unknown) => this.#value(element));
    return typeof value === 'object' && value !== null ? this.members(Object.entries(value)) : value;
  }

  /** Not by `replace`, which finds all placeholders before it asks for the first value. */
  #text(text: string): string {
    let [filled, end] = ['', 0];
    for (const { index, 0: placeholder, 1: name = '' } of text.matchAll(PLACEHOLDER)) {
      filled += text.slice(end, index) + (this.#filling(name) ?? placeholder);
      end = index + placeholder.length;
    }
    return filled + text.slice(end);
  }

  #filling(name: string): string | undefined {
    const value = this.#values.get(name);
    if (value !== undefined) this.used.add(name);
    this.#filled += Math.max(value?.length ?? 0, LEAST_FILLED);
    if (this.#filled > MOST_FILLED) throw plainFailure(413, 'the dashboard is too large with its inputs filled in');
    return value;
  }
}
