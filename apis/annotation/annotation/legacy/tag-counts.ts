import type { ApiResponse } from '../../../../pkg/http/handler.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { requireAction } from '../../../../registry/legacy/errors.js';
import { ok } from '../../../../registry/legacy/respond.js';
import { compare } from '../../../iam/legacy/lists.js';
import { BY_TAG, type Facet, isShortened, ofTag, TAG, TO_FACET } from '../facets.js';
import { type Tag, tagOf, textOf } from '../tags.js';
import { find } from './find.js';
import { type Annotations, annotationsOf } from './lookup.js';
import { limitOf, MOST } from './query.js';

interface TagCount {
  readonly tag: Tag;
  readonly count: number;
}

interface Wanted {
  /** In lower case. */
  readonly text: string;
  readonly limit: number;
}

/** The most tags that a request reads. */
const MOST_TAGS = 100_000;

/**
 * Tags whose key or value contains a text, by key and value, with the number of their annotations. For callers who may
 * view only some annotations, only the latest of these are counted.
 */
export async function tagCounts(call: LegacyCall): Promise<ApiResponse> {
  const annotations = annotationsOf(call);
  requireAction(annotations, 'annotations:read');
  const text = (call.query.get('tag') ?? '').trim().toLowerCase();
  const wanted = { text, limit: limitOf(call) };
  const counts = annotations.seesAll ? allCounts(annotations, wanted) : await visibleCounts(annotations);
  const tags = counts
    .filter(({ tag }) => contains(tag, wanted))
    .sort((a, b) => compare(a.tag.key, b.tag.key) || compare(a.tag.value, b.tag.value))
    .slice(0, wanted.limit)
    .map(({ tag, count }) => ({ tag: textOf(tag), count }));
  return ok({ result: { tags } });
}

function contains(tag: Tag, { text }: Wanted): boolean {
  return text === '' || textOf(tag).toLowerCase().includes(text);
}

/** The counts of all annotations. They are in order, except for long tags. */
function allCounts(annotations: Annotations, wanted: Wanted): readonly TagCount[] {
  const [counts, long]: [TagCount[], TagCount[]] = [[], []];
  let read = 0;
  const prefix = [annotations.namespace, TAG];
  for (const { tuple, count } of annotations.counts(BY_TAG, prefix, TO_FACET)) {
    const [, , key = '', value = ''] = tuple;
    if (!isShortened(key) && !isShortened(value)) {
      const tag = { key: String(key), value: String(value) };
      if (contains(tag, wanted)) counts.push({ tag, count });
    } else if (long.length < wanted.limit) {
      const tag = longTag(annotations, [TAG, key, value]);
      if (tag !== undefined) long.push({ tag, count });
    }
    if (counts.length >= wanted.limit || ++read >= MOST_TAGS) break;
  }
  return [...counts, ...long];
}

/** A long tag is stored as a hash. One of its annotations has the text. */
function longTag(annotations: Annotations, facet: Facet): Tag | undefined {
  const prefix = [annotations.namespace, ...facet];
  for (const { spec } of annotations.range({ index: BY_TAG, prefix })) {
    return spec?.tags?.map(tagOf).find((tag) => ofTag(tag).join() === facet.join());
  }
  return undefined;
}

async function visibleCounts(annotations: Annotations): Promise<readonly TagCount[]> {
  const counts = new Map<string, number>();
  for (const { spec } of await find(annotations, { tags: [], matchAny: false, limit: MOST })) {
    for (const tag of spec.tags ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts].map(([tag, count]) => ({ tag: tagOf(tag), count }));
}
