import { type Signal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Button } from '../../../ui/button.js';
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/field.js';
import { sorted } from '../../../ui/form-dialog.js';
import { tell } from '../../../ui/toasts.js';
import { useFirstProblem } from '../../../ui/use-first-problem.js';
import { Card } from '../list.js';
import { Directories } from './directories.js';
import { ObjectField } from './object-field.js';
import {
  CHOICES,
  type Field,
  labelOf,
  MASKED,
  PARTS,
  type Provider,
  save,
  testConnection,
  type Value,
} from './settings.js';
import { isSaml, isShown, SOURCES, sourceOf } from './shown.js';

/** Changed settings by their keys. */
export type Changes = Readonly<Record<string, Value>>;

interface Props {
  readonly provider: Provider;
  readonly fields: ReadonlyMap<string, Field>;
  /** What was typed and not saved. */
  readonly changed: Signal<Changes>;
  readonly unavailable: string | undefined;
  readonly onSaved: () => void;
}

/** All settings of a provider, in sections. */
export function SettingsForm({ provider, fields, changed, unavailable, onSaved }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const problem = useSignal<unknown>(undefined);
  const { own, ...metadata } = useShown(provider, fields, changed);
  const patterns = Object.fromEntries(own.map(({ key }) => [key, new RegExp(`^spec\\.settings\\.${key}(?:[.[].*)?$`)]));
  // What was said of a field no longer holds when it is changed.
  const mended = useSignal<ReadonlySet<string>>(new Set());
  const { at, rest } = problemsOf(problem.value, patterns, mended.value);
  useFirstProblem(form, problem.value);
  const store = async (values: Changes, done: () => string | Promise<string>): Promise<void> => {
    problem.value = undefined;
    mended.value = new Set();
    try {
      const warnings = await save(provider, values);
      changed.value = {};
      onSaved();
      tell([await done(), ...warnings].join(' '));
    } catch (error) {
      problem.value = error;
    }
  };
  const edit = (key: string, value: Value): void => {
    mended.value = new Set([...mended.peek(), key]);
    changed.value = without(changed.value, key, value, provider.settings[key]);
  };
  const isEnabled = provider.settings['enabled'] === true;
  const count = Object.keys(changed.value).length;
  return (
    <form
      ref={form}
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (unavailable === undefined) void store(changed.value, () => 'The settings were saved.');
      }}
    >
      {own.some(isDirectories) && (
        <Directories
          fields={fields}
          stored={provider.settings[DIRECTORIES] ?? ''}
          value={changed.value[DIRECTORIES] ?? provider.settings[DIRECTORIES] ?? ''}
          error={at.get(DIRECTORIES)}
          problem={mended.value.has(DIRECTORIES) ? undefined : problem.value}
          disabled={unavailable !== undefined}
          onValue={(value) => edit(DIRECTORIES, value)}
        />
      )}
      <Parts
        fields={own.filter((field) => !isDirectories(field))}
        provider={provider}
        changed={changed.value}
        errorAt={(key) => at.get(key)}
        disabled={unavailable !== undefined}
        onValue={edit}
        {...metadata}
      />
      {rest !== '' && (
        <p class="field-error" role="alert">
          {rest}
        </p>
      )}
      <Actions
        count={count}
        wrong={at.size}
        isEnabled={isEnabled}
        unavailable={unavailable}
        onEnable={() =>
          store(
            { ...changed.value, enabled: !isEnabled },
            isEnabled ? () => 'People can no longer sign in by it.' : () => enabledWords(provider),
          )
        }
      />
    </form>
  );
}

/** The settings that apply, and the chosen source of the metadata of SAML. */
function useShown(provider: Provider, fields: ReadonlyMap<string, Field>, changed: Signal<Changes>) {
  const source = useSignal(sourceOf(provider.settings));
  const values = { ...provider.settings, ...changed.value };
  const own = [...fields.values()].filter((field) => isShown(field, provider, values, source.value));
  /** The other sources are emptied, because the server takes one only. */
  const choose = (key: string): void => {
    source.value = SOURCES.find(([one]) => one === key)?.[0] ?? 'idpMetadataUrl';
    for (const [other] of SOURCES)
      if (other !== key) changed.value = without(changed.value, other, '', provider.settings[other]);
  };
  return { own, source: source.value, onSource: choose };
}

interface SourceProps {
  readonly provider: Provider;
  readonly value: string;
  readonly disabled: boolean;
  readonly onValue: (key: string) => void;
}

function SourceField({ provider, ...field }: SourceProps) {
  const options = SOURCES.filter(([key]) => key !== 'idpMetadataPath' || Boolean(provider.settings[key]));
  return <SelectField label="The metadata of the provider come from" options={options} {...field} />;
}

interface PartsProps {
  readonly fields: readonly Field[];
  readonly provider: Provider;
  readonly changed: Changes;
  readonly errorAt: (key: string) => string | undefined;
  readonly disabled: boolean;
  readonly onValue: (key: string, value: Value) => void;
  /** Where the metadata of SAML come from. */
  readonly source: string;
  readonly onSource: (key: string) => void;
}

