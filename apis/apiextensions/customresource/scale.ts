import { z } from 'zod';
import type { KubeObject, ObjectMeta } from '../../../pkg/kube/meta/types.js';
import { invalid } from '../../../pkg/kube/status/errors.js';
import { ApiError, type StatusCause } from '../../../pkg/kube/status/status.js';
import { shownValue } from '../../../pkg/kube/structural/shown.js';
import { isObject, type Members } from '../../../pkg/system/object/is-object.js';
import {
  defineSubresource,
  type SubresourceApplyCall,
  type SubresourceCall,
  type SubresourceTransaction,
} from '../../../registry/client/define-subresource.js';
import type { Subresource } from '../../../registry/kinds/subresource.js';
import type { CustomResourceSubresourceScale } from '../customresourcedefinition/schema.js';

/** Where an object has its replicas. */
export interface ScalePaths {
  readonly spec: readonly string[];
  readonly status: readonly string[];
  readonly selector: readonly string[] | undefined;
  /** The paths as the definition has them, for messages. */
  readonly subresource: CustomResourceSubresourceScale;
}

const MOST_REPLICAS = 2 ** 31 - 1;

export function scalePaths(subresource: CustomResourceSubresourceScale): ScalePaths {
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath } = subresource;
  return {
    spec: split(specReplicasPath),
    status: split(statusReplicasPath),
    selector: labelSelectorPath ? split(labelSelectorPath) : undefined,
    subresource,
  };
}

const split = (path: string): readonly string[] => path.replace(/^\./, '').split('.');

const Scale = {
  spec: z
    .strictObject({ replicas: z.int32().default(0).describe('How many replicas are wanted.') })
    .default({ replicas: 0 })
    .meta({ id: 'ScaleSpec', description: 'What is wanted.' }),
  status: z
    .object({
      replicas: z.int32().describe('How many replicas there are.'),
      selector: z.string().optional().describe('A label selector of the replicas, as text.'),
    })
    .meta({ id: 'ScaleStatus', description: 'What is there.' }),
};

const Answer = z.object(Scale);
const Body = z.object({ spec: Scale.spec });

type Scaled = z.output<typeof Answer> & { readonly metadata: Partial<ObjectMeta> };

/**
 * The subresource by which `kubectl scale` and autoscalers read and change the number of replicas of any kind
 * (autoscaling/v1, Scale).
 */
export function scaleSubresource(paths: ScalePaths): Subresource {
  return defineSubresource({
    name: 'scale',
    managesFields: true,
    kind: {
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
      description: 'Scale is the number of replicas of an object.',
      body: Body,
      answer: Answer,
    },
    verbs: {
      get: ({ object }) => readScale(paths, object),
      update: (call) => writeScale(paths, call, () => call.body.spec.replicas),
      patch: (call) => writeScale(paths, call, (old) => call.patch(old).spec.replicas),
      apply: (call) => applyScale(paths, call),
    },
  });
}

function readScale(paths: ScalePaths, object: KubeObject): Scaled {
  if (valueAt(object, paths.spec) === undefined) throw withoutReplicas(paths, object.metadata.name);
  return scaleOf(paths, object);
}

/** Kubernetes answers 500, which blames the server, and makes clients try again. */
function withoutReplicas({ subresource }: ScalePaths, name: string): ApiError {
  const message = `the scale of ${JSON.stringify(name)} not found: the spec replicas field ${JSON.stringify(subresource.specReplicasPath)} does not exist; set it, or send a scale`;
  return new ApiError({
    code: 404,
    reason: 'NotFound',
    message,
    details: { group: 'autoscaling', kind: 'scales', name },
  });
}

function scaleOf(paths: ScalePaths, object: KubeObject): Scaled {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = paths.selector && valueAt(object, paths.selector);
  return {
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as Partial<ObjectMeta>,
    spec: { replicas: replicasAt(object, paths.spec) },
    status: {
      replicas: replicasAt(object, paths.status),
      ...(typeof selector === 'string' && selector !== '' && { selector }),
    },
  };
}

function writeScale(paths: ScalePaths, call: SubresourceCall, wanted: (old: Scaled) => number): Promise<Scaled> {
  return call.transact(({ object, update }: SubresourceTransaction) => {
    const replicas = wanted(scaleOf(paths, object));
    if (replicas < 0) throw negative(object.metadata.name, replicas);
    const written = update((old) => withValue(old, paths.spec, replicas));
    if (valueAt(written, paths.spec) !== replicas) throw notKept(paths, object.metadata.name, replicas);
    return scaleOf(paths, written);
  });
}

