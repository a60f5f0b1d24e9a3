import type { ZodType } from 'zod';
import { storedVersions } from '../../apis/apiextensions/customresourcedefinition/conditions.js';
import { withDefaults } from '../../apis/apiextensions/customresourcedefinition/defaults.js';
import {
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionStatus,
  type Definition,
} from '../../apis/apiextensions/customresourcedefinition/schema.js';
import {
  validateDefinition,
  validateDefinitionUpdate,
  validateStatus,
} from '../../apis/apiextensions/customresourcedefinition/validation/definition.js';
import type { StatusCause } from '../../pkg/kube/status/status.js';
import { runSteps } from '../../pkg/system/yielding/steps.js';
import { parseFields } from '../../registry/decode/decode.js';
import { values } from './values.js';

export interface Question {
  readonly definition: Definition;
  readonly old?: Definition;
  /** Whether the write is one of the status. */
  readonly status?: boolean;
}

/** The causes with which this server refuses a definition. Throws if it cannot be decoded. */
export function causesOf(question: Question): readonly StatusCause[] {
  const { status } = question;
  const definition = decoded(question.definition);
  const old = question.old && decoded(question.old);
  const spec = withDefaults(definition.spec);
  if (old === undefined) {
    return runSteps(validateDefinition({ ...definition, spec, status: stored(spec, undefined) }, { values }));
  }
  if (status === true) return validateStatus(definition);
  const before = { ...old, spec: withDefaults(old.spec), status: stored(old.spec, old.status, true) };
  const now = { ...definition, spec, status: stored(spec, before.status) };
  return runSteps(validateDefinitionUpdate(now, before, { values }));
}

function decoded({ metadata, spec, status }: Definition): Definition {
  return {
    metadata,
    spec: known(CustomResourceDefinitionSpec, spec),
    status: status && known(CustomResourceDefinitionStatus, status),
  };
}

/** Reads a value as the server does, which drops unknown members. Throws if a member has the wrong type. */
function known<Value>(schema: ZodType<Value>, value: unknown): Value {
  return schema.parse(parseFields(schema, value).data);
}

/** With `isDecoded`, the status is the given one, with missing members filled in. */
function stored(
  spec: Definition['spec'],
  status: Definition['status'],
  isDecoded = false,
): NonNullable<Definition['status']> {
  if (isDecoded && (status?.storedVersions?.length ?? 0) > 0) return status ?? {};
  return { ...status, storedVersions: [...storedVersions(spec, status)] };
}
