import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { compare } from '../../../iam/legacy/lists.js';
import type { DashboardSummary } from '../schema.js';

interface TagCount {
  readonly term: string;
  readonly count: number;
}

/** The tags of the dashboards that the caller may view, in order, with the number of these dashboards. No dashboard is parsed. */
export function tagCounts(call: LegacyCall): readonly TagCount[] {
  const dashboards = call.objects('Dashboard');
  const filter = dashboards.readFilter();
  const counts = new Map<string, number>();
  for (const entry of dashboards.entries()) {
    const { tags } = entry.attributes.summary as DashboardSummary;
    if (tags.length === 0 || !(filter.all || filter.allows(entry))) continue;
    for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts].map(([term, count]) => ({ term, count })).sort((a, b) => compare(a.term, b.term));
}
