import type { ApiResponse } from '../../../../pkg/http/handler.js';
import type { LegacyCall, LegacyServices } from '../../../../registry/legacy/call.js';
import { type ErrorRule, requireAction } from '../../../../registry/legacy/errors.js';
import { ok } from '../../../../registry/legacy/respond.js';
import { type LegacyRoute, type LegacyRouter, legacyRouter, routes } from '../../../../registry/legacy/router.js';
import { LONGEST_TAGS } from '../schema.js';
import { ANNOTATION, ANNOTATION_CREATED, ANNOTATION_TAGS, ANNOTATIONS } from './answers.js';
import { ANNOTATION_ANSWERED, annotationDtos } from './dto.js';
import { createEvent, EVENT_FAILED, Event } from './event.js';
import { find } from './find.js';
import { ANNOTATION_NOT_FOUND, annotationOfPath, annotationsOf } from './lookup.js';
import { MassDeleteBody, massDelete } from './mass-delete.js';
import { ANNOTATION_NOTES } from './notes.js';
import { queryOf } from './query.js';
import { tagCounts } from './tag-counts.js';
import { Changes, create, NewAnnotation, patch, remove, replace } from './write.js';

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
export function annotationRouter(services: LegacyServices): LegacyRouter {
  return legacyRouter(
    services,
    searchRoutes(),
    routes(
      {
        notes: ANNOTATION_NOTES,
        errors: errors('Failed to save annotation', ACCESS_DENIED),
        fallback: 'Failed to save annotation',
        answerMembers: ANNOTATION_ANSWERED,
      },
      {
        'POST /annotations': {
          answer: ANNOTATION_CREATED,
          summary: 'Creates an annotation',
          body: NewAnnotation,
          handle: create,
        },
      },
    ),
    routes(
      { notes: ANNOTATION_NOTES, errors: errors(EVENT_FAILED), fallback: EVENT_FAILED },
      {
        'POST /annotations/evt': {
          answer: ANNOTATION_CREATED,
          summary: 'Creates an annotation from an event',
          body: Event,
          handle: createEvent,
        },
        'POST /annotations/graphite': {
          answer: ANNOTATION_CREATED,
          summary: 'Creates an annotation from an event of Graphite',
          body: Event,
          handle: createEvent,
        },
      },
    ),
    routes(
      {
        notes: ANNOTATION_NOTES,
        errors: errors('Failed to update annotation'),
        fallback: 'Failed to update annotation',
        answerMembers: ANNOTATION_ANSWERED,
      },
      {
        'PUT /annotations/:annotationId': { summary: 'Replaces an annotation', body: Changes, handle: replace },
        'PATCH /annotations/:annotationId': { summary: 'Changes parts of an annotation', body: Changes, handle: patch },
      },
    ),
    routes(
      {
        notes: ANNOTATION_NOTES,
        errors: errors('Failed to delete annotation'),
        fallback: 'Failed to delete annotation',
      },
      {
        'POST /annotations/mass-delete': {
          summary: 'Deletes one annotation, or all annotations of a panel',
          body: MassDeleteBody,
          handle: massDelete,
        },
        'DELETE /annotations/:annotationId': { summary: 'Deletes an annotation', handle: remove },
      },
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
  return ok(annotationDtos(call)(annotationOfPath(call, 'get')));
}

/** The lists, and the tags. */
function searchRoutes(): readonly LegacyRoute[] {
  return routes(
    { notes: ANNOTATION_NOTES, errors: errors('Failed to get annotations'), fallback: 'Failed to get annotations' },
    {
      'GET /annotations': {
        answer: ANNOTATIONS,
        summary: 'Lists annotations',
        query: [
          'from',
          'to',
          'limit',
          'dashboardUID',
          'dashboardId',
          'panelId',
          'userId',
          'alertId',
          'alertUID',
          'type',
          'tags',
          'matchAny',
        ],
        lists: ['tags'],
        handle: list,
      },
      'GET /annotations/tags': {
        answer: ANNOTATION_TAGS,
        summary: 'Lists the tags of annotations, with their counts',
        query: ['tag', 'limit'],
        handle: tagCounts,
      },
      'GET /annotations/:annotationId': {
        single: true,
        answer: ANNOTATION,
        summary: 'Reads an annotation',
        handle: get,
      },
    },
  );
}
