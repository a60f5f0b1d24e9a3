import type { UncachedRange } from '../../../../registry/uncached-objects.js';
import {
  ANY_ALERT,
  BY_TAG,
  EVERY,
  type Facet,
  indexOf,
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
  /** Roughly, for tags. */
  readonly count: number;
}

/** The ranges to read for a query, in the order of time, latest first. Every annotation that the query asks for is in one of them. */
export async function plan(annotations: Annotations, query: Query): Promise<readonly UncachedRange[]> {
  let parts: Promise<readonly Part[]> | undefined;
  const every = (): Promise<readonly Part[]> => {
    parts ??= storedParts(annotations, EVERY);
    return parts;
  };
  const choices = await Promise.all(choicesOf(query).map((facets) => partsOf(annotations, facets, every)));
  const sizes = choices.map(sizeOf);
  const size = Math.min(...sizes);
  return (choices[sizes.indexOf(size)] ?? []).map((part) => ({
    ...rangeOf(annotations.namespace, part, query.range),
    first: probablyRead(part.count / size, query.limit),
  }));
}

/** The most rows of a range that are read at once at first. */
const LARGEST_CHUNK = 100;

/** How many rows of a part with this share of the annotations are read at first. */
function probablyRead(share: number, limit: number): number {
  return Math.min(LARGEST_CHUNK, Math.ceil(limit * share * 1.2) + 20);
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

/** The parts of facets that have annotations. `every` returns those of all annotations. */
async function partsOf(
  annotations: Annotations,
  facets: readonly Facet[],
  every: () => Promise<readonly Part[]>,
): Promise<readonly Part[]> {
  const parts = facets.map((facet) => {
    if (facet === EVERY) return every();
    return indexOf(facet) === BY_TAG ? tagParts(annotations, facet, every) : storedParts(annotations, facet);
  });
  return (await Promise.all(parts)).flat();
}

/** The parts of a facet, as the store counts them. */
async function storedParts(annotations: Annotations, facet: Facet): Promise<readonly Part[]> {
  const parts: Part[] = [];
  const prefix = [annotations.namespace, ...facet];
  for await (const { tuple, count } of annotations.counts({ index: indexOf(facet), prefix }))
    parts.push({ facet, lengthClass: Number(tuple.at(-1)), count });
  return parts;
}

/** The annotations with a tag are counted together. So their lengths are taken to be like those of all annotations. */
async function tagParts(
  annotations: Annotations,
  facet: Facet,
  every: () => Promise<readonly Part[]>,
): Promise<readonly Part[]> {
  const [count, all] = await Promise.all([annotations.count(BY_TAG, [annotations.namespace, ...facet]), every()]);
  const share = count / sizeOf(all);
  return count === 0 ? [] : all.map((part) => ({ ...part, facet, count: part.count * share }));
}

function sizeOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0);
}

/** An annotation that overlaps a range of time begins in it or before, and so it ends at most its length after the range. */
function rangeOf(namespace: string, { facet, lengthClass }: Part, range: Query['range']): UncachedRange {
  const longest = LENGTHS[lengthClass] ?? Number.MAX_SAFE_INTEGER;
  const bounds = range && { from: [range.from], to: [range.to + longest + 1] };
  return { index: indexOf(facet), prefix: [namespace, ...facet, lengthClass], ...bounds, reverse: true };
}
