import { namespace } from '../../lib/session.js';
import { Combobox } from '../../ui/combobox.js';

export interface Choice {
  readonly key: string;
  readonly label: string;
  readonly hint?: string;
}

interface Props<One extends Choice> {
  readonly label: string;
  readonly find: (query: string, signal: AbortSignal) => Promise<readonly One[]>;
  readonly onChoose: (one: One) => Promise<unknown>;
  /** Keys that are left out, because they are chosen already. */
  readonly without?: ReadonlySet<string>;
}

/** A search whose results can be chosen. */
export function Picker<One extends Choice>({ label, find, onChoose, without = new Set() }: Props<One>) {
  return (
    <Combobox<One>
      label={label}
      about={`${namespace.value} ${[...without].join(' ')}`}
      find={async (text, signal) => ({
        items: (await find(text.trim(), signal)).filter(({ key }) => !without.has(key)),
      })}
      keyOf={({ key }) => key}
      render={({ label: name, hint }) => (
        <>
          <span class="clamped people-name" dir="auto">
            {name}
          </span>
          {hint !== undefined && <span class="clamped people-below muted">{hint}</span>}
        </>
      )}
      onChoose={onChoose}
      none="Nobody else is called so."
    />
  );
}
