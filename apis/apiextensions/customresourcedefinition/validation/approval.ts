import type { StatusCause } from '../../../../pkg/kube/status/status.js';
import { required } from '../../../../pkg/kube/structural/cause.js';
import { quoted } from '../../../../pkg/kube/structural/go-text.js';
import type { Definition } from '../schema.js';
import { invalid } from './field-error.js';
import { isAbsoluteUrl } from './url.js';

/** The annotation with which groups of Kubernetes' own community say that their API was reviewed. */
export const APPROVAL_ANNOTATION = 'api-approved.kubernetes.io';

const WHERE = 'see https://github.com/kubernetes/enhancements/pull/1111';

export type ApprovalState = 'invalid' | 'approved' | 'bypassed' | 'missing';

export interface Approval {
  readonly state: ApprovalState;
  readonly reason: string;
}

type Approvable = Pick<Definition, 'metadata'>;

/** Whether the group belongs to Kubernetes' community. */
export function isProtectedGroup(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

export function approvalOf({ metadata }: Approvable): Approval {
  const text = annotationOf(metadata);
  const must = `protected groups must have approval annotation ${quoted(APPROVAL_ANNOTATION)}`;
  if (text === '') return { state: 'missing', reason: `${must}, ${WHERE}` };
  if (text.startsWith('unapproved')) return { state: 'bypassed', reason: `not approved: ${quoted(text)}` };
  if (isAbsoluteUrl(text)) return { state: 'approved', reason: `approved in ${text}` };
  return { state: 'invalid', reason: `${must} with either a URL or a reason starting with "unapproved", ${WHERE}` };
}

function annotationOf({ annotations }: Definition['metadata']): string {
  return annotations?.[APPROVAL_ANNOTATION] ?? '';
}

/** Checks the annotation. One that was missing or wrong before may stay so. */
export function approvalCauses(definition: Definition, old: Approvable | undefined): readonly StatusCause[] {
  if (!isProtectedGroup(definition.spec.group ?? '')) return [];
  const { state, reason } = approvalOf(definition);
  if (old !== undefined && approvalOf(old).state === state) return [];
  const path = `metadata.annotations[${APPROVAL_ANNOTATION}]`;
  if (state === 'missing') return [required(path, reason)];
  return state === 'invalid' ? [invalid(path, annotationOf(definition.metadata), reason)] : [];
}
