import type { TagCount } from '../model/find.js';
import { WORDS } from '../model/kinds.js';
import { useView } from './query.js';

const KINDS = ['folders', 'dashboards'] as const;

/** The kinds to filter by, with the numbers of their hits. */
export function KindFilter({ counts }: { readonly counts: readonly TagCount[] }) {
  const [{ kind }, show] = useView();
  const numberOf = (name: string): number => counts.find(({ term }) => term === name)?.count ?? 0;
  const all = KINDS.map(numberOf).reduce((sum, count) => sum + count, 0);
  const offered = KINDS.filter((name) => numberOf(name) > 0 || name === kind);
  if (offered.length === 0) return null;
  return (
    <fieldset class="kind-filter">
      <legend class="sr-only">Show</legend>
      <Chip word="Everything" count={all} isOn={kind === ''} onChoose={() => show({ kind: '' })} />
      {offered.map((name) => (
        <Chip
          key={name}
          word={WORDS[name][2]}
          count={numberOf(name)}
          isOn={kind === name}
          onChoose={() => show({ kind: name })}
        />
      ))}
    </fieldset>
  );
}

interface ChipProps {
  readonly word: string;
  readonly count: number;
  readonly isOn: boolean;
  readonly onChoose: () => void;
}

function Chip({ word, count, isOn, onChoose }: ChipProps) {
  return (
    <button type="button" class="chip tag" aria-pressed={isOn} onClick={onChoose}>
      {word} <span class="muted">{count.toLocaleString('en')}</span>
    </button>
  );
}
