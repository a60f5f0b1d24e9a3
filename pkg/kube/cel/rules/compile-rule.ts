import { fieldPath } from '../../structural/field-path.js';
import type { JsonSchema, ValidationRule } from '../../structural/json-schema.js';
import { type Checked, check, type Environment } from '../check/checker.js';
import { literalProblems } from '../check/literals.js';
import { FUNCTIONS, TYPE_NAMES } from '../library/index.js';
import { PlanProblem } from '../run/calls.js';
import { type Program, programOf } from '../run/program.js';
import { type Shape, typeOfShape } from '../schema/shape.js';
import { parse } from '../syntax/parser.js';
import { displayProblems, SyntaxProblem } from '../syntax/source.js';
import { type CelType, optionalType, typeText } from '../types/type.js';

/** A rule that is ready to run, or why it is not. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Undefined if the rule is empty or has an error. */
  readonly program?: Program | undefined;
  readonly error?: string | undefined;
  readonly usesOldSelf: boolean;
  readonly message?: Program | undefined;
  readonly messageError?: string | undefined;
  /** The path below the value of the rule. */
  readonly fieldPath?: string | undefined;
  /** For estimates of the cost. */
  readonly checked?: Checked | undefined;
  readonly checkedMessage?: Checked | undefined;
}

const VARIABLES = ['self', 'oldSelf'] as const;

/** What the rules of a value may name. */
export interface RuleEnvironments {
  readonly plain: Environment;
  /** With an oldSelf that is optional. */
  readonly optional: Environment;
}

export function environmentsOf(shape: Shape): RuleEnvironments {
  const self = typeOfShape(shape, 'selfType');
  const of = (old: CelType): Environment => ({
    variables: new Map([
      ['self', self],
      ['oldSelf', old],
    ]),
    types: TYPE_NAMES,
    functions: FUNCTIONS,
  });
  return { plain: of(self), optional: of(optionalType(self)) };
}

export function compileRule(rule: ValidationRule, schema: JsonSchema, environments: RuleEnvironments): CompiledRule {
  if (rule.rule.trim() === '') return { rule, usesOldSelf: false };
  const env = rule.optionalOldSelf === true ? environments.optional : environments.plain;
  const main = compile(rule.rule, env, 'bool', RULE_WORDS);
  const usesOldSelf = main.checked?.used.has('oldSelf') ?? false;
  if (main.error !== undefined) return { rule, usesOldSelf: usesOldSelf && main.isChecked, error: main.error };
  const text = rule.messageExpression ?? '';
  const message = text === '' ? undefined : compile(text, env, 'string', MESSAGE_WORDS);
  return {
    rule,
    program: main.program,
    usesOldSelf,
    message: message?.program,
    messageError: message?.error,
    fieldPath: pathOf(rule, schema),
    checked: main.checked,
    checkedMessage: message?.program === undefined ? undefined : message.checked,
  };
}

/**
 * The path of the field that an error is about, below the value of the rule. Undefined if it is about the value, or if
 * the schema has no such field.
 */
function pathOf({ fieldPath: text }: ValidationRule, schema: JsonSchema): string | undefined {
  if (text === undefined || text === '') return undefined;
  const field = fieldPath(text, schema);
  return 'problem' in field ? undefined : field.path;
}

interface Words {
  readonly compile: string;
  readonly type: string;
  readonly program: string;
}

const RULE_WORDS: Words = {
  compile: 'compilation failed: ',
  type: 'cel expression must evaluate to a bool',
  program: 'program instantiation failed: ',
};

const MESSAGE_WORDS: Words = {
  compile: 'messageExpression compilation failed: ',
  type: 'messageExpression must evaluate to a string',
  program: 'messageExpression instantiation failed: ',
};

interface Compiled {
  readonly program?: Program;
  readonly error?: string;
  readonly checked?: Checked;
  /** The expression has the right type, so that Kubernetes looks at its references. */
  readonly isChecked: boolean;
}

function compile(source: string, env: Environment, type: string, words: Words): Compiled {
  try {
    const checked = check(parse(source), env);
    const problems = checked.problems.length > 0 ? checked.problems : literalProblems(checked);
    if (problems.length > 0) return { error: `${words.compile}${displayProblems(source, problems)}`, isChecked: false };
    if (typeText(checked.type) !== type) return { error: words.type, isChecked: false };
    return planned(checked, words);
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return { error: `${words.compile}${displayProblems(source, [error])}`, isChecked: false };
  }
}

function planned(checked: Checked, words: Words): Compiled {
  try {
    return { program: programOf(checked, VARIABLES), checked, isChecked: true };
  } catch (error) {
    if (!(error instanceof PlanProblem)) throw error;
    return { error: `${words.program}${error.message}`, checked, isChecked: true };
  }
}
