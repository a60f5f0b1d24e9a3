import { useSignal } from '@preact/signals';
import { Link } from 'wouter-preact';
import { useLoad } from '../../lib/load.js';
import { namespace } from '../../lib/session.js';
import { useTitles } from '../../lib/table-titles.js';
import { Button } from '../../ui/button.js';
import { Failure, Skeleton } from '../../ui/states.js';
import { customRoles, needed, titledLevel } from '../folders/access/entries.js';
import type { Subject } from '../folders/access/subjects.js';
import { hrefOf, levelWords, reasonsOf, rolesIn } from './answer.js';
import { type Place, type Places, placesOf } from './questions.js';

interface Props {
  readonly subject: Subject | undefined;
  readonly kind: 'folders' | 'dashboards';
}

/** So few that the dashboards are seen below the folders. */
const PAGE = 20;

const TITLES = { folders: 'Folders', dashboards: 'Dashboards' } as const;
const NONE = {
  folders: 'No folder is open to them.',
  dashboards: 'No dashboard is open to them.',
} as const;

/** The folders or dashboards that somebody may open, what they may do there, and where it comes from. */
export function OpenPlaces({ subject, kind }: Props) {
  const more = useSignal<readonly Place[]>([]);
  const next = useSignal<string | undefined>(undefined);
  const { state, reload } = useLoad(async (signal) => {
    const first = await placesOf(subject, namespace.value, { resource: kind, limit: PAGE }, signal);
    next.value = first.continue;
    return first;
  }, []);
  const { value, error } = state.value;
  const load = async (): Promise<void> => {
    const found = await placesOf(subject, namespace.value, { resource: kind, limit: PAGE, continue: next.value });
    [more.value, next.value] = [[...more.value, ...found.places], found.continue];
  };
  return (
    <section class="stack tight" aria-label={TITLES[kind]}>
      <h3>{TITLES[kind]}</h3>
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {error === undefined && value === undefined && <Skeleton rows={4} label={`Loading the ${kind}`} />}
      {value !== undefined && (
        <Found kind={kind} subject={subject} found={{ ...value, places: [...value.places, ...more.value] }} />
      )}
      {next.value !== undefined && <Button onPress={load}>Show more {kind}</Button>}
    </section>
  );
}

function Found({ kind, subject, found }: Props & { readonly found: Places }) {
  const { places, serverAdministrator } = found;
  const reasons = places.flatMap(({ because }) => because ?? []);
  const titleOf = useTitles(needed('iam', 'roles'), namespace.value, [
    ...rolesIn(reasons),
    ...customRoles(places.map(({ level }) => level)),
  ]);
  if (serverAdministrator === true) return <p>May administer all of them: administrator of the server.</p>;
  if (places.length === 0) return <p class="muted">{found.continue === undefined ? NONE[kind] : 'None so far.'}</p>;
  return (
    <div class="table-box">
      <table class="table access-places">
        <caption class="sr-only">{TITLES[kind]} that they may open</caption>
        <thead>
          <tr>
            <th scope="col">{TITLES[kind].slice(0, -1)}</th>
            <th scope="col">May</th>
            <th scope="col">Where it comes from</th>
          </tr>
        </thead>
        <tbody>
          {places.map(({ name, title, level, because }) => (
            <tr key={name}>
              <td>
                <Link href={hrefOf(kind, namespace.value, name)} title={name} dir="auto">
                  {title}
                </Link>
              </td>
              <td dir="auto">{levelWords(titledLevel(level, titleOf))}</td>
              <td dir="auto">
                {because === undefined ? 'several together' : reasonsOf([because], subject, titleOf)[0]}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
