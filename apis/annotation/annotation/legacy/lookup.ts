import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import type { ObjectClient } from '../../../../registry/client/objects.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure } from '../../../../registry/legacy/errors.js';
import type { AnnotationSpec } from '../schema.js';

export type Annotation = KubeObject<AnnotationSpec> & { readonly spec: AnnotationSpec };
export type Annotations = ObjectClient<AnnotationSpec>;

export const ANNOTATION_NOT_FOUND = { message: 'Annotation not found' } as const;

export function annotationsOf(call: LegacyCall): Annotations {
  return call.objects<AnnotationSpec>('annotation/Annotation');
}

/**
 * The annotation of the path. Throws 403 for callers who may not use this verb on it, 400 for a text that is no number,
 * and 404.
 */
export function annotationOfPath(call: LegacyCall, verb: 'get' | 'update' | 'delete'): Annotation {
  const annotations = annotationsOf(call);
  const text = call.param('annotationId');
  const isNumber = /^[0-9]{1,15}$/.test(text);
  const byId = isNumber ? annotations.findById(Number(text)) : undefined;
  annotations.authorize(verb, byId);
  if (byId?.spec !== undefined) return byId as Annotation;
  throw isNumber ? plainFailure(404, ANNOTATION_NOT_FOUND.message) : plainFailure(400, 'annotationId is invalid');
}

/** Warns of the number of another dashboard beside a uid. */
export function warnOfNumber(call: LegacyCall, name: string, id: number | null | undefined, uid: string): void {
  if (call.hasKind('dashboard/Dashboard')) call.numberBeside(name, id, 'dashboard/Dashboard', uid);
}

/** Without permission check. */
export function dashboardNamed(call: LegacyCall, uid: string): KubeObject | undefined {
  return call.hasKind('dashboard/Dashboard') ? call.objects('dashboard/Dashboard').find(uid) : undefined;
}

/** The name of a dashboard by its integer id. */
export function dashboardWithId(call: LegacyCall, id: number): string | undefined {
  return call.hasKind('dashboard/Dashboard')
    ? call.objects('dashboard/Dashboard').findById(id)?.metadata.name
    : undefined;
}
