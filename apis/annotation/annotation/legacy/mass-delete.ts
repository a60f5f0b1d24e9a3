import { z } from 'zod';
import type { ApiResponse } from '../../../../pkg/http/handler.js';
import { isTerminating } from '../../../../pkg/kube/meta/types.js';
import { ignoreMissing } from '../../../../pkg/kube/status/errors.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { badRequestData, plainFailure, requireAction } from '../../../../registry/legacy/errors.js';
import { refuseOther } from '../../../../registry/legacy/identity.js';
import { done } from '../../../../registry/legacy/respond.js';
import { BY_FACET, ofPanel } from '../facets.js';
import {
  ANNOTATION_NOT_FOUND,
  type Annotations,
  annotationsOf,
  dashboardNamed,
  dashboardWithId,
  warnOfNumber,
} from './lookup.js';

export const MassDeleteBody = z.object({
  annotationId: z.int().nullish(),
  dashboardId: z.int().nullish(),
  dashboardUID: z.string().nullish(),
  panelId: z.int().nullish(),
});

/** The annotations that are deleted at a time. The engine commits them together. */
const CHUNK = 200;

/** Deletes one annotation, or all annotations of a panel. */
export async function massDelete(call: LegacyCall): Promise<ApiResponse> {
  const annotations = annotationsOf(call);
  requireAction(annotations, 'annotations:delete');
  const { annotationId, dashboardId, panelId, ...body } = call.body(MassDeleteBody);
  const dashboard = body.dashboardUID || (dashboardId ? dashboardWithId(call, dashboardId) : undefined);
  if (body.dashboardUID) warnOfNumber(call, 'field "dashboardId"', dashboardId, body.dashboardUID);
  if (annotationId) {
    await removeOne(annotations, annotationId, { dashboardUID: dashboard, panelId });
    return done('Annotations deleted');
  }
  if (dashboard === undefined || !panelId)
    throw badRequestData(undefined, 'annotationId, or dashboardUID and panelId: one of the two is needed');
  await removePanel(call, dashboard, panelId);
  return done('Annotations deleted');
}

/** Throws 400 if the annotation is not in the place that the body names. */
async function removeOne(annotations: Annotations, id: number, place: object): Promise<void> {
  const byId = annotations.findById(id);
  annotations.authorize('delete', byId);
  if (byId === undefined) throw plainFailure(404, ANNOTATION_NOT_FOUND.message);
  refuseOther(place, { dashboardUID: byId.spec?.dashboardUID ?? '', panelId: byId.spec?.panelID ?? 0 });
  await annotations.delete(byId.metadata.name);
}

/**
 * Deletes chunk after chunk, because a panel may have more annotations than fit into a commit. Throws 400 for a
 * dashboard that does not exist.
 */
async function removePanel(call: LegacyCall, dashboardUID: string, panel: number): Promise<void> {
  const annotations = annotationsOf(call);
  const { apiVersion, kind } = annotations.kind;
  const { namespace } = annotations;
  const spec = { text: '', time: 0, dashboardUID };
  annotations.authorize('delete', { apiVersion, kind, metadata: { name: '', namespace }, spec });
  if (dashboardNamed(call, dashboardUID) === undefined)
    throw badRequestData(undefined, 'dashboardUID: there is no such dashboard');
  for (;;) {
    const names = someNames(annotations, dashboardUID, panel);
    await Promise.all(names.map((name) => annotations.delete(name).catch(ignoreMissing)));
    if (names.length < CHUNK) return;
  }
}

/**
 * At most CHUNK annotations of the panel, without those that the caller may not delete, and those that are terminating
 * already.
 */
function someNames(annotations: Annotations, dashboard: string, panel: number): readonly string[] {
  const names: string[] = [];
  const prefix = [annotations.namespace, ...ofPanel(dashboard, panel)];
  for (const annotation of annotations.range({ index: BY_FACET, prefix })) {
    if (!isTerminating(annotation) && annotations.may('annotations:delete', annotation))
      names.push(annotation.metadata.name);
    if (names.length >= CHUNK) break;
  }
  return names;
}
