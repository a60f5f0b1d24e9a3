import { useSignal } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { report } from './toasts.js';
import { type FindOptions, useOptions } from './use-options.js';

interface Props<One> {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly placeholder?: string;
  readonly autofocus?: boolean;
  /** What is in the field at first, as if it was typed. */
  readonly typed?: string;
  readonly find: FindOptions<One>;
  /** Names what is searched. When it changes, it is searched again. */
  readonly about: string;
  readonly keyOf: (one: One) => string;
  readonly render: (one: One, text: string) => ComponentChildren;
  /** The heading of the group of an option. Options of one group must follow each other. */
  readonly groupOf?: (one: One) => string;
  /** The field is empty afterwards, unless it has a value. */
  readonly onChoose: (one: One) => unknown;
  /** The text of the chosen option. Undefined while the person types. */
  readonly value?: string | undefined;
  /** Is called when the person types. */
  readonly onText?: (text: string) => void;
  /** Is shown if nothing is found. */
  readonly none: string;
  /** The options are always shown, below the field and not above what follows. */
  readonly isInline?: boolean;
}

/**
 * A field that finds options, of which one is chosen by the arrow keys and Enter, or by a click (WAI-ARIA, combobox
 * with a list). All fields of the console in which something is searched and chosen are this one.
 */
export function Combobox<One>(props: Props<One>) {
  const { label, find, about, value, none, isInline = false, onChoose, onText } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [text, isOpen, at] = [useSignal(props.typed ?? ''), useSignal(isInline), useSignal(0)];
  /** The choice may have opened a dialog, which gives the focus back. */
  const isChosen = useRef(false);
  const { items, note, isSearching } = useOptions(find, about, text.value, isOpen.value);
  // The first option is that of the new text.
  useEffect(() => {
    at.value = 0;
  }, [items]);
  const type = (typed: string): void => {
    [text.value, isOpen.value, at.value] = [typed, true, 0];
    onText?.(typed);
  };
  const choose = (one: One | undefined): void => {
    if (one === undefined) return;
    [text.value, isOpen.value, isChosen.current] = ['', isInline, true];
    Promise.resolve(onChoose(one)).catch(report);
  };
  const keyed = (event: KeyboardEvent): void => {
    const next = stepOf(event.key, at.value, items.length, isOpen.value);
    const isClosing = event.key === 'Escape' && !isInline;
    if (next === undefined && !(isOpen.value && (event.key === 'Enter' || isClosing))) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') {
      if (!isSearching) choose(items[at.value]);
      return;
    }
    isOpen.value = !isClosing;
    at.value = next ?? 0;
    list.current?.querySelectorAll('[role=option]')[at.value]?.scrollIntoView({ block: 'nearest' });
  };
  const active = isOpen.value && items.length > 0 ? `${id}-${at.value}` : undefined;
  return (
    <div class={`field picker ${isInline ? 'inline' : ''}`}>
      <label for={id} class={props.isLabelHidden === true ? 'sr-only' : ''}>
        {label}
      </label>
      <input
        id={id}
        class="input"
        type="search"
        role="combobox"
        autocomplete="off"
        dir="auto"
        aria-expanded={isOpen.value}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(active !== undefined && { 'aria-activedescendant': active })}
        placeholder={props.placeholder ?? 'Begin to type'}
        autofocus={props.autofocus === true}
        value={value ?? text.value}
        onFocus={() => {
          isOpen.value = isInline || (value === undefined && !isChosen.current);
          isChosen.current = false;
        }}
        onPointerDown={() => (isOpen.value ||= value === undefined)}
        onBlur={() => (isOpen.value = isInline)}
        onKeyDown={keyed}
        onInput={(event) => type(event.currentTarget.value)}
      />
      <List
        {...props}
        id={id}
        list={list}
        items={items}
        at={at.value}
        text={text.value}
        isShown={active !== undefined}
        onChoice={choose}
      />
      <p class="hint" aria-live="polite">
        {isOpen.value && note}
        {isOpen.value && !isSearching && items.length === 0 && note === undefined && none}
      </p>
    </div>
  );
}

/** Where a key leads in so many options. Undefined for other keys. */
function stepOf(key: string, at: number, count: number, isOpen: boolean): number | undefined {
  const last = Math.max(0, count - 1);
  if (key === 'ArrowDown') return isOpen ? Math.min(last, at + 1) : 0;
  return key === 'ArrowUp' ? Math.max(0, at - 1) : undefined;
}

interface ListProps<One> extends Pick<Props<One>, 'label' | 'keyOf' | 'render' | 'groupOf'> {
  readonly id: string;
  readonly list: RefObject<HTMLDivElement>;
  readonly items: readonly One[];
  readonly at: number;
  readonly text: string;
  readonly isShown: boolean;
  readonly onChoice: (one: One) => void;
}

/** The focus stays in the field, so the options need none. */
function List<One>({ id, list, label, items, at, text, keyOf, render, groupOf, isShown, onChoice }: ListProps<One>) {
  const option = (one: One, index: number) => (
    <div
      key={keyOf(one)}
      id={`${id}-${index}`}
      role="option"
      tabIndex={-1}
      aria-selected={index === at}
      onMouseDown={(event) => {
        event.preventDefault();
        onChoice(one);
      }}
    >
      {render(one, text)}
    </div>
  );
  return (
    <div ref={list} id={`${id}-list`} class="picker-list" role="listbox" aria-label={label} hidden={!isShown}>
      {groupOf === undefined
        ? items.map(option)
        : groupsOf(items, groupOf).map(({ title, first, members }) => (
            <div key={title} role="group" aria-label={title}>
              <p class="picker-group" aria-hidden="true">
                {title}
              </p>
              {members.map((one, index) => option(one, first + index))}
            </div>
          ))}
    </div>
  );
}

interface Group<One> {
  readonly title: string;
  /** The index of its first option. */
  readonly first: number;
  readonly members: One[];
}

function groupsOf<One>(items: readonly One[], groupOf: (one: One) => string): readonly Group<One>[] {
  const groups: Group<One>[] = [];
  for (const [index, one] of items.entries()) {
    const title = groupOf(one);
    const last = groups.at(-1);
    if (last?.title === title) last.members.push(one);
    else groups.push({ title, first: index, members: [one] });
  }
  return groups;
}
