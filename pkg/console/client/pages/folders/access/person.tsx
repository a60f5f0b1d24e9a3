import './style.css';
import { KINDS, type Person } from './subjects.js';

/** Initials, the title, and the detail that distinguishes people with the same title. */
export function PersonLabel({ person }: { readonly person: Person }) {
  const { kind, title, detail, people } = person;
  return (
    <span class="person">
      <span class={`person-badge ${kind === 'User' ? 'round' : ''}`} aria-hidden="true">
        {initialsOf(title)}
      </span>
      <span class="person-words">
        <span class="cut" dir="auto" title={title}>
          {title}
        </span>
        <span class="hint clamped" title={detail}>
          {kind === 'User' ? (detail ?? KINDS.User) : KINDS[kind]}
          {people !== undefined && ` · ${counted(person)}`}
        </span>
      </span>
    </span>
  );
}

/** `2 people, 1 service account`. */
function counted({ people = 0, accounts = 0, isMost = false }: Person): string {
  const of = (count: number, one: string, many: string): readonly string[] =>
    count > 0 ? [`${count} ${count === 1 ? one : many}`] : [];
  const parts = [...of(people, 'person', 'people'), ...of(accounts, 'service account', 'service accounts')];
  return parts.length === 0 ? 'nobody' : `${isMost ? 'at most ' : ''}${parts.join(', ')}`;
}

function initialsOf(title: string): string {
  const words = title.split(/[\s._@-]+/).filter((word) => word !== '');
  const first = words.slice(0, 2).map((word) => [...word][0] ?? '');
  return first.join('').toLocaleUpperCase() || '?';
}
