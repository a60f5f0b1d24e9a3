import { useState } from 'preact/hooks';

/** Characters of a text, and members of a list, that are shown at first. */
const [LONGEST, MOST] = [200, 50];
/** The most characters of a text that are ever shown. */
const WHOLE = 20_000;

/** A value as a tree. Only open parts are drawn, so that megabytes are quick to show. */
export function Tree({ value, label }: { readonly value: unknown; readonly label: string }) {
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
          <button type="button" class="tree-more" onClick={() => setMost(most + 4 * MOST)}>
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

/** A value without members. Of a long text, the beginning is shown until the person asks for more. */
export function Leaf({ value }: { readonly value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  if (typeof value !== 'string') return <span class="tree-value mono">{JSON.stringify(value) ?? ''}</span>;
  const shown = value.slice(0, isWhole ? WHOLE : LONGEST);
  return (
    <span class="tree-value" dir="auto">
      {shown === '' ? <span class="muted">empty</span> : shown}
      {value.length > LONGEST && (
        <button type="button" class="tree-more" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Less' : `… ${value.length.toLocaleString()} characters`}
        </button>
      )}
      {isWhole && value.length > WHOLE && <span class="muted"> The rest is in the YAML.</span>}
    </span>
  );
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
