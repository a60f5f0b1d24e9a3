import { useSignal } from '@preact/signals';
import { useLoad } from '../../../lib/load.js';
import type { KubeObject } from '../../../lib/object.js';
import { useTitles } from '../../../lib/table-titles.js';
import { useMayAsk } from '../../../lib/use-may-ask.js';
import { Failure, Skeleton } from '../../../ui/states.js';
import { customRoles, needed, reviewOf, titledLevel } from './entries.js';
import { type Person, type Subject, subjectKey } from './subjects.js';
import { targetOf } from './target.js';

interface Props {
  /** A team or a basic role. */
  readonly person: Person;
  readonly about: KubeObject;
}

/** The people behind a team or a basic role, with what each has by all ways together, for who may list them. */
export function Behind({ person, about }: Props) {
  const isOpen = useSignal(false);
  const { namespace = '' } = about.metadata;
  const mayAsk = useMayAsk(namespace);
  const { people = 0, accounts = 0 } = person;
  if (mayAsk !== true || people + accounts === 0) return null;
  return (
    <details class="behind" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>
        Who they are<span class="sr-only">: {person.title}</span>
      </summary>
      {isOpen.value && <People person={person} about={about} />}
    </details>
  );
}

interface Reviewed {
  readonly people?: readonly {
    readonly subject: Subject;
    readonly title: string;
    readonly login?: string;
    readonly level: string;
    readonly serverAdministrator?: boolean;
  }[];
  readonly isPartial?: boolean;
}

function People({ person: { kind, name, title }, about }: Props) {
  const { namespace = '', name: object } = about.metadata;
  const spec = { scope: { [targetOf(about).word]: object }, subject: { kind, name }, people: true };
  const { state, reload } = useLoad((signal) => reviewOf<Reviewed>(namespace, spec, signal), [kind, name, object]);
  const { value, error } = state.value;
  const roles = customRoles(value?.people?.map(({ level }) => level) ?? []);
  const titleOf = useTitles(needed('iam', 'roles'), namespace, roles);
  if (error !== undefined) return <Failure error={error} onRetry={reload} />;
  if (value?.people === undefined) return <Skeleton rows={2} label="Loading who they are" />;
  if (value.people.length === 0) return <p class="muted">Only people who are disabled.</p>;
  return (
    <ul class="behind-people" aria-label={`People of ${title}`}>
      {value.people.map((one) => (
        <li key={subjectKey(one.subject)}>
          <span title={one.login ?? one.subject.name} dir="auto">
            {one.title}
          </span>{' '}
          <span class="chip" title={one.level}>
            {titledLevel(one.level, titleOf) || '—'}
          </span>
          {one.serverAdministrator && <span class="muted"> administers the server</span>}
          {one.subject.kind === 'ServiceAccount' && <span class="muted"> service account</span>}
        </li>
      ))}
      {value.isPartial === true && <li class="muted">and more</li>}
    </ul>
  );
}
