import type { StatusCause } from '../../status/status.js';
import type { JsonSchema, ValidationRule } from '../../structural/json-schema.js';
import { trimmed } from '../library/strings.js';
import { child, invalid, notSupported, required } from './causes.js';
import { fieldPathOf } from './field-path.js';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const NEWLINE = /[\n\r]/;

/** What is wrong with the members of a rule, without a look at what its expressions mean. */
export function ruleFormProblems(rule: ValidationRule, schema: JsonSchema, path: string): readonly StatusCause[] {
  const { messageExpression = '', reason, fieldPath = '' } = rule;
  const found = [...textProblems(rule, path)];
  if (messageExpression !== '' && trimmed(messageExpression) === '') {
    found.push(required(child(path, 'messageExpression'), 'messageExpression must be non-empty if specified'));
  }
  if (reason !== undefined && !REASONS.includes(reason))
    found.push(notSupported(child(path, 'reason'), reason, REASONS));
  const at = child(path, 'fieldPath');
  if (fieldPath !== '' && trimmed(fieldPath) === '')
    found.push(invalid(at, fieldPath, 'must be non-empty if specified'));
  if (NEWLINE.test(fieldPath)) found.push(invalid(at, fieldPath, 'must not contain line breaks'));
  if (fieldPath !== '' && fieldPathOf(fieldPath, schema) === undefined) {
    found.push(invalid(at, fieldPath, 'must be a valid path'));
  }
  return found;
}

/** The first problem of the rule and its message. */
function textProblems({ rule, message = '' }: ValidationRule, path: string): readonly StatusCause[] {
  const text = trimmed(rule);
  const words = trimmed(message);
  const at = child(path, 'message');
  if (text === '') return [required(child(path, 'rule'), 'rule is not specified')];
  if (message !== '' && words === '') return [invalid(at, message, 'must be non-empty if specified')];
  if (NEWLINE.test(words)) return [invalid(at, message, 'must not contain line breaks')];
  if (NEWLINE.test(text) && words === '')
    return [required(at, 'message must be specified if rule contains line breaks')];
  return [];
}
