import { validateRules } from '../../../pkg/cel/rules/validate.js';
import type { KubeObject } from '../../../pkg/meta/types.js';
import { forbidden } from '../../../pkg/status/errors.js';
import type { StatusCause } from '../../../pkg/status/status.js';
import { validateEmbedded } from '../../../pkg/structural/embedded.js';
import { validateLists } from '../../../pkg/structural/lists.js';
import type { Structural } from '../../../pkg/structural/node.js';
import { memberOf, nodeOf } from '../../../pkg/structural/structural.js';
import { validate } from '../../../pkg/structural/validate.js';
import type { KindNames } from '../../../registry/kinds/conventions.js';
import type { Strategy } from '../../../registry/kinds/strategy.js';
import type { VersionSchema } from './object-schema.js';
import { rulesOf } from './rules.js';
import { type ScalePaths, specCauses, statusCauses } from './scale.js';

/** What is checked of the objects of a version. */
export interface Checked {
  readonly schema: VersionSchema;
  readonly scale: ScalePaths | undefined;
}

/** All that is wrong with an object, in the order of Kubernetes. */
export function causesOf(
  { schema, scale }: Checked,
  object: KubeObject,
  old?: KubeObject,
  warn?: Warn,
): readonly StatusCause[] {
  const { structural } = schema;
  const causes = [
    ...validate(structural, object, old),
    ...specCauses(scale, object),
    ...statusCauses(scale, object),
    ...validateEmbedded(structural, object),
    ...validateLists(structural, object, old),
  ];
  return withRules(schema, causes, { object, old, warn });
}

/** Gets a message about something wrong that is not refused, because it was there before. */
type Warn = (message: string) => void;

/** The same for an object with a new status. */
function statusCausesOf(
  { schema, scale }: Checked,
  object: KubeObject,
  old: KubeObject,
  warn?: Warn,
): readonly StatusCause[] {
  const { structural } = schema;
  const causes = [
    ...statusValueCauses(structural, object.status, old.status),
    ...statusCauses(scale, object),
    ...validateLists(structural, object, old),
  ];
  return withRules(schema, causes, { object, old, warn });
}

const BLOCKING: ReadonlySet<string | undefined> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

function statusValueCauses(structural: Structural, status: unknown, old: unknown): readonly StatusCause[] {
  const schema = memberOf(nodeOf(structural), 'status');
  return status === undefined || schema === undefined ? [] : validate(schema, status, old, { path: 'status' });
}

interface Change {
  readonly object: KubeObject;
  readonly old: KubeObject | undefined;
  readonly warn: Warn | undefined;
}

/** As in Kubernetes, rules are not evaluated if a field is absent, or of the wrong type or size. */
function withRules(
  { json }: VersionSchema,
  causes: readonly StatusCause[],
  { object, old, warn }: Change,
): readonly StatusCause[] {
  const rules = rulesOf(json);
  if (rules === undefined) return causes;
  if (causes.some(({ reason }) => BLOCKING.has(reason))) return [...causes, UNCHECKED];
  const tell = ({ field, message }: StatusCause): void => warn?.(`${field}: ${message}`);
  return [...causes, ...validateRules(rules, object, old, { warn: tell })];
}

const UNCHECKED: StatusCause = {
  reason: 'FieldValueInvalid',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  field: '<nil>',
};

export interface StrategyOptions {
  readonly names: KindNames;
  readonly checked: Checked;
  /** Removes an annotation that names the root folder. */
  readonly withoutRoot: (object: KubeObject) => KubeObject;
  /** The definition is being deleted, and its objects with it. */
  readonly isTerminating: boolean;
}

export function customStrategy({ names, checked, withoutRoot, isTerminating }: StrategyOptions): Strategy {
  return {
    prepareForCreate: (object) => {
      if (isTerminating) throw forbidden(names, object.metadata.name, GOING);
      return withoutRoot(object);
    },
    prepareForUpdate: withoutRoot,
    validate: (object, old, { warn }) => causesOf(checked, object, old, warn),
    validateStatus: (object, old, { warn }) => statusCausesOf(checked, object, old, warn),
  };
}

const GOING = 'create not allowed while custom resource definition is terminating';
