import { yielding } from '../../../../pkg/system/yielding/yielding.js';
import { endOf } from '../facets.js';
import type { AnnotationSpec } from '../schema.js';
import { isTagged, type Tag } from '../tags.js';
import type { Annotation, Annotations } from './lookup.js';
import { plan } from './plan.js';
import { MOST, type Query } from './query.js';

/** The most rows of the index that a query reads. A query whose filters match less than its limit ends here. */
const MOST_ROWS = MOST;
/** The most characters of the texts and data of an answer. */
const MOST_CHARACTERS = 16 * 2 ** 20;

/** The annotations that a query asks for and the caller may view, by end, then by start, latest first. */
export async function find(annotations: Annotations, query: Query): Promise<readonly Annotation[]> {
  const found: Annotation[] = [];
  let characters = 0;
  const ranges = plan(annotations, query);
  const { createdBy } = annotations.kind.ownedKeys;
  for await (const object of yielding(annotations.list(ranges, 0, MOST_ROWS))) {
    const annotation = object as Annotation;
    if (!matches(annotation, query, createdBy)) continue;
    found.push(annotation);
    characters += annotation.spec.text.length + JSON.stringify(annotation.spec.data ?? '').length;
    if (found.length >= query.limit || characters >= MOST_CHARACTERS) break;
  }
  return found;
}

function matches(annotation: Annotation, query: Query, createdBy: string): boolean {
  const { spec, metadata } = annotation;
  const { dashboard, panel, author, alert, type } = query;
  return (
    overlaps(spec, query.range) &&
    (dashboard === undefined || spec.dashboardUID === dashboard) &&
    (panel === undefined || spec.panelID === panel) &&
    (author === undefined || metadata.annotations?.[createdBy] === author) &&
    (alert === undefined || spec.alertID === alert) &&
    (type === undefined || (type === 'alert') === (spec.alertID !== undefined)) &&
    hasTags(spec, query)
  );
}

function overlaps(spec: AnnotationSpec, range: Query['range']): boolean {
  return range === undefined || (spec.time <= range.to && endOf(spec) >= range.from);
}

function hasTags({ tags: own = [] }: AnnotationSpec, { tags, matchAny }: Query): boolean {
  if (tags.length === 0) return true;
  const has = (tag: Tag): boolean => isTagged(own, tag);
  return matchAny ? tags.some(has) : tags.every(has);
}