async function applyScale(paths: ScalePaths, { sent, apply }: SubresourceApplyCall): Promise<Scaled> {
  const replicas = valueAt(sent, ['spec', 'replicas']);
  return scaleOf(paths, await apply(typeof replicas === 'number' ? withValue({}, paths.spec, replicas) : {}));
}

/** Refuses a change that the schema would drop. Kubernetes answers with success, although nothing changes. */
function notKept({ subresource }: ScalePaths, name: string, replicas: number): ApiError {
  const why = `the schema of the definition does not keep a whole number at ${subresource.specReplicasPath}`;
  const cause = { reason: 'FieldValueInvalid', message: `Invalid value: ${replicas}: ${why}`, field: 'spec.replicas' };
  return invalid({ group: 'autoscaling', kind: 'Scale' }, name, [cause]);
}

function negative(name: string, replicas: number): ApiError {
  const message = `Invalid value: ${replicas}: must be greater than or equal to 0`;
  const cause = { reason: 'FieldValueInvalid', message, field: 'spec.replicas' };
  return invalid({ group: 'autoscaling', kind: 'Scale' }, name, [cause]);
}

function valueAt(object: unknown, path: readonly string[]): unknown {
  let value = object;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function replicasAt(object: KubeObject, path: readonly string[]): number {
  const value = valueAt(object, path);
  return typeof value === 'number' ? value : 0;
}

function withValue<T>(object: T, [name = '', ...rest]: readonly string[], value: unknown): T {
  const members = (isObject(object) ? object : {}) as Members;
  const next = rest.length === 0 ? value : withValue(Object.hasOwn(members, name) ? members[name] : {}, rest, value);
  return { ...members, [name]: next } as T;
}

export function specCauses(scale: ScalePaths | undefined, object: KubeObject): readonly StatusCause[] {
  return scale === undefined ? [] : replicasCauses(object, scale.spec, scale.subresource.specReplicasPath);
}

export function statusCauses(scale: ScalePaths | undefined, object: KubeObject): readonly StatusCause[] {
  if (scale === undefined) return [];
  const { status, selector, subresource } = scale;
  const causes = replicasCauses(object, status, subresource.statusReplicasPath);
  return selector === undefined
    ? causes
    : [...causes, ...selectorCauses(object, selector, subresource.labelSelectorPath ?? '')];
}

function replicasCauses(object: KubeObject, path: readonly string[], field = ''): readonly StatusCause[] {
  const { value, problem = problemOf(value, path) } = reached(object, path);
  if (problem === undefined) return [];
  const shown = isWhole(value) ? value : 0;
  return [{ reason: 'FieldValueInvalid', message: `Invalid value: ${shown}: ${problem}`, field }];
}

function selectorCauses(object: KubeObject, path: readonly string[], field: string): readonly StatusCause[] {
  const { value, problem = isTextOrAbsent(value) ? undefined : notOf(value, path, 'string') } = reached(object, path);
  return problem === undefined
    ? []
    : [{ reason: 'FieldValueInvalid', message: `Invalid value: "": ${problem}`, field }];
}

const isWhole = (value: unknown): value is number | bigint => typeof value === 'bigint' || Number.isInteger(value);
const isTextOrAbsent = (value: unknown): boolean => value === undefined || typeof value === 'string';

interface Reached {
  readonly value?: unknown;
  /** Why there is no way to the value. */
  readonly problem?: string;
}

/** The value at a path of members. Null ends the path. */
function reached(object: unknown, path: readonly string[]): Reached {
  let value = object;
  for (const [i, name] of path.entries()) {
    if (value === null || value === undefined) return {};
    if (!isObject(value)) return { problem: notOf(value, path.slice(0, i + 1), 'map[string]interface{}') };
    if (!Object.hasOwn(value, name)) return {};
    value = value[name];
  }
  return { value };
}

function problemOf(value: unknown, path: readonly string[]): string | undefined {
  if (value === undefined) return undefined;
  if (!isWhole(value)) return notOf(value, path, 'int64');
  if (value < 0) return 'should be a non-negative integer';
  return value > MOST_REPLICAS ? `should be less than or equal to ${MOST_REPLICAS}` : undefined;
}

/** In the words of Go. */
function notOf(value: unknown, path: readonly string[], expected: string): string {
  return `.${path.join('.')} accessor error: ${shownValue(value)} is of the type ${goTypeOf(value)}, expected ${expected}`;
}

function goTypeOf(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'int64' : 'float64';
  const types: Readonly<Record<string, string>> = { string: 'string', boolean: 'bool' };
  return types[typeof value] ?? 'map[string]interface {}';
}
