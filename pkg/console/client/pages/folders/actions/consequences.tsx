import type { KubeObject } from '../../../lib/object.js';
import { Notice } from '../../../ui/states.js';
import { Behind } from '../access/behind.js';
import type { Person } from '../access/subjects.js';
import { FolderTitle } from '../folder-title.js';
import {
  type AccessChange,
  type AccessGroup,
  type AccessPlace,
  groupedWarnings,
  type Verb,
} from './access-warnings.js';

/** Where the changes are, if that does not follow from the page. */
export interface Where {
  readonly namespace: string;
  /** The titles that are known, by metadata.name. Those of folders are asked for. */
  readonly titles: ReadonlyMap<string, string>;
}

interface Props {
  readonly warnings: readonly string[];
  readonly where?: Where;
  /** The object that all of it is about. With it, the people behind teams and roles are named on request. */
  readonly about?: KubeObject | undefined;
}

/** Whose access changes, from which level to which one, and all other warnings of the server. */
export function Consequences({ warnings, where, about }: Props) {
  if (warnings.length === 0) return <Notice look="ok">Nobody gains access, and nobody loses it.</Notice>;
  const { groups, others } = groupedWarnings(warnings);
  return (
    <div class="stack tight">
      {others.map((text) => (
        <Notice key={text} look="warn">
          {text}
        </Notice>
      ))}
      {groups.map((group) => (
        <Group key={JSON.stringify(group)} group={group} where={where} object={about} />
      ))}
    </div>
  );
}

const TITLES: Readonly<Record<Verb, string>> = {
  gain: 'Gain access',
  change: 'Change their level',
  lose: 'Lose access',
};

interface GroupProps {
  readonly group: AccessGroup;
  readonly where: Where | undefined;
  readonly object: KubeObject | undefined;
}

function Group({ group, where, object }: GroupProps) {
  const { about, places } = group;
  const { verb, changes, more, isCut } = about;
  return (
    <div class={`access-change ${verb}`}>
      <h3>
        {TITLES[verb]}
        {where !== undefined && <Places places={places} where={where} hasTo={verb !== 'change'} />}
      </h3>
      <ul class="access-names">
        {changes.map((change) => (
          <Changed
            key={`${change.detail} ${change.title} ${change.from} ${change.to}`}
            change={change}
            object={object}
          />
        ))}
        {more > 0 && <li class="muted">and {more} more</li>}
        {isCut && <li class="muted">and others: the list was too long to be sent</li>}
      </ul>
    </div>
  );
}

/** The most places that a heading names. */
const MOST_PLACES = 5;

function Places({
  places,
  where,
  hasTo,
}: {
  readonly places: readonly AccessPlace[];
  readonly where: Where;
  readonly hasTo: boolean;
}) {
  const more = places.length - MOST_PLACES;
  return (
    <span class="access-places">
      {hasTo ? ' to ' : ' on '}
      {places.slice(0, MOST_PLACES).map((place, at) => (
        <span key={place.name}>
          {at > 0 && ', '}
          <PlaceTitle place={place} where={where} />
        </span>
      ))}
      {more > 0 && ` and ${more} more`}
    </span>
  );
}

function PlaceTitle({ place: { word, name }, where }: { readonly place: AccessPlace; readonly where: Where }) {
  if (word === 'organization') return <>the organization</>;
  const title = where.titles.get(name);
  if (title !== undefined) return <bdi title={name}>{title}</bdi>;
  return word === 'folder' ? <FolderTitle namespace={where.namespace} name={name} /> : <bdi>{`${word} ${name}`}</bdi>;
}

/** A line such as `Team Security · 5 people: — → Edit`. */
function Changed({ change, object }: { readonly change: AccessChange; readonly object: KubeObject | undefined }) {
  const { from, to, people, detail, title } = change;
  const group = object === undefined ? undefined : groupIn(change);
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
      {group !== undefined && object !== undefined && <Behind person={{ ...group, title }} about={object} />}
    </li>
  );
}

/** A team or a basic role, with the number of people behind it: that of `7 of 10 people` is 10. */
function groupIn({ subject, people = '' }: AccessChange): Pick<Person, 'kind' | 'name' | 'people'> | undefined {
  const [count] = /\d+(?= (?:person|people))/.exec(people) ?? [];
  const kind = (['Team', 'BasicRole'] as const).find((one) => one === subject?.kind);
  if (subject === undefined || kind === undefined || count === undefined) return undefined;
  return { kind, name: subject.name, people: Number(count) };
}

function wordsOf({ subject, title }: AccessChange): string {
  if (subject?.kind === 'BasicRole') return `Everybody with the role ${title}`;
  if (subject?.kind === 'Team') return `Team ${title}`;
  return subject?.kind === 'ServiceAccount' ? `Service account ${title}` : title;
}
