import { TextField } from './field.js';

/** The most characters of a message that the server takes. */
const LONGEST = 5000;

interface Props {
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Whether it is about a new object. */
  readonly isNew?: boolean;
  readonly autofocus?: boolean;
}

/** Asks why something is saved. */
export function WhyField({ value, onValue, isNew = false, autofocus = false }: Props) {
  return (
    <TextField
      label={isNew ? 'What is it for? (optional)' : 'Why? (optional)'}
      hint="The history shows it beside this version."
      value={value}
      onValue={onValue}
      maxLength={LONGEST}
      autocomplete="off"
      autofocus={autofocus}
    />
  );
}
