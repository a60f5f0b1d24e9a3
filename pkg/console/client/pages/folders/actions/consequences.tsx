import { Notice } from '../../../ui/states.js';
import { type AccessChange, type AccessWarning, accessWarning, type Verb } from './access-warnings.js';

/** Whose access changes, from which level to which one, and all other warnings of the server. */
export function Consequences({ warnings }: { readonly warnings: readonly string[] }) {
  if (warnings.length === 0) return <Notice look="ok">Nobody gains access, and nobody loses it.</Notice>;
  return (
    <div class="stack tight">
      {warnings.map((text) => {
        const about = accessWarning(text);
        return about === undefined ? (
          <Notice key={text} look="warn">
            {text}
          </Notice>
        ) : (
          <Group key={text} about={about} />
        );
      })}
    </div>
  );
}

const TITLES: Readonly<Record<Verb, string>> = {
  gain: 'Gain access',
  change: 'Change their level',
  lose: 'Lose access',
};

function Group({ about: { verb, changes, more, isCut } }: { readonly about: AccessWarning }) {
  return (
    <div class={`access-change ${verb}`}>
      <h3>{TITLES[verb]}</h3>
      <ul class="access-names">
        {changes.map((change) => (
          <Changed key={`${change.detail} ${change.title} ${change.from} ${change.to}`} change={change} />
        ))}
        {more > 0 && <li class="muted">and {more} more</li>}
        {isCut && <li class="muted">and others: the list was too long to be sent</li>}
      </ul>
    </div>
  );
}

/** A line such as `Team Security · 5 people: — → Edit`. */
function Changed({ change }: { readonly change: AccessChange }) {
  const { from, to, people, detail } = change;
  return (
    <li>
      <span title={detail} dir="auto">
        {wordsOf(change)}
      </span>
      {people !== undefined && <span class="muted"> · {people}</span>}{' '}
      <span class="access-levels">
        <span class="chip">{from || '—'}</span> <span aria-hidden="true">→</span>
        <span class="sr-only">to</span> <span class="chip">{to || '—'}</span>
      </span>
    </li>
  );
}

function wordsOf({ subject, title }: AccessChange): string {
  if (subject?.kind === 'BasicRole') return `Everybody with the role ${title}`;
  if (subject?.kind === 'Team') return `Team ${title}`;
  return subject?.kind === 'ServiceAccount' ? `Service account ${title}` : title;
}
