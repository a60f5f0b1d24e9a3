import type { StatusCause } from '../../../pkg/kube/status/status.js';
import type { Steps } from '../../../pkg/system/yielding/steps.js';
import { condition, type NewCondition } from './condition.js';
import { aggregate } from './names-accepted.js';
import type { CustomResourceDefinitionSpec, CustomResourceDefinitionStatus, Definition } from './schema.js';
import { type ApprovalState, approvalOf, isProtectedGroup } from './validation/approval.js';
import { bundleCauses } from './validation/certificates.js';
import { conversionProblem } from './validation/convertible.js';
import { invalid } from './validation/field-error.js';
import { structuralCauses } from './validation/structural.js';

/**
 * The conditions of definitions, with the reasons and messages of Kubernetes' controllers. NamesAccepted is in
 * names-accepted.ts.
 */

/** Whether the objects are served from now on. Only for a definition whose names are accepted. */
export function establishing(spec: CustomResourceDefinitionSpec): NewCondition {
  if (bundleCauses(spec.conversion?.webhook?.clientConfig?.caBundle, '').length > 0) {
    return condition('Established', 'False', 'InvalidCABundle', 'The conversion webhook CABundle is invalid');
  }
  return condition('Established', 'True', 'InitialNamesAccepted', 'the initial names have been accepted');
}

/** `undefined` if all schemas are structural: then there is no such condition. */
export function* nonStructuralSchema(spec: CustomResourceDefinitionSpec): Steps<NewCondition | undefined> {
  const causes: StatusCause[] = [];
  if (spec.preserveUnknownFields === true) causes.push(invalid('spec.preserveUnknownFields', true, 'must be false'));
  for (const [i, { name = '', schema }] of (spec.versions ?? []).entries()) {
    const root = schema?.openAPIV3Schema;
    if (root == null) continue;
    const problem = yield* conversionProblem(root);
    if (problem !== undefined) {
      const message = `failed to check validation schema for version ${name}: ${problem}`;
      return condition('NonStructuralSchema', 'Unknown', 'StructuralError', message);
    }
    causes.push(...(yield* structuralCauses(root, `spec.versions[${i}].schema.openAPIV3Schema`)));
  }
  const message = aggregate(causes.map((cause) => `${cause.field}: ${cause.message}`));
  return message === undefined ? undefined : condition('NonStructuralSchema', 'True', 'Violations', message);
}

const APPROVALS: Readonly<Record<ApprovalState, readonly [status: string, reason: string]>> = {
  invalid: ['False', 'InvalidAnnotation'],
  missing: ['False', 'MissingAnnotation'],
  approved: ['True', 'ApprovedAnnotation'],
  bypassed: ['False', 'UnapprovedAnnotation'],
};

/** `undefined` for groups that need no approval. */
export function approvalConformant(definition: Definition): NewCondition | undefined {
  if (!isProtectedGroup(definition.spec.group ?? '')) return undefined;
  const { state, reason } = approvalOf(definition);
  return condition('KubernetesAPIApprovalPolicyConformant', ...APPROVALS[state], reason);
}

/** What happens to the objects of a definition that is being deleted. */
export type Ending =
  | { readonly state: 'pending' | 'in-progress' | 'built-in' | 'never-established' | 'completed' }
  | { readonly state: 'list-failed' | 'delete-failed' | 'check-failed'; readonly error: string };

/**
 * A definition that others hold by their finalizers stays terminating, because no new objects are taken. Kubernetes
 * says `False`, and takes new objects that nobody deletes.
 */
export function terminating(ending: Ending, isHeld = false): NewCondition {
  const [status, reason, message] = endingTexts(ending);
  return condition('Terminating', isHeld ? 'True' : status, reason, message);
}

const PENDING = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';

function endingTexts(ending: Ending): readonly [status: string, reason: string, message: string] {
  switch (ending.state) {
    case 'pending':
      return ['True', 'InstanceDeletionPending', PENDING];
    case 'in-progress':
      return ['True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress'];
    case 'built-in':
      return ['False', 'OverlappingBuiltInResource', 'instances overlap with built-in resources in storage'];
    case 'never-established':
      return ['False', 'NeverEstablished', 'resource was never established'];
    case 'completed':
      return ['False', 'InstanceDeletionCompleted', 'removed all instances'];
    case 'list-failed':
      return ['True', 'InstanceDeletionFailed', `could not list instances: ${ending.error}`];
    case 'delete-failed':
      return ['True', 'InstanceDeletionFailed', `could not issue all deletes: ${ending.error}`];
    case 'check-failed':
      return ['True', 'InstanceDeletionCheck', `could not confirm zero CustomResources remaining: ${ending.error}`];
  }
}

/** The versions that objects may be stored in: those of the status, and the storage version of the spec. */
export function storedVersions(
  spec: CustomResourceDefinitionSpec,
  status: CustomResourceDefinitionStatus | undefined,
): readonly string[] {
  const stored = status?.storedVersions ?? [];
  const storage = spec.versions?.find((version) => version.storage === true);
  if (storage === undefined || stored.includes(storage.name ?? '')) return stored;
  return [...stored, storage.name ?? ''];
}
