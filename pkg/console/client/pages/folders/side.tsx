import { Link, useLocation } from 'wouter-preact';
import { places } from '../../app/places.js';
import { isAnonymous } from '../../lib/session.js';
import { Icon } from '../../ui/icon.js';
import { report } from '../../ui/toasts.js';
import { useIsRefused } from './home/use-is-empty.js';
import { useDesk } from './model/desk.js';
import { begin, onItemKey } from './model/keys.js';
import { ROOT } from './model/kinds.js';
import { useRefusals } from './model/rights.js';
import { isNarrow } from './narrow.js';
import { addressOf } from './search/query.js';
import { type Dragged, dropping, over } from './tree/drag.js';
import { Tree } from './tree/tree.js';

const VERBS = ['create'] as const;

interface Props {
  readonly chosen: string | undefined;
  readonly isStarred: boolean;
  readonly isRoot: boolean;
  readonly isHome: boolean;
}

/** The tree of folders, with the links above it. */
export function Side({ chosen, isStarred, isRoot, isHome }: Props) {
  const desk = useDesk();
  const { view, store, stars, task } = desk;
  const [, go] = useLocation();
  const { create } = useRefusals(VERBS);
  const drop = (item: Dragged, to: string): void => {
    task.value = { kind: 'move', item, to };
  };
  store.version.value;
  const isRefused = useIsRefused();
  const isEmpty =
    isRefused ||
    (store.children('')?.phase === 'there' && store.children('')?.total === 0 && store.shared.length === 0);
  return (
    <aside class="folders-side" aria-label="Folders">
      <ul class="side-links">
        <li>
          <Link
            href={addressOf(places.folders(), { isHome: isNarrow.value })}
            {...(isHome && { 'aria-current': 'page' })}
          >
            <Icon name="home" />
            Home
          </Link>
        </li>
        <li {...dropping('', (item) => drop(item, ''))} class={over.value === '' ? 'over' : ''}>
          <Link href={places.folders(ROOT)} {...(isRoot && { 'aria-current': 'page' })}>
            <Icon name="folders" />
            All folders
          </Link>
        </li>
        {!isAnonymous.value && (
          <li>
            <Link
              href={addressOf(places.folders(ROOT), { isStarred: true })}
              {...(isStarred && { 'aria-current': 'page' })}
            >
              <Icon name="star" />
              Starred <span class="muted">{stars.names.value.size || ''}</span>
            </Link>
          </li>
        )}
      </ul>
      {isEmpty ? (
        <p class="muted side-empty">
          {create === undefined && !isRefused ? 'There is no folder yet.' : 'There is no folder that you may view.'}
        </p>
      ) : (
        <Tree
          view={view}
          label="Folders"
          chosen={chosen}
          onChoose={(name) => go(places.folders(name))}
          onDrop={drop}
          onKey={(event, name) => {
            const title = store.node(name)?.title;
            if (title === undefined) return false;
            const item = { kind: 'folders', name, title } as const;
            if (event.key !== 'Insert') return onItemKey(event, desk, item);
            void begin(desk, { task: { kind: 'create', parent: name }, verb: 'create' }, item).catch(report);
            return true;
          }}
        />
      )}
      {create === undefined && !isEmpty && (
        <p class="muted key-hints">
          <kbd>Insert</kbd> new, <kbd>F2</kbd> rename, <kbd>Shift+F2</kbd> move, <kbd>Delete</kbd> delete
        </p>
      )}
    </aside>
  );
}
