import { ruleSteps } from '../../../pkg/kube/cel/rules/validate.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { Causes, type StatusCause } from '../../../pkg/kube/status/causes.js';
import { forbidden } from '../../../pkg/kube/status/errors.js';
import { embeddedSteps } from '../../../pkg/kube/structural/embedded.js';
import { listSteps } from '../../../pkg/kube/structural/lists.js';
import type { Structural } from '../../../pkg/kube/structural/node.js';
import { memberOf, nodeOf } from '../../../pkg/kube/structural/structural.js';
import { validateSteps } from '../../../pkg/kube/structural/validate.js';
import type { Steps } from '../../../pkg/system/yielding/steps.js';
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
function* causesOf(
  { schema, scale }: Checked,
  object: KubeObject,
  old?: KubeObject,
  warn?: Warn,
): Steps<readonly StatusCause[]> {
  const { structural } = schema;
  const causes = new Causes();
  causes.addAll(yield* validateSteps(structural, object, old));
  causes.addAll(specCauses(scale, object));
  causes.addAll(statusCauses(scale, object));
  if (!causes.isCut) causes.addAll(yield* embeddedSteps(structural, object));
  if (!causes.isCut) causes.addAll(yield* listSteps(structural, object, old));
  return yield* withRules(schema, causes, { object, old, warn });
}

/** Gets a message about something wrong that is not refused, because it was there before. */
type Warn = (message: string) => void;

/** The same for an object with a new status. */
function* statusCausesOf(
  { schema, scale }: Checked,
  object: KubeObject,
  old: KubeObject,
  warn?: Warn,
): Steps<readonly StatusCause[]> {
  const { structural } = schema;
  const causes = new Causes();
  causes.addAll(yield* statusValueCauses(structural, object.status, old.status));
  causes.addAll(statusCauses(scale, object));
  if (!causes.isCut) causes.addAll(yield* listSteps(structural, object, old));
  return yield* withRules(schema, causes, { object, old, warn });
}

const BLOCKING: ReadonlySet<string | undefined> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

function* statusValueCauses(structural: Structural, status: unknown, old: unknown): Steps<readonly StatusCause[]> {
  const schema = memberOf(nodeOf(structural), 'status');
  if (status === undefined || schema === undefined) return [];
  return yield* validateSteps(schema, status, old, { path: 'status' });
}

interface Change {
  readonly object: KubeObject;
  readonly old: KubeObject | undefined;
  readonly warn: Warn | undefined;
}

/** As in Kubernetes, rules are not evaluated if a field is absent, or of the wrong type or size. */
function* withRules(
  { json }: VersionSchema,
  found: Causes,
  { object, old, warn }: Change,
): Steps<readonly StatusCause[]> {
  const rules = rulesOf(json);
  if (rules === undefined) return found.list;
  if (found.isCut || found.list.some(({ reason }) => BLOCKING.has(reason))) return [...found.list, UNCHECKED];
  yield;
  const tell = ({ field, message }: StatusCause): void => warn?.(`${field}: ${message}`);
  found.addAll(yield* ruleSteps(rules, object, old, { warn: tell }));
  return found.list;
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
    validateInSteps: (object, old, { warn }) => causesOf(checked, object, old, warn),
    validateStatusInSteps: (object, old, { warn }) => statusCausesOf(checked, object, old, warn),
  };
}

const GOING = 'create not allowed while custom resource definition is terminating';
