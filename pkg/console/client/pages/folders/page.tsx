import { useEffect, useMemo } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { lazy } from '../../app/lazy.js';
import { nameIn, places } from '../../app/places.js';
import { namespace } from '../../lib/session.js';
import { report } from '../../ui/toasts.js';
import { NewMenu } from './actions/new-menu.js';
import { FolderPanel } from './folder/panel.js';
import { RootPanel } from './folder/root.js';
import { useIsEmpty } from './home/use-is-empty.js';
import { type Desk, DeskContext, newDesk } from './model/desk.js';
import { ROOT } from './model/kinds.js';
import { isNarrow } from './narrow.js';
import { SearchField } from './search/field.js';
import { useView } from './search/query.js';
import { Results } from './search/results.js';
import { StarredPanel } from './search/starred.js';
import { Side } from './side.js';
import { Tasks } from './tasks.js';
import { follow } from './tree/follow.js';
import './style.css';
import { Heading } from '../../ui/heading.js';

/** The folders of a namespace, and the chosen one. */
export function FoldersPage({ params }: { readonly params: Readonly<Record<string, string | undefined>> }) {
  const name = params['name'] === undefined ? undefined : nameIn(params['name']);
  const [{ words, tags, isStarred, isHome: isHomeAsked }] = useView();
  const desk = useMemo(() => newDesk(namespace.value), [namespace.value]);
  useEffect(() => {
    const controller = new AbortController();
    follow(desk.store, controller.signal);
    desk.stars.load().catch(report);
    return () => controller.abort();
  }, [desk]);
  const folder = name === ROOT ? undefined : name;
  useEffect(() => {
    // If the folder cannot be revealed in the tree, its panel is still shown.
    if (folder !== undefined) desk.view.reveal(folder).catch(() => undefined);
  }, [desk, folder]);
  useBegun(desk, folder ?? '');
  const isSearch = words !== '' || tags.length > 0;
  const isTreeOnly = isNarrow.value && name === undefined && !isSearch && !isStarred && !isHomeAsked;
  const isHome = name === undefined && !isSearch && !isStarred && (!isNarrow.value || isHomeAsked);
  const isRoot = name === ROOT && !isSearch && !isStarred;
  return (
    <DeskContext.Provider value={desk}>
      <div class={`page folders-page ${isNarrow.value ? 'narrow' : ''}`}>
        {isTreeOnly && <Heading>Folders</Heading>}
        <div class="folders-bar">
          <SearchField />
          <NewMenu folder={folder ?? ''} />
        </div>
        {isNarrow.value && !isTreeOnly && (
          <Link href={places.folders()} class="back-link">
            ‹ All folders
          </Link>
        )}
        <div class="folders-split">
          {(!isNarrow.value || isTreeOnly) && (
            <Side chosen={folder} isStarred={isStarred} isRoot={isRoot} isHome={isHome} />
          )}
          {isTreeOnly && <FirstSteps />}
          {!isTreeOnly && <Panel folder={folder} isHome={isHome} isSearch={isSearch} isStarred={isStarred} />}
        </div>
      </div>
      <Tasks shownFolder={folder} />
    </DeskContext.Provider>
  );
}

/** The dialogs that an address may open. */
const BEGUN = { folder: 'create', dashboard: 'createDashboard', import: 'import' } as const;

/** Opens the dialog that the address asks for, such as `?new=folder`, once. */
function useBegun({ task }: Desk, parent: string): void {
  const [path, go] = useLocation();
  const wish = new URLSearchParams(useSearch()).get('new');
  useEffect(() => {
    const kind = BEGUN[wish as keyof typeof BEGUN];
    if (wish === null) return;
    if (kind !== undefined) task.value = { kind, parent };
    go(path, { replace: true });
  }, [wish]);
}

const HomePanel = lazy<object>(async () => (await import('./home/panel.js')).HomePanel);

const Start = lazy<object>(async () => (await import('./home/panel.js')).Start);

/** A narrow page begins with the tree. If it is empty, the first steps are below it. */
function FirstSteps() {
  if (!useIsEmpty()) return null;
  return (
    <div class="first-steps">
      <Start />
    </div>
  );
}

interface PanelProps {
  readonly folder: string | undefined;
  readonly isHome: boolean;
  readonly isSearch: boolean;
  readonly isStarred: boolean;
}

function Panel({ folder, isHome, isSearch, isStarred }: PanelProps) {
  if (isSearch) return <Results />;
  if (isStarred) return <StarredPanel />;
  if (isHome) return <HomePanel />;
  return folder === undefined ? <RootPanel /> : <FolderPanel key={folder} name={folder} />;
}
