import type { ApiResponse } from '../../../../pkg/http/handler.js';
import type { Router } from '../../../../pkg/http/router.js';
import type { LegacyCall, LegacyServices } from '../../../../registry/legacy/call.js';
import { type ErrorRule, requireAction } from '../../../../registry/legacy/errors.js';
import { ok } from '../../../../registry/legacy/respond.js';
import { legacyRouter, routes } from '../../../../registry/legacy/router.js';
import { LONGEST_TAGS } from '../schema.js';
import { annotationDtos } from './dto.js';
import { createEvent, EVENT_FAILED } from './event.js';
import { find } from './find.js';
import { ANNOTATION_NOT_FOUND, annotationOfPath, annotationsOf } from './lookup.js';
import { massDelete } from './mass-delete.js';
import { queryOf } from './query.js';
import { tagCounts } from './tag-counts.js';
import { create, patch, remove, replace } from './write.js';

const TAGS_TOO_LONG = { message: `Tags length exceeds the maximum allowed (${LONGEST_TAGS})` };

/** `failed` is the answer to an invalid text. */
function errors(failed: string, ...more: readonly ErrorRule[]): readonly ErrorRule[] {
  return [
    { field: 'spec.text', status: 400, body: { message: failed } },
    { field: 'spec.tags', status: 400, body: TAGS_TOO_LONG },
    { code: 404, status: 404, body: ANNOTATION_NOT_FOUND },
    ...more,
  ];
}

const ACCESS_DENIED: ErrorRule = {
  code: 403,
  status: 403,
  body: { message: 'Access denied to save the annotation' },
};

/** `/api/annotations`. */
export function annotationRouter(services: LegacyServices): Router {
  return legacyRouter(
    services,
    routes(
      { errors: errors('Failed to get annotations'), fallback: 'Failed to get annotations' },
      { 'GET /annotations': list, 'GET /annotations/tags': tagCounts, 'GET /annotations/:annotationId': get },
    ),
    routes(
      { errors: errors('Failed to save annotation', ACCESS_DENIED), fallback: 'Failed to save annotation' },
      { 'POST /annotations': create },
    ),
    routes(
      { errors: errors(EVENT_FAILED), fallback: EVENT_FAILED },
      { 'POST /annotations/evt': createEvent, 'POST /annotations/graphite': createEvent },
    ),
    routes(
      { errors: errors('Failed to update annotation'), fallback: 'Failed to update annotation' },
      { 'PUT /annotations/:annotationId': replace, 'PATCH /annotations/:annotationId': patch },
    ),
    routes(
      { errors: errors('Failed to delete annotation'), fallback: 'Failed to delete annotation' },
      { 'POST /annotations/mass-delete': massDelete, 'DELETE /annotations/:annotationId': remove },
    ),
  );
}

async function list(call: LegacyCall): Promise<ApiResponse> {
  const annotations = annotationsOf(call);
  requireAction(annotations, 'annotations:read');
  const query = queryOf(call);
  const found = query === undefined ? [] : await find(annotations, query);
  return ok(found.map(annotationDtos(call)));
}

async function get(call: LegacyCall): Promise<ApiResponse> {
  return ok(annotationDtos(call)(await annotationOfPath(call, 'get')));
}
