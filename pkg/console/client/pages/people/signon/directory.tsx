import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from '../../../ui/button.js';
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/field.js';
import {
  ACCOUNT,
  CONNECTION,
  type DirectoryField,
  type DirectoryProps,
  ENCRYPTION,
  GROUPS,
  PEOPLE,
  textOf,
  valueAt,
  withText,
  withValue,
} from './directory-settings.js';
import { Mappings } from './mappings.js';
import { MASKED } from './settings.js';

/** All settings of one directory. */
export function DirectoryFields(props: DirectoryProps) {
  const { number, directory, onRemove, disabled } = props;
  const several = (fields: readonly DirectoryField[]) =>
    fields.map((field) => <OneField key={field.key} {...props} field={field} />);
  return (
    <fieldset class="people-fields people-directory stack">
      <legend dir="auto">{directory.host ? `${number}. ${directory.host}` : `Directory ${number}`}</legend>
      <div class="people-grid">
        <Part title="Connection">
          {several(CONNECTION)}
          <Encryption {...props} />
          {several(ENCRYPTION)}
        </Part>
        <Part title="Account">{several(ACCOUNT)}</Part>
        <Part title="People">{several(PEOPLE)}</Part>
        <Part title="Groups of a person">{several(GROUPS)}</Part>
      </div>
      <Mappings {...props} />
      <div>
        <Button look="danger" disabled={disabled} onPress={onRemove}>
          Remove directory {number}
        </Button>
      </div>
    </fieldset>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <fieldset class="people-fields people-card stack">
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

const WAYS = [
  ['', 'None, which only this machine may have'],
  ['use_ssl', 'TLS'],
  ['start_tls', 'StartTLS'],
] as const;

function Encryption({ directory, errorAt, disabled, onChange }: DirectoryProps) {
  const value = directory['start_tls'] === true ? 'start_tls' : directory['use_ssl'] === true ? 'use_ssl' : '';
  const choose = (way: string): void => {
    const [tls, start] = [way === 'use_ssl' || undefined, way === 'start_tls' || undefined];
    onChange(withValue(withValue(directory, 'use_ssl', tls), 'start_tls', start));
  };
  return (
    <SelectField
      label="Encryption"
      value={value}
      options={WAYS}
      error={errorAt('use_ssl') ?? errorAt('start_tls')}
      disabled={disabled}
      onValue={choose}
    />
  );
}

function OneField({
  directory,
  field,
  hintOf,
  errorAt,
  disabled,
  onChange,
}: DirectoryProps & { readonly field: DirectoryField }) {
  const { key, label, look, placeholder } = field;
  const [hint, error] = [hintOf(key), errorAt(key)];
  const value = textOf(directory, field);
  // A stored secret comes back if what was typed in its place is deleted.
  const isStored = useRef(value === MASKED).current;
  const onValue = (text: string): void => onChange(withText(directory, field, text === '' && isStored ? MASKED : text));
  if (look === 'flag')
    return (
      <CheckField
        label={label}
        {...(hint !== undefined && { hint })}
        checked={valueAt(directory, key) === true}
        disabled={disabled}
        onChecked={(checked) => onChange(withValue(directory, key, checked || undefined))}
      />
    );
  const shared = { label, hint, error, value: value === MASKED ? '' : value, onValue };
  if (look === 'lines') return <Lines {...shared} {...(placeholder !== undefined && { placeholder })} />;
  const isKept = value === MASKED;
  if (look === 'pem' || look === 'area')
    return <TextArea {...shared} rows={3} {...(isKept && { placeholder: '••••••••' })} />;
  return (
    <TextField
      {...shared}
      disabled={disabled}
      autocomplete={look === 'secret' ? 'new-password' : 'off'}
      placeholder={isKept ? '••••••••' : (placeholder ?? '')}
      {...(isKept && { hint: `${hint ?? ''} One is stored. Type to replace it.` })}
      {...(look === 'secret' && { type: 'password' })}
      {...(look === 'number' && { inputMode: 'numeric' as const })}
    />
  );
}

interface LinesProps {
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  readonly value: string;
  readonly placeholder?: string;
  readonly onValue: (text: string) => void;
}

/** A list of texts. An empty line, in which the next one is typed, is not a text yet. */
function Lines({ value, hint, onValue, ...rest }: LinesProps) {
  const typed = useSignal(value);
  return (
    <TextArea
      {...rest}
      rows={2}
      hint={`${hint ?? ''} One in each line.`}
      value={typed.value}
      onValue={(text) => {
        typed.value = text;
        onValue(text);
      }}
    />
  );
}
