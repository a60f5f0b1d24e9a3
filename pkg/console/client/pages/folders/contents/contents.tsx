import { useEffect, useMemo } from 'preact/hooks';
import { useChanges } from '../../../lib/changes.js';
import { Button } from '../../../ui/button.js';
import { Empty, Skeleton } from '../../../ui/states.js';
import { type Desk, useDesk } from '../model/desk.js';
import { alertRules, libraryElements } from '../model/elements.js';
import { find } from '../model/find.js';
import { KINDS, type KindName, ROOT, resourceFor, WORDS } from '../model/kinds.js';
import { useCreateRefusal } from '../model/rights.js';
import { itemOf } from '../search/item.js';
import { useView } from '../search/query.js';
import { followedIn } from './followed.js';
import { KindChips } from './kind-chips.js';
import { SelectionBar } from './selection-bar.js';
import { SortedList } from './sorted-list.js';
import { foldersIn, pages, type Source } from './source.js';
import { useSelection } from './use-selection.js';

/** Milliseconds for which changes of folders are gathered. */
const GATHER = 300;

function sourceOf({ namespace, store }: Desk, folder: string, kind: KindName): Source {
  switch (kind) {
    case 'folders':
      return foldersIn(store, folder);
    case 'dashboards':
      return pages(kind, async ({ offset, limit }, signal) => {
        const place = folder === '' ? ROOT : folder;
        const { hits, totalHits } = await find(namespace, { type: 'dashboard', folder: place, offset, limit }, signal);
        return { items: hits.map(itemOf), total: totalHits };
      });
    case 'libraryelements':
      return pages(kind, (range, signal) => libraryElements(namespace, folder, range, signal));
    case 'alertrules':
      return pages(kind, (_, signal) => alertRules(namespace, folder, signal));
  }
}

/** What lies directly in a folder, of all kinds or of one. `folder` is empty for the root. */
export function Contents({ folder }: { readonly folder: string }) {
  const desk = useDesk();
  const { store, details, done, task } = desk;
  const [{ kind }, show] = useView();
  const only = KINDS.find((one) => one === kind);
  const create = useCreateRefusal(folder);
  const sources = useMemo(
    () => KINDS.filter((kind) => resourceFor(kind) !== undefined).map((kind) => sourceOf(desk, folder, kind)),
    [desk, folder],
  );
  const reload = (): void => {
    for (const source of sources) source.reload();
  };
  useEffect(() => {
    store.open(folder);
    for (const source of sources) if (source.state.peek().total === undefined) source.more();
    return () => {
      for (const source of sources) source.stop();
    };
  }, [sources]);
  // The first watch begins while the page is loaded.
  const firstEpoch = useMemo(() => Math.max(1, store.epoch.peek()), [sources]);
  const epoch = store.epoch.value;
  useEffect(() => {
    // What the caller may view may be something else now.
    if (done.peek() > 0 || epoch > firstEpoch) reload();
  }, [done.value, epoch]);
  const selection = useSelection([sources], folder);
  const [change, writes] = [store.change.value, done.value];
  useEffect(() => {
    if (change === undefined && writes === 0) return;
    const timer = setTimeout(() => details.stale(), GATHER);
    return () => clearTimeout(timer);
  }, [change, writes]);
  const shown = useMemo(() => sources.filter(({ id }) => only === undefined || id === only), [sources, only]);
  const followed = KINDS.flatMap((kind) =>
    sources.filter(({ id }) => id === kind).flatMap((source) => followedIn(folder, kind, desk, source)),
  );
  useChanges([followed], [sources]);
  const totals = sources.map(({ state }) => state.value);
  const isEmpty = totals.every(({ total }) => total === 0);
  if (totals.some(({ total, error }) => total === undefined && error === undefined)) return <Skeleton rows={6} />;
  if (isEmpty)
    return (
      <Empty title={create === undefined ? 'Nothing lies here yet' : 'Nothing lies here that you may view'}>
        {create === undefined && (
          <>
            <p>Create a folder here, import dashboards, or drag something to it in the tree.</p>
            <div class="row">
              <Button onPress={() => (task.value = { kind: 'create', parent: folder })}>New folder here</Button>
              <Button onPress={() => (task.value = { kind: 'import', parent: folder })}>Import dashboards</Button>
            </div>
          </>
        )}
      </Empty>
    );
  const counts = sources.map(({ id, state }) => [id as KindName, state.value.total ?? 0] as const);
  return (
    <>
      <SelectionBar selection={selection} />
      {(selection === undefined || selection.chosen.value.size === 0) && (
        <KindChips counts={counts} only={only} onOnly={(one) => show({ kind: one ?? '' })} />
      )}
      {only !== undefined && shown.every(({ state }) => state.value.total === 0) ? (
        <Empty title={`There are no ${WORDS[only][2]} here`}>
          <Button onPress={() => show({ kind: '' })}>Show everything</Button>
        </Empty>
      ) : (
        <SortedList label="Contents" folder={folder} sources={shown} selection={selection} />
      )}
    </>
  );
}
