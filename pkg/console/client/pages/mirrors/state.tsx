import { type Condition, conditionOf, type Mirror, sentence, wordOf } from './mirrors.js';

/** Reasons that are no problem: the mirror is at work. */
const WORKING: readonly string[] = ['Sending', 'Comparing'];

/** Whether everything has arrived, and whether somebody has changed it there. */
export function MirrorState({ mirror }: { readonly mirror: Mirror }) {
  const drifted = conditionOf(mirror, 'Drifted');
  return (
    <span class="row">
      <Ready ready={conditionOf(mirror, 'Ready')} />
      {drifted?.status === 'True' && <span class="chip warn">Drifted</span>}
    </span>
  );
}

function Ready({ ready }: { readonly ready: Condition | undefined }) {
  if (ready === undefined) return <span class="chip">New</span>;
  if (ready.status === 'True') return <span class="chip ok">Ready</span>;
  const look = WORKING.includes(ready.reason) ? '' : 'warn';
  return <span class={`chip ${look}`}>{sentence(wordOf(ready.reason)).replace('.', '')}</span>;
}
