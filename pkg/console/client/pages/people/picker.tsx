import { useSignal } from '@preact/signals';
import { useLoad } from '../../lib/load.js';
import { organizationId } from '../../lib/session.js';
import { Button } from '../../ui/button.js';
import { TextField } from '../../ui/field.js';
import { Shown } from './list.js';

export interface Choice {
  readonly key: string;
  readonly label: string;
  readonly hint?: string;
}

interface Props<One extends Choice> {
  readonly label: string;
  /** The text of the button beside each result. */
  readonly action: string;
  readonly find: (query: string, signal: AbortSignal) => Promise<readonly One[]>;
  readonly onChoose: (one: One) => Promise<unknown>;
  /** Keys that are left out, because they are chosen already. */
  readonly without?: ReadonlySet<string>;
}

/** A search whose results can be chosen. */
export function Picker<One extends Choice>({ label, action, find, onChoose, without = new Set() }: Props<One>) {
  const text = useSignal('');
  const loading = useLoad(
    (signal) => (text.value === '' ? Promise.resolve([]) : find(text.value, signal)),
    [text.value, label, organizationId.value],
  );
  return (
    <div class="stack tight">
      <TextField
        label={label}
        type="search"
        placeholder="Begin to type"
        value={text.value}
        onValue={(value) => (text.value = value)}
        autocomplete="off"
      />
      <div aria-live="polite">
        {text.value !== '' && (
          <Shown loading={loading} rows={1}>
            {(found) => {
              const left = found.filter(({ key }) => !without.has(key));
              if (left.length === 0) return <p class="muted">Nothing else is called so.</p>;
              return (
                <ul class="people-plain">
                  {left.map((one) => (
                    <li key={one.key}>
                      <span class="grow">
                        <span class="clamped people-name" dir="auto">
                          {one.label}
                        </span>
                        {one.hint !== undefined && <span class="clamped people-below muted">{one.hint}</span>}
                      </span>
                      <Button aria-label={`${action} ${one.label}`} onPress={() => onChoose(one)}>
                        {action}
                      </Button>
                    </li>
                  ))}
                </ul>
              );
            }}
          </Shown>
        )}
      </div>
    </div>
  );
}
