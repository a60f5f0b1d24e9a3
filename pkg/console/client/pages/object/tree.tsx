import { useState } from 'preact/hooks';
import { LongText } from '../../ui/long-text.js';

/** The most characters of a name, and the members that are shown at first. */
const [LONGEST, MOST] = [200, 50];

/** A value as a tree. Only open parts are drawn, so that megabytes are quick to show. */
export function Tree({ value, label }: { readonly value: unknown; readonly label: string }) {
  if (isNested(value) && Object.keys(value).length === 0) return <p class="muted">None</p>;
  return (
    <ul class="tree" aria-label={label}>
      <Members value={value} />
    </ul>
  );
}

function Members({ value }: { readonly value: unknown }) {
  const [most, setMost] = useState(MOST);
  const entries = isNested(value) ? Object.entries(value) : [];
  return (
    <>
      {entries.slice(0, most).map(([name, member]) => (
        <Member key={name} name={name} value={member} />
      ))}
      {entries.length > most && (
        <li>
          <button type="button" class="more-text" onClick={() => setMost(most + 4 * MOST)}>
            {(entries.length - most).toLocaleString()} more
          </button>
        </li>
      )}
    </>
  );
}

function Member({ name, value }: { readonly name: string; readonly value: unknown }) {
  const [isOpen, setOpen] = useState(false);
  if (!isNested(value) || Object.keys(value).length === 0)
    return (
      <li>
        <span class="tree-name">{name.slice(0, LONGEST)}</span> <Leaf value={value} />
      </li>
    );
  return (
    <li>
      <button type="button" class="tree-open" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
        <span class="tree-name">{name.slice(0, LONGEST)}</span>
        <span class="muted cut" dir="auto">
          {summaryOf(value)}
        </span>
      </button>
      {isOpen && (
        <ul>
          <Members value={value} />
        </ul>
      )}
    </li>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  if (typeof value !== 'string')
    return <span class="mono">{typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? '')}</span>;
  return value === '' ? <span class="muted">empty</span> : <LongText text={value} />;
}

function isNested(value: unknown): value is Readonly<Record<string, unknown>> | readonly unknown[] {
  return typeof value === 'object' && value !== null;
}

/** The summary of a closed value: its title if it has one, and the number of its members. */
function summaryOf(value: object): string {
  const count = Array.isArray(value) ? value.length : Object.keys(value).length;
  const size = Array.isArray(value)
    ? `${count} ${count === 1 ? 'entry' : 'entries'}`
    : `${count} ${count === 1 ? 'field' : 'fields'}`;
  const { title, name, type } = value as Readonly<Record<string, unknown>>;
  const called = [title, name, type].find((text) => typeof text === 'string' && text !== '');
  return called === undefined ? size : `${String(called).slice(0, 80)} · ${size}`;
}
