import { useLoad } from '../../../lib/load.js';
import { Notice } from '../../../ui/states.js';
import { namesOfSubjects } from './subjects.js';

/** A warning about access. Names have no spaces, so the advice begins after the first dot that a space follows. */
const ABOUT_ACCESS = /^these (gain|lose) access to (.*?): (.*?)(?:\. .*)?$/s;

/** Who gains and who loses access by a change, and all other warnings of the server. */
export function Consequences({ warnings }: { readonly warnings: readonly string[] }) {
  if (warnings.length === 0) return <Notice look="ok">Nobody gains access, and nobody loses it.</Notice>;
  return (
    <div class="stack tight">
      {warnings.map((warning) => {
        const [, verb, , names] = ABOUT_ACCESS.exec(warning) ?? [];
        return verb === undefined || names === undefined ? (
          <Notice key={warning} look="warn">
            {warning}
          </Notice>
        ) : (
          <Subjects key={warning} isGain={verb === 'gain'} names={names.split(', ')} warning={warning} />
        );
      })}
    </div>
  );
}

interface SubjectsProps {
  readonly isGain: boolean;
  readonly names: readonly string[];
  readonly warning: string;
}

function Subjects({ isGain, names, warning }: SubjectsProps) {
  const { state } = useLoad(() => namesOfSubjects(names), [warning]);
  const shown = state.value.value ?? names;
  return (
    <div class={`access-change ${isGain ? 'gain' : 'loss'}`} title={warning}>
      <h3>{isGain ? 'Gain access' : 'Lose access'}</h3>
      <ul class="access-names">
        {shown.map((name) => (
          <li key={name} class={`chip ${isGain ? 'ok' : 'danger'}`} dir="auto">
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}
