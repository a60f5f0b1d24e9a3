import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

interface Common {
  readonly label: string;
  readonly hint?: string | undefined;
  /** What is wrong with the value, in the words of the server. */
  readonly error?: string | undefined;
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** The label is only for screen readers. */
  readonly isLabelHidden?: boolean;
}

interface TextProps extends Common, Omit<JSX.HTMLAttributes<HTMLInputElement>, 'label' | 'value' | 'onInput'> {
  readonly type?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly autocomplete?: string;
  readonly list?: string;
  readonly disabled?: boolean;
}

/** A text field with its label, a hint, and what is wrong. */
export function TextField({ label, hint, error, value, onValue, isLabelHidden, ...rest }: TextProps) {
  const id = useId();
  const about = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id} class={isLabelHidden === true ? 'sr-only' : ''}>
        {label}
      </label>
      <input
        {...(rest as JSX.HTMLAttributes<HTMLInputElement>)}
        id={id}
        class="input"
        value={value}
        dir="auto"
        aria-invalid={error !== undefined}
        {...(about !== '' && { 'aria-describedby': about })}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

interface AreaProps extends Common {
  readonly rows?: number;
  readonly placeholder?: string;
}

export function TextArea({ label, hint, error, value, onValue, isLabelHidden, rows = 4, placeholder }: AreaProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={isLabelHidden === true ? 'sr-only' : ''}>
        {label}
      </label>
      <textarea
        id={id}
        class="input"
        rows={rows}
        dir="auto"
        value={value}
        {...(placeholder !== undefined && { placeholder })}
        aria-invalid={error !== undefined}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

interface SelectProps extends Common {
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly disabled?: boolean;
}

export function SelectField({ label, hint, error, value, onValue, isLabelHidden, options, disabled }: SelectProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={isLabelHidden === true ? 'sr-only' : ''}>
        {label}
      </label>
      <select
        id={id}
        class="input"
        value={value}
        disabled={disabled === true}
        onChange={(event) => onValue(event.currentTarget.value)}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

interface CheckProps {
  readonly label: string;
  readonly hint?: string;
  readonly checked: boolean;
  readonly onChecked: (checked: boolean) => void;
  readonly disabled?: boolean;
}

export function CheckField({ label, hint, checked, onChecked, disabled }: CheckProps) {
  const id = useId();
  return (
    <div class="field check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled === true}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        onChange={(event) => onChecked(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      <Notes id={id} hint={hint} error={undefined} />
    </div>
  );
}

function Notes({ id, hint, error }: { id: string; hint: string | undefined; error: string | undefined }) {
  return (
    <>
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} class="field-error" role="alert">
          {error}
        </p>
      )}
    </>
  );
}
