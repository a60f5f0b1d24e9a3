import type { UncachedRange } from '../../../../registry/uncached-objects.js';
import {
  ANY_ALERT,
  BY_FACET,
  EVERY,
  type Facet,
  LENGTHS,
  ofAlert,
  ofAuthor,
  ofDashboard,
  ofKey,
  ofPanel,
  ofTag,
} from '../facets.js';
import type { Tag } from '../tags.js';
import type { Annotations } from './lookup.js';
import type { Query } from './query.js';

/** Annotations of one class of lengths that have a facet. */
interface Part {
  readonly facet: Facet;
  readonly lengthClass: number;
  readonly count: number;
}

/** The ranges to read for a query, in the order of time, latest first. Every annotation that the query asks for is in one of them. */
export async function plan(annotations: Annotations, query: Query): Promise<readonly UncachedRange[]> {
  const choices = await Promise.all(choicesOf(query).map((facets) => partsOf(annotations, facets)));
  const sizes = choices.map((parts) => parts.reduce((sum, { count }) => sum + count, 0));
  const size = Math.min(...sizes);
  const parts = choices[sizes.indexOf(size)] ?? [];
  return parts.map((part) => ({
    ...rangeOf(annotations.namespace, part, query.range),
    first: probablyRead(part.count / size, query.limit),
  }));
}

/** The most rows of a range that are read at once at first. */
const LARGEST_CHUNK = 100;

/** How many rows of a part with this share of the annotations are read at first. */
function probablyRead(share: number, limit: number): number {
  return Math.min(LARGEST_CHUNK, Math.ceil(limit * share * 1.2) + 5);
}

/** The filters of the query, each as the facets of which an annotation must have one. */
function choicesOf({ alert, dashboard, panel, author, tags, matchAny, type }: Query): readonly (readonly Facet[])[] {
  const choices: (readonly Facet[])[] = [];
  if (alert !== undefined) choices.push([ofAlert(alert)]);
  if (dashboard !== undefined) choices.push([panel === undefined ? ofDashboard(dashboard) : ofPanel(dashboard, panel)]);
  if (author !== undefined) choices.push([ofAuthor(author)]);
  if (tags.length > 0 && matchAny) choices.push(tags.flatMap(wanted));
  if (!matchAny) choices.push(...tags.map(wanted));
  if (type === 'alert') choices.push([ANY_ALERT]);
  return choices.length === 0 ? [[EVERY]] : choices;
}

/** A tag without value stands for all tags with its key. */
function wanted(tag: Tag): readonly Facet[] {
  return tag.value === '' ? [ofKey(tag.key), ofTag(tag)] : [ofTag(tag)];
}

/** The parts that have annotations. */
async function partsOf(annotations: Annotations, facets: readonly Facet[]): Promise<readonly Part[]> {
  const counted = await Promise.all(
    facets.map(async (facet) => {
      const parts: Part[] = [];
      const prefix = [annotations.namespace, ...facet];
      for await (const { tuple, count } of annotations.counts({ index: BY_FACET, prefix }))
        parts.push({ facet, lengthClass: Number(tuple.at(-1)), count });
      return parts;
    }),
  );
  return counted.flat();
}

/** An annotation that overlaps a range of time begins in it or before, and so it ends at most its length after the range. */
function rangeOf(namespace: string, { facet, lengthClass }: Part, range: Query['range']): UncachedRange {
  const longest = LENGTHS[lengthClass] ?? Number.MAX_SAFE_INTEGER;
  const bounds = range && { from: [range.from], to: [range.to + longest + 1] };
  return { index: BY_FACET, prefix: [namespace, ...facet, lengthClass], ...bounds, reverse: true };
}
