import { useSignal } from '@preact/signals';
import type { KubeObject } from '../../../lib/object.js';
import { Button } from '../../../ui/button.js';
import { SelectField } from '../../../ui/field.js';
import { give } from './change.js';
import { type FolderAccess, LEVELS } from './entries.js';
import { PersonPicker } from './picker.js';
import { propose } from './propose.js';
import type { Person, Subject } from './subjects.js';

const KINDS: readonly Subject['kind'][] = ['BasicRole', 'User', 'Team', 'ServiceAccount'];

interface Props {
  readonly folder: KubeObject;
  readonly access: FolderAccess;
  readonly onDone: () => void;
  readonly unavailable: string | undefined;
}

/** Gives somebody access to the folder. */
export function AddEntry({ folder, access, onDone, unavailable }: Props) {
  const who = useSignal<Person | undefined>(undefined);
  const level = useSignal<string>(LEVELS[0]);
  const round = useSignal(0);
  const add = async (): Promise<void> => {
    const person = who.value;
    if (person === undefined) return;
    const isDone = await propose(
      {
        change: give(folder, person, level.value, access.entries),
        title: `Give ${person.title} access`,
        action: 'Give access',
        done: `${person.title} has the level ${level.value}.`,
      },
      access,
    );
    if (!isDone) return;
    who.value = undefined;
    round.value++;
    onDone();
  };
  return (
    <form class="access-add" aria-label="Give access" onSubmit={(event) => event.preventDefault()}>
      <PersonPicker
        key={round.value}
        label="Give access to"
        namespace={folder.metadata.namespace ?? ''}
        kinds={KINDS}
        value={who.value}
        onValue={(person) => (who.value = person)}
      />
      <SelectField
        label="Level"
        value={level.value}
        onValue={(value) => (level.value = value)}
        options={LEVELS.map((one) => [one, one])}
      />
      <Button
        look="primary"
        type="submit"
        unavailable={unavailable ?? (who.value === undefined ? 'First choose who gets access.' : undefined)}
        onPress={add}
      >
        Add
      </Button>
    </form>
  );
}
