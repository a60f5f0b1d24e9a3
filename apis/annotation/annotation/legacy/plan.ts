import type { IndexRange } from '../../../../registry/client/object-reader.js';
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
  TO_CLASS,
} from '../facets.js';
import type { Tag } from '../tags.js';
import type { Annotations } from './lookup.js';
import type { Query } from './query.js';

/** Annotations of one class of lengths that have a facet. */
interface Part {
  readonly facet: Facet;
  readonly lengthClass: number;
  /** An estimate for tags. */
  readonly count: number;
}

/**
 * The ranges to read for a query, in the order of time, latest first. Every annotation that the query asks for is in
 * one of them.
 */
export function plan(annotations: Annotations, query: Query): readonly IndexRange[] {
  let parts: readonly Part[] | undefined;
  const every = (): readonly Part[] => {
    parts ??= facetParts(annotations, EVERY);
    return parts;
  };
  const choices = choicesOf(query).map((facets) => partsOf(annotations, facets, every));
  const sizes = choices.map(sizeOf);
  const fewest = choices[sizes.indexOf(Math.min(...sizes))] ?? [];
  return fewest.map((part) => rangeOf(annotations.namespace, part, query.range));
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
function partsOf(annotations: Annotations, facets: readonly Facet[], every: () => readonly Part[]): readonly Part[] {
  return facets.flatMap((facet) => {
    if (facet === EVERY) return every();
    return indexOf(facet) === BY_TAG ? tagParts(annotations, facet, every) : facetParts(annotations, facet);
  });
}

function facetParts(annotations: Annotations, facet: Facet): readonly Part[] {
  const counts = [...annotations.counts(indexOf(facet), [annotations.namespace, ...facet], TO_CLASS)];
  return counts.map(({ tuple, count }) => ({ facet, lengthClass: Number(tuple.at(-1)), count }));
}

/** The annotations with a tag are counted together. So their lengths are taken to be like those of all annotations. */
function tagParts(annotations: Annotations, facet: Facet, every: () => readonly Part[]): readonly Part[] {
  const count = annotations.countOf(BY_TAG, [annotations.namespace, ...facet]);
  const all = every();
  const share = count / sizeOf(all);
  return count === 0 ? [] : all.map((part) => ({ ...part, facet, count: part.count * share }));
}

function sizeOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0);
}

/**
 * An annotation that overlaps a range of time begins in it or before, and so it ends at most its length after the
 * range.
 */
function rangeOf(namespace: string, { facet, lengthClass }: Part, range: Query['range']): IndexRange {
  const longest = LENGTHS[lengthClass] ?? Number.MAX_SAFE_INTEGER;
  const bounds = range && { from: [range.from], to: [range.to + longest + 1] };
  return { index: indexOf(facet), prefix: [namespace, ...facet, lengthClass], ...bounds, reverse: true };
}
