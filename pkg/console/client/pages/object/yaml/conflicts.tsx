import { yamlOf } from '../../../editor/yaml.js';
import { Button } from '../../../ui/button.js';
import { Changer } from './changer.js';
import type { Editing } from './editing.js';
import { type Conflict, fieldOf } from './three-way.js';

/** The most characters of a value that are shown. */
const MOST = 1000;

/** The fields that others have changed to other values. The person decides about each. */
export function Conflicts({ editing }: { readonly editing: Editing }) {
  const conflicts = editing.conflicts.value;
  if (conflicts.length === 0) return null;
  const all = (takeTheirs: boolean): void => {
    for (const conflict of conflicts) editing.resolve(conflict, takeTheirs);
  };
  return (
    <section class="card stack tight conflicts" aria-labelledby="conflicts">
      <div role="status">
        <h2 id="conflicts">
          <Changer change={editing.others.value} /> changed{' '}
          {conflicts.length === 1 ? 'a field' : `${conflicts.length} fields`} that you changed, too
        </h2>
      </div>
      <p class="muted">Decide which value to keep. Their other changes are in your text already.</p>
      <ul class="stack tight">
        {conflicts.map((conflict) => (
          <One key={fieldOf(conflict.path)} editing={editing} conflict={conflict} />
        ))}
      </ul>
      {conflicts.length > 1 && (
        <div class="row">
          <Button onPress={() => all(true)}>Take over all of theirs</Button>
          <Button onPress={() => all(false)}>Keep all of mine</Button>
        </div>
      )}
    </section>
  );
}

function One({ editing, conflict }: { readonly editing: Editing; readonly conflict: Conflict }) {
  const field = fieldOf(conflict.path);
  return (
    <li class="conflict">
      <h3 class="mono">{field}</h3>
      <Value label="Theirs" value={conflict.theirs} />
      <Value label="Mine" value={conflict.mine} />
      <div class="row">
        <Button aria-label={`Take over theirs: ${field}`} onPress={() => editing.resolve(conflict, true)}>
          Take over theirs
        </Button>
        <Button aria-label={`Keep mine: ${field}`} onPress={() => editing.resolve(conflict, false)}>
          Keep mine
        </Button>
      </div>
    </li>
  );
}

function Value({ label, value }: { readonly label: string; readonly value: unknown }) {
  const text = value === undefined ? '' : yamlOf(value).trimEnd();
  return (
    <div class="conflict-value">
      <span class="muted">{label}</span>
      {value === undefined ? (
        <p>Removed</p>
      ) : (
        <pre dir="auto">{text.length > MOST ? `${text.slice(0, MOST)} …` : text}</pre>
      )}
    </div>
  );
}
