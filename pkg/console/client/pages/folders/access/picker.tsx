import { wordsOf } from '../../../lib/api.js';
import { Combobox } from '../../../ui/combobox.js';
import { PersonLabel } from './person.js';
import { type Person, type Subject, searchPeople, subjectKey } from './subjects.js';

interface Props {
  readonly label: string;
  readonly namespace: string;
  readonly kinds: readonly Subject['kind'][];
  readonly value: Person | undefined;
  readonly onValue: (person: Person | undefined) => void;
}

/** A field that finds users, teams, service accounts and basic roles. */
export function PersonPicker({ label, namespace, kinds, value, onValue }: Props) {
  return (
    <Combobox<Person>
      label={label}
      placeholder="Search by name, login or e-mail address"
      about={[namespace, ...kinds].join(' ')}
      find={async (text, signal) => {
        const { people, problems } = await searchPeople(namespace, text, kinds, signal);
        return { items: people, ...(problems.length > 0 && { note: problems.map(wordsOf).join(' ') }) };
      }}
      keyOf={subjectKey}
      render={(person) => <PersonLabel person={person} />}
      value={value?.title}
      onText={() => value !== undefined && onValue(undefined)}
      onChoose={onValue}
      none="Nobody has this name."
    />
  );
}
