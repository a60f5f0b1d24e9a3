import { z } from 'zod';
import type { ApiResponse } from '../../../../pkg/http/handler.js';
import { arrayOf } from '../../../../pkg/kube/meta/bounded.js';
import { ulidGenerator } from '../../../../pkg/kube/meta/ulid.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure, requireAction } from '../../../../registry/legacy/errors.js';
import { deleted, done } from '../../../../registry/legacy/respond.js';
import type { AnnotationSpec } from '../schema.js';
import { annotationOfPath, annotationsOf, dashboardWithId, warnOfNumber } from './lookup.js';

const Tags = arrayOf(z.string(), 1000).nullish();
const Time = z.int().nullish();
const Data = z.looseObject({}).nullish();
export const Changes = z.object({ text: z.string().nullish(), tags: Tags, time: Time, timeEnd: Time, data: Data });
export const NewAnnotation = Changes.extend({
  dashboardId: z.int().nullish(),
  dashboardUID: z.string().nullish(),
  panelId: z.int().nullish(),
});
type NewAnnotation = z.infer<typeof NewAnnotation>;

const newName = ulidGenerator();

export async function create(call: LegacyCall): Promise<ApiResponse> {
  requireAction(annotationsOf(call), 'annotations:create');
  const { text, tags, time, timeEnd, data, panelId, ...body } = call.body(NewAnnotation);
  const dashboardUID = dashboardOf(call, body);
  return save(call, 'Annotation added', {
    text: text ?? '',
    ...times({ time: call.now() }, time, timeEnd),
    ...(dashboardUID !== '' && { dashboardUID }),
    ...(panelId && { panelID: panelId }),
    ...tagsOf(tags ?? []),
    ...(data && { data }),
  });
}

/** Creates an annotation, and answers with its integer id. */
export async function save(call: LegacyCall, message: string, spec: AnnotationSpec): Promise<ApiResponse> {
  const annotations = annotationsOf(call);
  const annotation = await annotations.create({ metadata: { name: newName() }, spec });
  return done(message, { id: annotations.idOf(annotation) });
}

/** Replaces text and tags. Times that are absent or 0, and absent data, stay. */
export async function replace(call: LegacyCall): Promise<ApiResponse> {
  const { metadata, spec: now } = annotationOfPath(call, 'update');
  const { text, tags, time, timeEnd, data } = call.body(Changes);
  call.keeps(placeOf(now));
  await annotationsOf(call).update(metadata.name, ({ spec, ...old }) => {
    const { tags: _, time: start, timeEnd: end, ...rest } = spec as AnnotationSpec;
    const kept = { ...rest, ...times({ time: start, timeEnd: end }, time, timeEnd), ...(data && { data }) };
    return { ...old, spec: { ...kept, text: text ?? '', ...tagsOf(tags ?? []) } };
  });
  return done('Annotation updated');
}

/** Changes the members that the body has. An empty text, times that are not above 0, and null change nothing. */
export async function patch(call: LegacyCall): Promise<ApiResponse> {
  const { metadata, spec: now } = annotationOfPath(call, 'update');
  const { text, tags, time, timeEnd, data } = call.body(Changes);
  call.keeps(placeOf(now));
  await annotationsOf(call).update(metadata.name, ({ spec, ...old }) => {
    const { tags: kept = [], time: start, timeEnd: end, ...rest } = spec as AnnotationSpec;
    const at = times({ time: start, timeEnd: end }, Math.max(0, time ?? 0), Math.max(0, timeEnd ?? 0));
    const changed = { ...rest, ...at, ...tagsOf(tags ?? kept), ...(text && { text }), ...(data && { data }) };
    return { ...old, spec: changed };
  });
  return done('Annotation patched');
}

export async function remove(call: LegacyCall): Promise<ApiResponse> {
  const { metadata } = annotationOfPath(call, 'delete');
  return deleted(await annotationsOf(call).delete(metadata.name), 'Annotation deleted');
}

/** Where an annotation is. It stays there. */
function placeOf({ dashboardUID = '', panelID = 0 }: AnnotationSpec): Readonly<Record<string, unknown>> {
  return { dashboardUID, panelId: panelID };
}

interface Times {
  readonly time: number;
  readonly timeEnd?: number | undefined;
}

/**
 * The times after a change. A time that is absent or 0 does not change. Callers may send the ends of a region in any
 * order. An annotation without an end does not get one when its time changes.
 */
function times(old: Times, time: number | null | undefined, timeEnd: number | null | undefined): Times {
  const start = time || old.time;
  const end = timeEnd || (old.timeEnd ?? start);
  if (start === end) return { time: start };
  return { time: Math.min(start, end), timeEnd: Math.max(start, end) };
}

function tagsOf(tags: readonly string[]): { readonly tags?: string[] } {
  return tags.every((tag) => tag.trim() === '') ? {} : { tags: tags.filter((tag) => tag.trim() !== '') };
}

/**
 * The name of the dashboard of a body. The strategy refuses one that does not exist. Throws 400 for a number that no
 * dashboard has.
 */
function dashboardOf(call: LegacyCall, { dashboardUID, dashboardId }: Partial<NewAnnotation>): string {
  if (dashboardUID) warnOfNumber(call, 'field "dashboardId"', dashboardId, dashboardUID);
  if (dashboardUID || !dashboardId) return dashboardUID ?? '';
  const name = dashboardWithId(call, dashboardId);
  if (name === undefined) throw plainFailure(400, 'Invalid dashboard ID in annotation request');
  return name;
}
