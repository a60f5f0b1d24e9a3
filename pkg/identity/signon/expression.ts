import { createContext, Script } from 'node:vm';
import { compile, type JSONValue, search } from '@jmespath-community/jmespath';
import { type Claims, textOf } from './claims.js';
import { SignOnFailure } from './failure.js';

/**
 * Milliseconds for one expression, in which the server does nothing else. Less could be too short on a busy machine.
 */
const LONGEST = 250;

const context = createContext({ run: undefined as (() => unknown) | undefined });
const script = new Script('run()');

/**
 * The value of a JMESPath expression. Undefined for an expression that does not fit the claims, such as
 * `contains(groups, 'x')` without groups. Throws SignOnFailure if it takes too long: a script with a time limit is the
 * only way to end a function that does not return.
 */
export function evaluate(expression: string, claims: Claims): unknown {
  if (expression === '') return undefined;
  context['run'] = () => search(claims as JSONValue, expression);
  try {
    return script.runInContext(context, { timeout: LONGEST });
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw new SignOnFailure('settings', 'an attribute path takes too long', error);
  } finally {
    context['run'] = undefined;
  }
}

/** The same for expressions of a text; empty for other values. */
export function textAt(expression: string, claims: Claims): string {
  return textOf(evaluate(expression, claims));
}

/** The same for expressions of a list. A text is a list of one. */
export function textsAt(expression: string, claims: Claims): readonly string[] {
  return texts(evaluate(expression, claims));
}

/** The texts and whole numbers of a value. */
export function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (!Array.isArray(value)) return [];
  return value.flatMap((element: unknown) =>
    typeof element === 'string' ? [element] : [textOf(element)].filter(Boolean),
  );
}

/** Whether a text is a JMESPath expression. It may still name functions that do not exist. */
export function isExpression(text: string): boolean {
  try {
    compile(text);
    return true;
  } catch {
    return false;
  }
}
