import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { places } from '../../../app/places.js';
import { type Loading, useLoad } from '../../../lib/load.js';
import { isAnonymous } from '../../../lib/session.js';
import { Heading } from '../../../ui/heading.js';
import { Refused } from '../../../ui/refused.js';
import { Failure, Skeleton } from '../../../ui/states.js';
import { Time } from '../../../ui/time.js';
import { lockOf } from '../contents/lock.js';
import { useDesk } from '../model/desk.js';
import type { Item } from '../model/elements.js';
import { LOCKS, ROOT, resourceFor, WORDS } from '../model/kinds.js';
import { addressOf } from '../search/query.js';
import { changesOfOthers, type DriftedSet, driftedSets, ownLists } from './load.js';
import { Start } from './start.js';
import { useIsEmpty, useIsRefused } from './use-is-empty.js';
import './style.css';

export { Start };

/** The first view: what the person works with, and what has changed. On an empty server: how to begin. */
export function HomePanel() {
  const isEmpty = useIsEmpty();
  const isRefused = useIsRefused();
  return (
    <section class="folder-panel home" aria-label="Home">
      <Heading>{isEmpty ? 'Welcome' : 'Home'}</Heading>
      <div class="panel-scroll">{isRefused ? <NoAccess /> : isEmpty ? <Start /> : <Cards />}</div>
    </section>
  );
}

const NoAccess = () => <Refused what="folders here" why="You have no role in this organization." />;

function Cards() {
  const { namespace, stars, done } = useDesk();
  const saved = stars.saved.value;
  const keys = [namespace, done.value];
  const own = useLoad((signal) => ownLists(namespace, signal), [...keys, saved]);
  const changes = useLoad((signal) => changesOfOthers(namespace, signal), keys);
  const drift = useLoad((signal) => driftedSets(namespace, signal), keys);
  return (
    <div class="home-cards">
      <Card title="Opened lately" items={own.state.value.value?.opened} loading={own}>
        Folders and dashboards that you open are here the next time.
      </Card>
      {!isAnonymous.value && (
        <Card
          title="Starred"
          items={own.state.value.value?.starred}
          loading={own}
          more={addressOf(places.folders(ROOT), { isStarred: true })}
        >
          Press the star beside a dashboard to find it here.
        </Card>
      )}
      <Card title="Changed lately by others" items={changes.state.value.value} loading={changes} hasTime>
        Nobody else has changed something lately.
      </Card>
      <Drift loading={drift} />
    </div>
  );
}

/** Is not there if nothing differs. */
function Drift({ loading: { state, reload } }: { readonly loading: Loading<readonly DriftedSet[]> }) {
  const { value = [], error } = state.value;
  if (value.length === 0 && error === undefined) return null;
  return (
    <section class="home-card" aria-label="Drift">
      <h2>Drift</h2>
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      <ul class="home-list">
        {value.map(({ name, drifted, members }) => (
          <li key={name}>
            <Link href={places.sets(name)} class="cut home-link">
              {name}
            </Link>
            <span class="chip warn">
              {drifted} of {members} differ
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface CardProps {
  readonly title: string;
  readonly items: readonly Item[] | undefined;
  readonly loading: Pick<Loading<unknown>, 'state' | 'reload'>;
  /** The address of all of them. */
  readonly more?: string;
  /** Whether each item says who has changed it and when, in place of where it lies. */
  readonly hasTime?: boolean;
  /** What to do if there is nothing. */
  readonly children: ComponentChildren;
}

function Card({ title, items = [], loading: { state, reload }, more, hasTime = false, children }: CardProps) {
  const { phase, error } = state.value;
  const { store } = useDesk();
  useEffect(() => {
    void store.learn(items.map(({ folder }) => folder)).catch(() => undefined);
  }, [store, items]);
  return (
    <section class="home-card" aria-label={title}>
      <div class="row apart">
        <h2>{title}</h2>
        {more !== undefined && items.length > 0 && <Link href={more}>All</Link>}
      </div>
      {phase === 'loading' && <Skeleton rows={3} />}
      {phase === 'failed' && <Failure error={error} onRetry={reload} />}
      {phase === 'there' && items.length === 0 && <p class="muted">{children}</p>}
      <ul class="home-list">
        {items.map((item) => (
          <Line key={`${item.kind} ${item.name}`} item={item} hasTime={hasTime} />
        ))}
      </ul>
    </section>
  );
}

function Line({ item, hasTime }: { readonly item: Item; readonly hasTime: boolean }) {
  const { namespace, store } = useDesk();
  const { kind, name, title, folder, details } = item;
  const lock = lockOf(item, store);
  store.version.value;
  const resource = resourceFor(kind);
  const to =
    kind === 'folders' || resource === undefined ? places.folders(name) : places.object(resource, namespace, name);
  const path = store.knownPath(folder).map((node) => node.title.slice(0, 60));
  return (
    <li>
      <span
        class={`kind-icon ${kind} ${lock === undefined ? '' : `private ${lock}`}`}
        aria-hidden="true"
        {...(lock && { title: LOCKS[lock] })}
      />
      <Link href={to} class="cut home-link" title={title.slice(0, 300)}>
        <span class="sr-only">{lock ? `private ${WORDS[kind][1]}` : WORDS[kind][1]}: </span>
        <bdi>{title}</bdi>
      </Link>
      {hasTime ? (
        <span class="muted home-note by">
          <span class="home-author">
            <bdi class="cut" title={details?.updatedBy?.login}>
              {details?.updatedBy?.name}
            </bdi>
            <span aria-hidden="true">·</span>
          </span>
          <Time at={details?.updated} />
        </span>
      ) : (
        <span class="muted cut home-note" title={path.join(' / ')}>
          <bdi>{path.join(' / ')}</bdi>
        </span>
      )}
    </li>
  );
}
