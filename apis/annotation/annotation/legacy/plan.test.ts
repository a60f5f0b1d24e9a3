import { expect } from 'chai';
import fc from 'fast-check';
import type { Tuple } from '../../../../registry/kinds/kind.js';
import { BY_FACET, BY_TAG, rowsOf } from '../facets.js';
import type { AnnotationSpec } from '../schema.js';
import type { Annotations } from './lookup.js';
import { plan } from './plan.js';
import type { Query } from './query.js';

const MINUTE = 60_000;
const ALL: Query = { tags: [], matchAny: false, limit: 100 };

interface Row {
  readonly index: string;
  readonly tuple: Tuple;
  readonly spec: AnnotationSpec;
}

/** The rows of annotations, with their counts. */
function stored(specs: readonly AnnotationSpec[]) {
  const rows = specs.flatMap((spec) => {
    const annotations = { 'svc.app/createdBy': 'user:ada' };
    const object = { apiVersion: '', kind: '', metadata: { name: 'x', namespace: 'default', annotations }, spec };
    const inIndex = (index: string): readonly Row[] =>
      rowsOf(object, 'svc.app', index).map((tuple) => ({ index, tuple, spec }));
    return [...inIndex(BY_FACET), ...inIndex(BY_TAG)];
  });
  function* counts(index: string, prefix: Tuple, length: number) {
    const counted = new Map<string, number>();
    for (const row of rows) {
      if (row.index !== index || !startsWith(row.tuple, prefix)) continue;
      const key = JSON.stringify(row.tuple.slice(0, length));
      counted.set(key, (counted.get(key) ?? 0) + 1);
    }
    for (const [key, count] of counted) yield { tuple: JSON.parse(key) as Tuple, count };
  }
  const countOf = (index: string, prefix: Tuple): number => {
    for (const only of counts(index, prefix, prefix.length)) return only.count;
    return 0;
  };
  return { rows, annotations: { namespace: 'default', counts, countOf } as unknown as Annotations };
}

function startsWith(tuple: Tuple, prefix: Tuple): boolean {
  return prefix.every((element, i) => tuple[i] === element);
}

async function readBy(specs: readonly AnnotationSpec[], query: Partial<Query>): Promise<readonly AnnotationSpec[]> {
  const { rows, annotations } = stored(specs);
  const ranges = plan(annotations, { ...ALL, ...query });
  const isRead = ({ index, tuple }: Row): boolean =>
    ranges.some(({ index: own, prefix, from = [0], to = [Number.POSITIVE_INFINITY] }) => {
      const end = Number(tuple[prefix.length]);
      return own === index && startsWith(tuple, prefix) && end >= Number(from[0]) && end < Number(to[0]);
    });
  return [...new Set(rows.filter(isRead).map(({ spec }) => spec))];
}

const SPECS = fc.array(
  fc.record({ time: fc.nat(1e9), length: fc.oneof(fc.constant(0), fc.nat(1e4), fc.nat(1e7), fc.nat(1e9)) }),
  { maxLength: 50 },
);

describe('the plan of a query of annotations', () => {
  it('reads all that overlap a range of time, and little that begins after it, however long the regions are', async () => {
    const property = fc.asyncProperty(SPECS, fc.nat(1e9), fc.nat(1e8), async (drawn, from, length) => {
      const specs = drawn.map(({ time, length }) => ({ text: '', time, timeEnd: time + length }));
      const to = from + length;
      const read = await readBy(specs, { range: { from, to } });
      for (const spec of specs) {
        const { time, timeEnd } = spec;
        if (time <= to && timeEnd >= from) expect(read).to.include(spec);
        if (timeEnd < from) expect(read).to.not.include(spec);
        const own = timeEnd - time;
        if (timeEnd - to > Math.max(4 * own, own === 0 ? 0 : MINUTE)) expect(read).to.not.include(spec);
      }
    });
    await fc.assert(property);
  });

  it('reads the filter with the fewest annotations', async () => {
    const common = { text: '', time: 1, dashboardUID: 'a', tags: ['often', 'k:v'] };
    const rare = { text: '', time: 1, dashboardUID: 'b', tags: ['often', 'rare'] };
    const specs = [common, { ...common }, { ...common }, rare];
    const tag = (key: string) => ({ key, value: '' });
    expect(await readBy(specs, { tags: [tag('often'), tag('rare')] })).to.deep.equal([rare]);
    expect(await readBy(specs, { tags: [tag('often')], dashboard: 'b' })).to.deep.equal([rare]);
    expect(await readBy(specs, { tags: [tag('rare'), tag('k')], matchAny: true })).to.have.length(4);
    expect(await readBy(specs, { tags: [tag('k'), tag('rare')] })).to.deep.equal([rare]);
  });

  it('reads nothing if a filter has no annotations', async () => {
    const specs = [{ text: '', time: 1, tags: ['a'] }];
    for (const query of [{ dashboard: 'none' }, { alert: 7 }, { author: 'user:bob' }, { type: 'alert' as const }])
      expect(await readBy(specs, { tags: [{ key: 'a', value: '' }], ...query })).to.deep.equal([]);
  });
});
