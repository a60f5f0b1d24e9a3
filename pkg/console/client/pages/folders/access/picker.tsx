import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { wordsOf } from '../../../lib/api.js';
import { PersonLabel } from './person.js';
import { type Person, type SearchResult, type Subject, searchPeople, subjectKey } from './subjects.js';

interface Props {
  readonly label: string;
  readonly namespace: string;
  readonly kinds: readonly Subject['kind'][];
  readonly value: Person | undefined;
  readonly onValue: (person: Person | undefined) => void;
}

/** Milliseconds without a key before a search begins. */
const PAUSE = 150;
/** What was found, and the text for which it was. */
interface Found extends SearchResult {
  readonly text: string | undefined;
}

const NOTHING: Found = { people: [], problems: [], text: undefined };

/** A field that finds users, teams, service accounts and basic roles (WAI-ARIA, combobox with a list). */
export function PersonPicker({ label, namespace, kinds, value, onValue }: Props) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [text, isOpen, at] = [useSignal(''), useSignal(false), useSignal(0)];
  const { people, problems, isSearching } = useSearch(namespace, kinds, text.value, isOpen.value);
  const choose = (person: Person | undefined): void => {
    if (person === undefined) return;
    isOpen.value = false;
    text.value = person.title;
    onValue(person);
  };
  const onKey = (event: KeyboardEvent): void => {
    const last = Math.max(0, people.length - 1);
    const to: Readonly<Record<string, number>> = {
      ArrowDown: isOpen.value ? Math.min(last, at.value + 1) : 0,
      ArrowUp: Math.max(0, at.value - 1),
    };
    const step = to[event.key];
    if (step === undefined && !(isOpen.value && (event.key === 'Enter' || event.key === 'Escape'))) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') {
      // The old results are those of another text.
      if (!isSearching) choose(people[at.value]);
      return;
    }
    isOpen.value = event.key !== 'Escape';
    at.value = step ?? 0;
    list.current?.children[at.value]?.scrollIntoView({ block: 'nearest' });
  };
  const active = isOpen.value && people.length > 0 ? `${id}-${at.value}` : undefined;
  return (
    <div class="field picker">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input"
        role="combobox"
        autocomplete="off"
        dir="auto"
        aria-expanded={isOpen.value}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(active !== undefined && { 'aria-activedescendant': active })}
        placeholder="Search by name, login or e-mail address"
        value={value === undefined ? text.value : value.title}
        onFocus={() => (isOpen.value = value === undefined)}
        onBlur={() => (isOpen.value = false)}
        onKeyDown={onKey}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          [isOpen.value, at.value] = [true, 0];
          if (value !== undefined) onValue(undefined);
        }}
      />
      <Options
        id={id}
        list={list}
        label={label}
        people={people}
        at={at.value}
        isShown={active !== undefined}
        onChoice={choose}
      />
      <p class="hint" aria-live="polite">
        {isOpen.value && problems.length > 0 && problems.map(wordsOf).join(' ')}
        {isOpen.value && !isSearching && people.length === 0 && problems.length === 0 && 'Nobody has this name.'}
      </p>
    </div>
  );
}

interface OptionsProps {
  readonly id: string;
  readonly list: RefObject<HTMLDivElement>;
  readonly label: string;
  readonly people: readonly Person[];
  readonly at: number;
  readonly isShown: boolean;
  readonly onChoice: (person: Person) => void;
}

/** The focus stays in the field, so the options need none. */
function Options({ id, list, label, people, at, isShown, onChoice }: OptionsProps) {
  return (
    <div ref={list} id={`${id}-list`} class="picker-list" role="listbox" aria-label={label} hidden={!isShown}>
      {people.map((person, index) => (
        <div
          key={subjectKey(person)}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onMouseDown={(event) => {
            event.preventDefault();
            onChoice(person);
          }}
        >
          <PersonLabel person={person} />
        </div>
      ))}
    </div>
  );
}

/** Searches while the list is open, after the person has stopped typing. The old results stay until then. */
function useSearch(namespace: string, kinds: readonly Subject['kind'][], text: string, isOpen: boolean) {
  const found = useSignal(NOTHING);
  useEffect(() => {
    if (!isOpen) return;
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const result = await searchPeople(namespace, text, kinds, controller.signal);
      if (!controller.signal.aborted) found.value = { ...result, text };
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [namespace, kinds.join(), text, isOpen]);
  return { ...found.value, isSearching: found.value.text !== text };
}
