import { ApiError, wordsOf } from '../../../lib/api.js';
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
        return { items: people, ...noteOf(people, problems, kinds) };
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

/** What could not be searched. Of a kind that the caller may not search, it is said only if nothing else was found. */
function noteOf(
  people: readonly Person[],
  problems: readonly unknown[],
  kinds: readonly Subject['kind'][],
): { readonly note?: string } {
  const isRefusal = (problem: unknown): boolean => problem instanceof ApiError && problem.code === 403;
  const failed = problems.filter((problem) => !isRefusal(problem)).map(wordsOf);
  if (failed.length > 0) return { note: failed.join(' ') };
  if (people.length > 0 || problems.length === 0) return {};
  if (problems.length === kinds.filter((kind) => kind !== 'BasicRole').length)
    return { note: 'You may not search for people, teams and service accounts here.' };
  return { note: 'No person or team has this name. Service accounts can be chosen by administrators only.' };
}
