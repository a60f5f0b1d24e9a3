import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import type { Input } from '../../../../../dashboards/inputs.js';
import { Button } from '../../../ui/button.js';
import { SelectField, TextField } from '../../../ui/field.js';
import { FolderPicker } from '../actions/picker.js';
import { useDesk } from '../model/desk.js';
import type { Hit } from '../model/find.js';
import type { Choice } from './candidates.js';

/** The folder of what is new. */
export function FolderField({ label, folder }: { readonly label: string; readonly folder: Signal<string> }) {
  const { store } = useDesk();
  const isOpen = useSignal(false);
  store.version.value;
  const path = store.knownPath(folder.value).map(({ title }) => title.slice(0, 60));
  const words = folder.value === '' ? 'All folders' : path.join(' / ') || folder.value;
  return (
    <section class="stack tight" aria-label={label}>
      <div class="row apart">
        <p class="grow">
          <span class="import-label">{label}</span> <bdi>{words}</bdi>
        </p>
        <Button aria-expanded={isOpen.value} onPress={() => (isOpen.value = !isOpen.value)}>
          {isOpen.value ? 'Close the choice' : 'Choose another folder'}
        </Button>
      </div>
      {isOpen.value && (
        <FolderPicker
          without=""
          chosen={folder.value}
          onChoose={(name) => {
            folder.value = name;
            isOpen.value = false;
          }}
        />
      )}
    </section>
  );
}

interface InputProps {
  readonly inputs: readonly Input[];
  readonly values: Signal<ReadonlyMap<string, string>>;
}

/** What the dashboards ask for. */
export function InputFields({ inputs, values }: InputProps) {
  if (inputs.length === 0) return null;
  return (
    <section class="stack tight" aria-label="Inputs">
      {inputs.map(({ name, label, description, type, pluginId, value }) => (
        <TextField
          key={name}
          label={label}
          hint={
            description ||
            (type === 'datasource' ? `The uid of a data source${pluginId && ` of the type ${pluginId}`}` : name)
          }
          value={values.value.get(name) ?? value}
          onValue={(text) => (values.value = new Map([...values.value, [name, text]]))}
        />
      ))}
    </section>
  );
}

const CHOICES: readonly (readonly [Choice, string])[] = [
  ['copy', 'Import as a copy, with a new uid'],
  ['replace', 'Replace what is there, where it is. Its history keeps the earlier version'],
  ['skip', 'Leave out'],
];

interface ChoiceProps {
  readonly existing: readonly Hit[];
  readonly choice: Signal<Choice>;
  /** Whether there are others that would be imported. */
  readonly hasOthers: boolean;
}

/** What to do with dashboards whose uid exists. */
export function ExistingField({ existing, choice, hasOthers }: ChoiceProps) {
  const { store } = useDesk();
  const [one] = existing;
  if (one === undefined) return null;
  const place = store.knownPath(one.folder ?? '').map(({ title }) => title);
  const where = place.length === 0 ? '' : ` in ${place.join(' / ').slice(0, 200)}`;
  return (
    <SelectField
      label={
        existing.length === 1
          ? `“${one.title.slice(0, 80)}”${where} has this uid already`
          : `${existing.length} of them are here already`
      }
      value={choice.value}
      options={CHOICES.filter(([name]) => hasOthers || name !== 'skip')}
      onValue={(value) => (choice.value = value as Choice)}
    />
  );
}
