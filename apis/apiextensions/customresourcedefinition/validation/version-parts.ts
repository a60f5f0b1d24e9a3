import type { StatusCause } from '../../../../pkg/kube/status/status.js';
import { duplicate, required, tooMany } from '../../../../pkg/kube/structural/cause.js';
import { fieldPath } from '../../../../pkg/kube/structural/field-path.js';
import { isPrintable } from '../../../../pkg/kube/structural/go-text.js';
import type { JsonSchema } from '../../../../pkg/kube/structural/json-schema.js';
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  SelectableField,
} from '../schema.js';
import { asJson, invalid } from './field-error.js';

/** Checks the parts of a version except its schema: subresources, columns, selectable fields and warnings. */

export const MAX_SELECTABLE_FIELDS = 8;

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

export function columnCauses(
  columns: readonly CustomResourceColumnDefinition[] | null | undefined,
  path: string,
): readonly StatusCause[] {
  return (columns ?? []).flatMap((column, i) => oneColumnCauses(column, `${path}[${i}]`));
}

function oneColumnCauses(column: CustomResourceColumnDefinition, path: string): readonly StatusCause[] {
  const { name = '', type = '', format = '', jsonPath = '' } = column;
  const causes: StatusCause[] = name === '' ? [required(`${path}.name`)] : [];
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  if (type === '') causes.push(required(`${path}.type`, types));
  else if (!COLUMN_TYPES.includes(type)) causes.push(invalid(`${path}.type`, type, types));
  if (format !== '' && !COLUMN_FORMATS.includes(format)) {
    causes.push(invalid(`${path}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`));
  }
  return [...causes, ...jsonPathCauses(jsonPath, `${path}.JSONPath`)];
}

function jsonPathCauses(text: string, path: string): readonly StatusCause[] {
  if (text === '') return [required(path)];
  return text.startsWith('.') ? [] : [invalid(path, text, 'must be a simple json path starting with .')];
}

export function subresourceCauses(
  subresources: CustomResourceSubresources | null | undefined,
  path: string,
): readonly StatusCause[] {
  const scale = subresources?.scale;
  if (scale == null) return [];
  const causes: StatusCause[] = [];
  const check = (member: 'specReplicasPath' | 'statusReplicasPath', root: string): void => {
    const text = scale[member] ?? '';
    const at = `${path}.scale.${member}`;
    const wrong = jsonPathCauses(text, at);
    causes.push(...wrong);
    if (wrong.length > 0 || text.startsWith(`${root}.`)) return;
    causes.push(invalid(at, text, `should be a json path under ${root}`));
  };
  check('specReplicasPath', '.spec');
  check('statusReplicasPath', '.status');
  const selector = scale.labelSelectorPath ?? '';
  return selector === '' ? causes : [...causes, ...selectorCauses(selector, `${path}.scale.labelSelectorPath`)];
}

function selectorCauses(selector: string, path: string): readonly StatusCause[] {
  const wrong = jsonPathCauses(selector, path);
  if (wrong.length > 0 || selector.startsWith('.spec.') || selector.startsWith('.status.')) return wrong;
  return [invalid(path, asJson(selector), 'should be a json path under either .spec or .status')];
}

/** `schema` is that of the objects. `isUnlimited` if the old definition had the same fields, and too many. */
export function selectableFieldCauses(
  fields: readonly SelectableField[],
  schema: JsonSchema,
  path: string,
  isUnlimited: boolean,
): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  const seen = new Set<string>();
  for (const [i, { jsonPath = '' }] of fields.entries()) {
    const at = `${path}[${i}].jsonPath`;
    if (jsonPath === '') {
      causes.push(required(at));
      continue;
    }
    const result = fieldPath(jsonPath, schema, { brackets: false });
    if ('problem' in result) {
      causes.push(invalid(at, jsonPath, `is an invalid path: ${result.problem}`));
      continue;
    }
    if (result.firstName === 'metadata') causes.push(invalid(at, jsonPath, 'must not point to fields in metadata'));
    if (!['string', 'boolean', 'integer'].includes(result.schema?.type ?? '')) {
      const why =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      causes.push(invalid(at, jsonPath, why));
    }
    if (seen.has(result.path)) causes.push(duplicate(at, jsonPath));
    seen.add(result.path);
  }
  const isTooMany = seen.size > MAX_SELECTABLE_FIELDS && !isUnlimited;
  return isTooMany ? [...causes, tooMany(path, seen.size, MAX_SELECTABLE_FIELDS)] : causes;
}

const LONGEST_WARNING = 256;

export function warningCauses(version: CustomResourceDefinitionVersion, path: string): readonly StatusCause[] {
  const warning = version.deprecationWarning ?? undefined;
  if (warning === undefined) return [];
  const problems = version.deprecated === true ? warningProblems(warning) : ['can only be set for deprecated versions'];
  return problems.map((why) => invalid(`${path}.deprecationWarning`, asJson(warning), why));
}

function warningProblems(warning: string): readonly string[] {
  if (warning === '') return ['must not be an empty string'];
  const problems =
    Buffer.byteLength(warning) > LONGEST_WARNING ? [`must be <= ${LONGEST_WARNING} characters long`] : [];
  let index = 0;
  for (const char of warning) {
    if (!isPrintable(char)) {
      const why = `must only contain printable UTF-8 characters; non-printable character found at index ${index}`;
      return [...problems, why];
    }
    index += Buffer.byteLength(char);
  }
  return problems;
}
