import { isTerminating, type KubeObject } from '../../../pkg/kube/meta/types.js';
import type { Kind } from '../../../registry/kinds/kind.js';
import type { Reader } from '../../../registry/read/reader.js';
import type { DefinitionObject } from '../customresource/conditions.js';
import { CLEANUP_FINALIZER } from '../names.js';
import { type Conditions, type NewCondition, withCondition, withoutCondition } from './condition.js';
import {
  approvalConformant,
  type Ending,
  establishing,
  nonStructuralSchema,
  storedVersions,
  terminating,
} from './conditions.js';
import type { DeferredWork } from './deferred-work.js';
import { takenIn } from './names.js';
import { acceptNames, established } from './names-accepted.js';
import type { CustomResourceDefinitionStatus } from './schema.js';

export interface Deciding {
  readonly reader: Reader;
  /** RFC 3339 in seconds. */
  readonly now: string;
  readonly generation: number;
  readonly builtIn: readonly Kind[];
  /** The name of the definition. */
  readonly own: string;
  readonly deferredWork: DeferredWork;
}

/**
 * The status of a definition at the state of its commit. Kubernetes' controllers decide the same a moment later. Of a
 * definition that is being deleted, only the versions are decided.
 */
export function statusOf(definition: DefinitionObject, deciding: Deciding): CustomResourceDefinitionStatus {
  const { spec, status = {} } = definition;
  const stored = { ...status, storedVersions: [...storedVersions(spec, status)] };
  if (isTerminating(definition)) return stored;
  const { reader, own, builtIn } = deciding;
  const taken = takenIn(reader, own, spec.group ?? '', builtIn);
  const { acceptedNames, condition } = acceptNames({ spec, status }, taken);
  const named = added(status.conditions ?? [], condition, deciding);
  const conditions = added(named, establishedAfter(definition, condition), deciding);
  return { ...stored, acceptedNames, conditions: [...withOthers(conditions, definition, deciding)] };
}

/** A definition that is being deleted, with what happens to its objects. `now` is in RFC 3339. */
export function withEnding({ status, ...rest }: DefinitionObject, ending: Ending, now: string): KubeObject {
  const isHeld = (rest.metadata.finalizers ?? []).some((finalizer) => finalizer !== CLEANUP_FINALIZER);
  const conditions = withCondition(status?.conditions, terminating(ending, isHeld), now);
  return { ...rest, status: { ...status, conditions: [...conditions] } } as KubeObject;
}

/** As soon as the names are accepted, the kinds are served. */
function establishedAfter({ spec, status }: DefinitionObject, names: NewCondition): NewCondition {
  const next = established(status, names);
  return names.status === 'True' && next.status !== 'True' ? establishing(spec) : next;
}

function withOthers(conditions: Conditions, definition: DefinitionObject, deciding: Deciding): Conditions {
  const { run } = deciding.deferredWork;
  const nonStructural = run('conditions', [definition], () => nonStructuralSchema(definition.spec));
  const all =
    nonStructural === undefined
      ? withoutCondition(conditions, 'NonStructuralSchema')
      : added(conditions, nonStructural, deciding);
  const approval = approvalConformant(definition);
  if (approval === undefined) return withoutCondition(all, 'KubernetesAPIApprovalPolicyConformant');
  return added(all, approval, deciding);
}

function added(all: Conditions, next: NewCondition, { now, generation }: Deciding): Conditions {
  return withCondition(all, { ...next, observedGeneration: generation } as NewCondition, now);
}
