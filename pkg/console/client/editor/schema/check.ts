import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import { compareNumbers, isNumber } from '../../../../kube/json/exact.js';
import { type Parsed, type Problem, syntaxProblems } from '../yaml.js';
import { isOpen, type KindSchema, type SchemaNode } from './openapi.js';

/** The most problems that are found. */
const MOST = 200;

/** The type that the object must have. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
}

interface Checking {
  readonly schema: KindSchema;
  readonly problems: Problem[];
}

/** The problems of a text: its syntax errors, or the fields that do not fit the schema. */
export function check(document: Parsed, schema: KindSchema | undefined, identity: Identity): readonly Problem[] {
  const { contents } = document;
  const wrongSyntax = syntaxProblems(document);
  // After a syntax error, the fields are only guessed.
  if (wrongSyntax.length > 0) return wrongSyntax.slice(0, MOST);
  if (!isMap<Node, Node | null>(contents))
    return [{ from: 0, to: 0, message: 'The text is no object: it has no fields.' }];
  const problems: Problem[] = [];
  for (const [name, expected] of Object.entries(identity)) {
    const pair = contents.items.find(({ key }) => isScalar(key) && key.value === name);
    const value = isScalar(pair?.value) ? pair.value.value : undefined;
    if (value === expected) continue;
    const message = pair === undefined ? `Missing: ${name}: ${expected}` : `${name} must be ${expected}.`;
    problems.push({ ...rangeOf(pair?.value ?? pair?.key), message });
  }
  if (schema !== undefined) checkNode({ schema, problems }, contents, schema.root, undefined);
  return problems.slice(0, MOST);
}

function rangeOf(node: Node | null | undefined): { readonly from: number; readonly to: number } {
  return { from: node?.range?.[0] ?? 0, to: node?.range?.[1] ?? 0 };
}

/** Fields that are missing in the node are reported at `key`. */
function checkNode(checking: Checking, node: Node | null, given: SchemaNode, key: Node | undefined): void {
  const { schema, problems } = checking;
  if (problems.length > MOST || node === null || isAlias(node)) return;
  const part = schema.whole(given);
  if (isMap<Node, Node | null>(node)) checkMap(checking, node, part, key);
  else if (isSeq<Node>(node)) checkList(checking, node, part);
  else if (isScalar(node)) {
    const message = wrongScalar(node, part);
    if (message !== undefined) problems.push({ ...rangeOf(node), message });
  }
}

function checkMap(checking: Checking, map: YAMLMap<Node, Node | null>, part: SchemaNode, key: Node | undefined): void {
  const { schema, problems } = checking;
  if (part.type !== undefined && part.type !== 'object') {
    problems.push({ ...rangeOf(key ?? map.items[0]?.key), message: `Expected ${part.type}, but this is an object.` });
    return;
  }
  const present = new Set<string>();
  for (const pair of map.items) {
    const name = nameOf(pair);
    if (name === undefined) continue;
    present.add(name);
    const its = schema.child(part, name);
    if (its !== undefined) checkNode(checking, pair.value, its, pair.key);
    else if (!isOpen(part) && !isEmbedded(part, name))
      problems.push({ ...rangeOf(pair.key), message: `Unknown field: ${name}` });
  }
  for (const name of part.required ?? [])
    if (!present.has(name)) problems.push({ ...rangeOf(key), message: `Missing: ${name}` });
}

function nameOf({ key }: Pair<Node, Node | null>): string | undefined {
  return isScalar(key) ? String(key.value) : undefined;
}

function isEmbedded(part: SchemaNode, name: string): boolean {
  return part['x-kubernetes-embedded-resource'] === true && ['apiVersion', 'kind', 'metadata'].includes(name);
}

function checkList(checking: Checking, list: YAMLSeq<Node>, part: SchemaNode): void {
  const { problems } = checking;
  const { type, items, maxItems = Number.POSITIVE_INFINITY } = part;
  const start = rangeOf(list).from;
  if (type !== undefined && type !== 'array')
    problems.push({ from: start, to: start + 1, message: `Expected ${type}, but this is a list.` });
  else if (list.items.length > maxItems)
    problems.push({ from: start, to: start + 1, message: `At most ${maxItems} items are allowed.` });
  if (items !== undefined) for (const item of list.items) checkNode(checking, item, items, undefined);
}

/** Why a scalar does not fit. Empty values are left to the server. */
function wrongScalar({ value }: Scalar, part: SchemaNode): string | undefined {
  if (value === null || value === undefined) return undefined;
  const { type, enum: values } = part;
  if (values !== undefined && !values.includes(value))
    return `Must be one of: ${values.map((one) => JSON.stringify(one)).join(', ')}`;
  const actual = typeof value === 'bigint' ? 'number' : typeof value;
  if (part['x-kubernetes-int-or-string'] === true)
    return actual === 'string' || typeof value === 'bigint' || Number.isInteger(value)
      ? undefined
      : 'Expected integer or string.';
  if (type === 'array' || type === 'object')
    return value === '' ? undefined : `Expected ${type}, but this is a ${actual}.`;
  if (type === 'string' && actual !== 'string') return `Expected string, but this is a ${actual}. Put it in quotes.`;
  if (type === 'boolean' && actual !== 'boolean') return `Expected true or false, but this is a ${actual}.`;
  if (type === 'number' && actual !== 'number') return `Expected number, but this is a ${actual}.`;
  if (type === 'integer' && !Number.isInteger(Number(value))) return 'Expected a whole number.';
  if (type === 'integer' && actual === 'string') return 'Expected a whole number, but this is a string.';
  return typeof value === 'string'
    ? wrongText(value, part)
    : wrongNumber(isNumber(value) ? value : Number(value), part);
}

function wrongText(value: string, { minLength = 0, maxLength, pattern }: SchemaNode): string | undefined {
  const { length } = [...value];
  if (length < minLength) return minLength === 1 ? 'Must not be empty.' : `Must have at least ${minLength} characters.`;
  if (maxLength !== undefined && length > maxLength) return `Must have at most ${maxLength} characters.`;
  if (pattern !== undefined && !fits(value, pattern)) return `Must match ${pattern}`;
  return undefined;
}

function wrongNumber(value: number | bigint, { minimum, maximum }: SchemaNode): string | undefined {
  if (minimum !== undefined && compareNumbers(value, minimum) < 0) return `Must be at least ${minimum}.`;
  if (maximum !== undefined && compareNumbers(value, maximum) > 0) return `Must be at most ${maximum}.`;
  return undefined;
}

/** Patterns that the browser cannot compile are left to the server. */
function fits(value: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}