function Parts({ fields, provider, changed, errorAt, disabled, onValue, source, onSource }: PartsProps) {
  return (
    <div class="people-grid">
      {partsOf(fields).map(([title, part]) => (
        <Card key={title} title={title}>
          {title === 'Metadata' && isSaml(provider) && (
            <SourceField provider={provider} value={source} disabled={disabled} onValue={onSource} />
          )}
          {part.map((field) => (
            <Setting
              key={field.key}
              field={field}
              stored={provider.settings[field.key] ?? ''}
              value={changed[field.key]}
              error={errorAt(field.key)}
              disabled={disabled}
              onValue={(value) => onValue(field.key, value)}
            />
          ))}
        </Card>
      ))}
    </div>
  );
}

interface ActionsProps {
  /** The settings that are changed, and those that are wrong. */
  readonly count: number;
  readonly wrong: number;
  readonly isEnabled: boolean;
  readonly unavailable: string | undefined;
  readonly onEnable: () => Promise<void>;
}

function Actions({ count, wrong, isEnabled, unavailable, onEnable }: ActionsProps) {
  return (
    <div class="row people-save">
      <Button type="submit" look="primary" unavailable={unavailable} disabled={count === 0}>
        {count === 0 ? 'Save' : `Save ${count} ${count === 1 ? 'change' : 'changes'}`}
      </Button>
      <Button unavailable={unavailable} onPress={onEnable}>
        {isEnabled ? 'Disable' : count === 0 ? 'Enable' : 'Save and enable'}
      </Button>
      {wrong > 0 && <span class="field-error">{wrong === 1 ? '1 field is wrong.' : `${wrong} fields are wrong.`}</span>}
    </div>
  );
}

/** The setting with the directories of LDAP. */
const DIRECTORIES = 'config';
const isDirectories = ({ key }: Field): boolean => key === DIRECTORIES;

function problemsOf(
  error: unknown,
  patterns: Readonly<Record<string, RegExp>>,
  mended: ReadonlySet<string>,
): ReturnType<typeof sorted> {
  const { at, rest } = sorted(error, patterns);
  return { at: new Map([...at].filter(([key]) => !mended.has(key))), rest };
}

/** What is true of a provider that was enabled: it helps nobody while its addresses do not answer. */
async function enabledWords(provider: Provider): Promise<string> {
  const checks = (await testConnection(provider).catch(() => undefined))?.checks;
  if (checks === undefined) return 'It is enabled. Its addresses could not be tested.';
  const failed = checks.filter(({ ok }) => !ok).length;
  if (failed === 0) return 'People can sign in by it now.';
  return `It is enabled, but ${failed} of ${checks.length} addresses failed the test. People may not be able to sign in by it.`;
}

/** The fields by section. A field is in the first section that matches. */
function partsOf(fields: readonly Field[]): readonly (readonly [string, readonly Field[]])[] {
  const partOf = ({ key }: Field): string => PARTS.find(([, keys]) => keys.test(key))?.[0] ?? '';
  return PARTS.map(([title]) => [title, fields.filter((one) => partOf(one) === title)] as const).filter(
    ([, part]) => part.length > 0,
  );
}

/** The changes with this one, unless the value is the old one. An empty secret counts as the old one. */
function without(all: Changes, key: string, value: Value, before: Value | undefined): Changes {
  const { [key]: _, ...others } = all;
  const isEqual = typeof value === 'object' && JSON.stringify(value) === JSON.stringify(before);
  const isSame = isEqual || value === (before ?? '') || (before === MASKED && value === '');
  return isSame ? others : { ...others, [key]: value };
}

type Choices = readonly (readonly [value: string, label: string])[];

/** What is stored stays a choice, also if it was written elsewhere. */
function withStored(choices: Choices, stored: Value): Choices {
  const text = String(stored);
  return choices.some(([value]) => value === text) ? choices : [...choices, [text, text]];
}

interface SettingProps {
  readonly field: Field;
  readonly stored: Value;
  readonly value: Value | undefined;
  readonly error: string | undefined;
  readonly disabled: boolean;
  readonly onValue: (value: Value) => void;
}

function Setting({ field, stored, value = stored, error, disabled, onValue }: SettingProps) {
  const { key, description, isFlag, isSecret, isLong, isObject } = field;
  const label = labelOf(key);
  if (isFlag)
    return (
      <>
        <CheckField label={label} hint={description} checked={value === true} onChecked={onValue} disabled={disabled} />
        {error !== undefined && <p class="field-error">{error}</p>}
      </>
    );
  if (isObject)
    return (
      <ObjectField
        key={JSON.stringify(stored)}
        label={label}
        hint={description}
        error={error}
        stored={stored}
        onValue={onValue}
      />
    );
  const isKept = stored === MASKED;
  const shared = {
    label,
    error,
    hint: isKept ? `${description} One is stored. Type to replace it.` : description,
    value: value === MASKED ? '' : String(value),
    onValue,
    ...(isKept && { placeholder: '••••••••' }),
  };
  const choices = CHOICES[key];
  if (choices !== undefined)
    return <SelectField {...shared} disabled={disabled} options={withStored(choices, stored)} />;
  if (isLong) return <TextArea {...shared} rows={3} />;
  return (
    <TextField
      {...shared}
      disabled={disabled}
      autocomplete={isSecret ? 'new-password' : 'off'}
      {...(isSecret && { type: 'password' })}
    />
  );
}
