import { runSteps, type Steps } from '../../../system/yielding/steps.js';
import { Work } from '../../../system/yielding/work.js';
import { Causes, type StatusCause } from '../../status/causes.js';
import { child, key } from '../../structural/cause.js';
import type { CompiledRules, RuleNode } from './compile.js';
import { type Correlation, correlate, correlatedElement, correlatedMember, oldItemsOf } from './correlation.js';
import { checkRules } from './run-rules.js';
import type { Ratchet, RuleBudget, Validation } from './validation.js';

export const RULE_BUDGET = 10_000_000;

export interface ValidateOptions {
  /** The path of the value in the object. Empty for a whole object. */
  readonly path?: string | undefined;
  /** What the rules of the request may cost. 10,000,000 if it is absent. */
  readonly budget?: RuleBudget | undefined;
  /** Whether unchanged values are accepted even if they break rules. True if it is absent. */
  readonly ratcheting?: boolean | undefined;
  /** Called for what was accepted only because it did not change. */
  readonly warn?: ((cause: StatusCause) => void) | undefined;
}

/**
 * Checks a value against the rules of its schema. Returns the causes in the order and the words of Kubernetes. The
 * value has passed all other validation, such as types. `old` is the value before, or undefined for a new one. Neither
 * is changed.
 */
export function validateRules(
  compiled: CompiledRules,
  value: unknown,
  old: unknown,
  options: ValidateOptions = {},
): readonly StatusCause[] {
  return runSteps(ruleSteps(compiled, value, old, options));
}

/** The same in steps, with at most as many causes as an answer has. A step is at most one rule. */
export function* ruleSteps(
  compiled: CompiledRules,
  value: unknown,
  old: unknown,
  { path = '', budget = { left: RULE_BUDGET }, ratcheting = true, warn = () => undefined }: ValidateOptions = {},
): Steps<readonly StatusCause[]> {
  if (compiled === undefined) return [];
  const validation = { budget, causes: new Causes(), warn, work: new Work() };
  const current = ratcheting && old != null ? correlate(compiled.schema, value, old) : undefined;
  yield* validate(validation, compiled, path, value, old, { current });
  return validation.causes.list;
}

function* validate(
  v: Validation,
  node: RuleNode,
  path: string,
  value: unknown,
  old: unknown,
  ratchet: Ratchet,
): Steps<void> {
  if (value === null || value === undefined) return;
  v.work.add(1);
  if (v.work.isDue()) yield;
  yield* checkRules(v, node, path, value, old ?? undefined, ratchet);
  for (const inner of node.allOf) {
    if (isOver(v)) return;
    yield* validate(v, inner, path, value, old, { nearest: ratchet.nearest });
  }
  if (isOver(v)) return;
  if (Array.isArray(value)) yield* validateList(v, node, path, value, old, ratchet);
  else if (typeof value === 'object') yield* validateObject(v, node, path, value as Members, old, ratchet);
}

/** Whether no rule may run any more, or nothing more would be shown. */
function isOver({ budget, causes }: Validation): boolean {
  return budget.left < 0 || causes.isCut;
}

type Members = Readonly<Record<string, unknown>>;

function* validateList(
  v: Validation,
  { schema, items }: RuleNode,
  path: string,
  list: readonly unknown[],
  old: unknown,
  ratchet: Ratchet,
): Steps<void> {
  if (items === undefined) return;
  const oldItems = oldItemsOf(schema, old);
  for (const [i, item] of list.entries()) {
    const next = ratchet.current === undefined ? ratchet : stepped(ratchet, correlatedElement(ratchet.current, i));
    yield* validate(v, items, key(path, i), item, oldItems(item), next);
    if (isOver(v)) return;
  }
}

function* validateObject(
  v: Validation,
  node: RuleNode,
  path: string,
  members: Members,
  old: unknown,
  ratchet: Ratchet,
): Steps<void> {
  const mapType = node.schema['x-kubernetes-map-type'];
  const isCorrelatable = mapType == null || mapType === 'granular' || mapType === 'atomic';
  const olds = isCorrelatable && typeof old === 'object' && old !== null && !Array.isArray(old) ? (old as Members) : {};
  for (const name of Object.keys(members)) {
    const inner = node.values ?? node.properties?.get(name);
    if (inner === undefined) continue;
    const innerPath = node.values === undefined ? child(path, name) : key(path, name);
    yield* validate(
      v,
      inner,
      innerPath,
      members[name],
      Object.hasOwn(olds, name) ? olds[name] : undefined,
      memberRatchet(ratchet, name),
    );
    if (isOver(v)) return;
  }
}

function memberRatchet(ratchet: Ratchet, name: string): Ratchet {
  if (ratchet.current === undefined) return ratchet;
  // Both objects were converted to one version, so it is not known whether these members changed.
  if (ratchet.nearest === undefined && (name === 'apiVersion' || name === 'kind')) return {};
  return stepped(ratchet, correlatedMember(ratchet.current, name));
}

function stepped({ current }: Ratchet, next: Correlation | undefined): Ratchet {
  return { current: next, nearest: current };
}
