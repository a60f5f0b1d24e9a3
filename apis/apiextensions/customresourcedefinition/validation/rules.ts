import { required } from '../../../../pkg/kube/structural/cause.js';
import { fieldPath } from '../../../../pkg/kube/structural/field-path.js';
import type { JsonSchema, ValidationRule } from '../../../../pkg/kube/structural/json-schema.js';
import type { Steps } from '../../../../pkg/system/yielding/steps.js';
import { conversionProblem } from './convertible.js';
import { asJson, invalid, notSupported } from './field-error.js';
import { type Causes, STEP } from './steps.js';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

const hasLineBreak = (text: string): boolean => text.includes('\n') || text.includes('\r');

/** Checks what needs no compiler in the rules of a schema: their texts, reasons and field paths. */
export function* checkRules(schema: JsonSchema, path: string, causes: Causes): Steps<void> {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return;
  const hasPaths = rules.some((rule) => Boolean(rule.fieldPath));
  // What has no structural form is refused elsewhere.
  const isConvertible = hasPaths && (yield* conversionProblem(schema)) === undefined;
  for (const [i, rule] of rules.entries()) {
    if (i % STEP === 0) yield;
    const rulePath = `${path}.x-kubernetes-validations[${i}]`;
    checkTexts(rule, rulePath, causes);
    checkReason(rule, rulePath, causes);
    checkFieldPath(rule, rulePath, isConvertible ? schema : undefined, causes);
  }
}

function checkTexts(
  { rule, message = '', messageExpression = '' }: ValidationRule,
  path: string,
  causes: Causes,
): void {
  const [shortRule, shortMessage] = [rule.trim(), message.trim()];
  if (shortRule === '') {
    causes.add(required(`${path}.rule`, 'rule is not specified'));
  } else if (message !== '' && shortMessage === '') {
    causes.add(invalid(`${path}.message`, message, 'must be non-empty if specified'));
  } else if (hasLineBreak(shortMessage)) {
    causes.add(invalid(`${path}.message`, message, 'must not contain line breaks'));
  } else if (hasLineBreak(shortRule) && shortMessage === '') {
    causes.add(required(`${path}.message`, 'message must be specified if rule contains line breaks'));
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    causes.add(required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'));
  }
}

function checkReason({ reason }: ValidationRule, path: string, causes: Causes): void {
  if (reason == null || REASONS.includes(reason)) return;
  causes.add(notSupported(`${path}.reason`, asJson(reason), REASONS));
}

function checkFieldPath(
  { fieldPath: field = '' }: ValidationRule,
  path: string,
  schema: JsonSchema | undefined,
  causes: Causes,
): void {
  if (field === '') return;
  if (field.trim() === '') causes.add(invalid(`${path}.fieldPath`, field, 'must be non-empty if specified'));
  if (hasLineBreak(field)) causes.add(invalid(`${path}.fieldPath`, field, 'must not contain line breaks'));
  if (schema === undefined || 'schema' in fieldPath(field, schema)) return;
  causes.add(invalid(`${path}.fieldPath`, field, 'must be a valid path'));
}
