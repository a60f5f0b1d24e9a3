import type { LegacyCall } from '../../../../registry/legacy/call.js';
import type { Entry } from '../../../../registry/read/reader.js';
import { compare } from '../../../iam/legacy/lists.js';
import { BY_TITLE, type DashboardSummary } from '../schema.js';

interface TagCount {
  readonly term: string;
  readonly count: number;
}

/** The counts of callers who may view all dashboards, by the version of the dashboards and the namespace. */
const known = new WeakMap<object, Map<string, readonly TagCount[]>>();

/**
 * The tags of the dashboards that the caller may view, in order, with the number of these dashboards. No dashboard is
 * parsed.
 */
export function tagCounts(call: LegacyCall): readonly TagCount[] {
  const dashboards = call.objects('dashboard/Dashboard');
  const filter = dashboards.readFilter();
  const entries = call
    .ordered('dashboard/Dashboard', BY_TITLE)
    .matching({ words: [], rows: [], isDescending: false, excludes: filter.excludes });
  if (!filter.all) return counted(entries, filter.allows);
  const { version, namespace } = dashboards;
  const counts = known.get(version) ?? new Map<string, readonly TagCount[]>();
  const all = counts.get(namespace) ?? counted(entries, () => true);
  known.set(version, counts.set(namespace, all));
  return all;
}

function counted(entries: Iterable<Entry>, allows: (entry: Entry) => boolean): readonly TagCount[] {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const { tags } = entry.attributes.summary as DashboardSummary;
    if (tags.length === 0 || !allows(entry)) continue;
    for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts].map(([term, count]) => ({ term, count })).sort((a, b) => compare(a.term, b.term));
}
