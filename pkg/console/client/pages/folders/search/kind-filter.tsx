import { KindChips } from '../contents/kind-chips.js';
import type { TagCount } from '../model/find.js';
import { useView } from './query.js';

const KINDS = ['folders', 'dashboards'] as const;

/** The kinds to filter by, with the numbers of their hits. */
export function KindFilter({ counts }: { readonly counts: readonly TagCount[] }) {
  const [{ kind }, show] = useView();
  const numberOf = (name: string): number => counts.find(({ term }) => term === name)?.count ?? 0;
  return (
    <KindChips
      counts={KINDS.map((name) => [name, numberOf(name)] as const)}
      only={KINDS.find((name) => name === kind)}
      onOnly={(one) => show({ kind: one ?? '' })}
    />
  );
}
