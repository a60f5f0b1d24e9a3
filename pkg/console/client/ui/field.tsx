import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

interface Common {
  readonly label: string;
  readonly hint?: string | undefined;
  /** The problem of the value, in the words of the server. */
  readonly error?: string | undefined;
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Whether the label is only for screen readers. */
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

/** A field with its label, its hint and its error. The caller makes the control with the given attributes. */
function Labelled({
  label,
  hint,
  error,
  isLabelHidden,
  children,
}: Omit<Common, 'value' | 'onValue'> & { readonly children: (control: Control) => ComponentChildren }) {
  const id = useId();
  const about = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ');
  const described = about === '' ? {} : { 'aria-describedby': about };
  return (
    <div class="field">
      <label for={id} class={isLabelHidden === true ? 'sr-only' : ''}>
        {label}
      </label>
      {children({ id, class: 'input', 'aria-invalid': error !== undefined, ...described })}
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

interface Control {
  readonly id: string;
  readonly class: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby'?: string;
}

/** A text field of one line. */
export function TextField({ label, hint, error, value, onValue, isLabelHidden, ...rest }: TextProps) {
  return (
    <Labelled {...{ label, hint, error, ...(isLabelHidden !== undefined && { isLabelHidden }) }}>
      {(control) => (
        <input
          {...(rest as JSX.HTMLAttributes<HTMLInputElement>)}
          {...control}
          value={value}
          dir="auto"
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

interface AreaProps extends Common {
  readonly rows?: number;
  readonly placeholder?: string;
}

/** A text field of several lines. */
export function TextArea({ value, onValue, rows = 4, placeholder, ...labels }: AreaProps) {
  return (
    <Labelled {...labels}>
      {(control) => (
        <textarea
          {...control}
          rows={rows}
          dir="auto"
          value={value}
          {...(placeholder !== undefined && { placeholder })}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

interface SelectProps extends Common {
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly disabled?: boolean;
}

/** A choice of one of several values. */
export function SelectField({ value, onValue, options, disabled, ...labels }: SelectProps) {
  return (
    <Labelled {...labels}>
      {(control) => (
        <select
          {...control}
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
      )}
    </Labelled>
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
