import { type KindName, WORDS } from '../model/kinds.js';

interface Props {
  /** The kinds that are offered, with their numbers. */
  readonly counts: readonly (readonly [kind: KindName, count: number])[];
  /** Undefined for all kinds. */
  readonly only: KindName | undefined;
  readonly onOnly: (kind: KindName | undefined) => void;
}

/** The number of objects of each kind. Each number is a filter. */
export function KindChips({ counts, only, onOnly }: Props) {
  const shown = counts.filter(([kind, count]) => count > 0 || kind === only);
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  if (shown.length === 0) return null;
  return (
    <fieldset class="kind-filter">
      <legend class="sr-only">Show</legend>
      <Chip word="Everything" count={all} isOn={only === undefined} onChoose={() => onOnly(undefined)} />
      {shown.map(([kind, count]) => (
        <Chip key={kind} word={WORDS[kind][2]} count={count} isOn={kind === only} onChoose={() => onOnly(kind)} />
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
