import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { tupleCounts } from '../../../../registry/legacy/tuple-counts.js';
import { objectOf } from '../../../../registry/reader.js';
import { compare } from '../../../iam/legacy/lists.js';
import { BY_TAG, type DashboardSpec } from '../schema.js';

interface TagCount {
  readonly term: string;
  readonly count: number;
}

/** The tags of the dashboards that the caller may view, in order, with the number of these dashboards. */
export function tagCounts(call: LegacyCall): readonly TagCount[] {
  const { namespace } = call.organization;
  return tupleCounts(call.objects('Dashboard'), BY_TAG)
    .map(({ count, entry, isOf }): TagCount => {
      const { tags = [] } = objectOf<DashboardSpec>(entry).spec ?? {};
      return { term: tags.find((tag) => isOf([namespace, tag])) ?? '', count };
    })
    .sort((a, b) => compare(a.term, b.term));
}
