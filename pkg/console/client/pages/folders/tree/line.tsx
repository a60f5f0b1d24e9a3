import { useEffect } from 'preact/hooks';
import { wordsOf } from '../../../lib/api.js';
import { useAgain } from '../../../lib/connection.js';
import { LOCKS } from '../model/kinds.js';
import { type Dragged, dragging, dropping, over } from './drag.js';
import { usePeek } from './peeking.js';
import type { FolderRow, RestRow } from './rows.js';
import type { FolderStore } from './store.js';
import type { TreeView } from './view.js';

/** Milliseconds after which a closed folder opens while something is dragged over it. */
const OPENS_AFTER = 700;

interface LineProps {
  readonly id: string;
  readonly row: FolderRow;
  readonly view: TreeView;
  readonly isChosen: boolean;
  readonly onChoose: (name: string) => void;
  readonly onDrop: ((item: Dragged, name: string) => void) | undefined;
}

export function TreeLine({ id, row, view, isChosen, onChoose, onDrop }: LineProps) {
  const { node, level, isOpen, hasFolders, at, of } = row;
  const { name, title } = node;
  const lock = view.store.lockOf(name);
  usePeek(view.store, name);
  const isOver = onDrop !== undefined && over.value === name;
  useEffect(() => {
    if (!isOver || isOpen) return;
    const timer = setTimeout(() => view.setOpen(name, true), OPENS_AFTER);
    return () => clearTimeout(timer);
  }, [isOver, isOpen]);
  const isActive = view.active.value === name;
  const own = onDrop && {
    ...dragging({ kind: 'folders', name, title }),
    ...dropping(name, (item) => onDrop(item, name)),
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the tree.
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-posinset={at}
      aria-setsize={of}
      aria-selected={isChosen}
      {...(hasFolders !== false && { 'aria-expanded': isOpen })}
      class={`tree-line ${isActive ? 'active' : ''} ${isOver ? 'over' : ''}`}
      style={{ paddingInlineStart: `${4 + (level - 1) * 16}px` }}
      onClick={() => {
        view.active.value = name;
        onChoose(name);
      }}
      {...own}
    >
      <Twisty
        isOpen={isOpen}
        isShown={hasFolders !== false}
        onPress={() => {
          view.active.value = name;
          view.setOpen(name, !isOpen);
        }}
      />
      <span
        class={`folder-icon ${lock === undefined ? '' : `private ${lock}`}`}
        aria-hidden="true"
        {...(lock && { title: LOCKS[lock] })}
      />
      <span class="cut grow" title={title.slice(0, 300)}>
        <bdi>{title}</bdi>
        {lock && <span class="sr-only">(private)</span>}
      </span>
    </div>
  );
}

/** Opens and closes a folder with the mouse. Screen readers do not need it, because the tree has keys for it. */
function Twisty({
  isOpen,
  isShown,
  onPress,
}: {
  readonly isOpen: boolean;
  readonly isShown: boolean;
  readonly onPress: () => void;
}) {
  if (!isShown) return <span class="twisty" />;
  return (
    <span
      class={`twisty ${isOpen ? 'open' : 'closed'}`}
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        onPress();
      }}
    />
  );
}

/** Stands for the next page, which is loaded when this is seen. */
export function RestLine({ row, store }: { readonly row: RestRow; readonly store: FolderStore }) {
  const { parent, level, count, error } = row;
  const list = store.children(parent);
  useEffect(() => {
    if (error === undefined) store.more(parent);
  }, [parent, list, error]);
  useAgain(
    () => error,
    () => store.more(parent),
  );
  return (
    <div
      class="tree-line rest"
      role="treeitem"
      aria-level={level}
      style={{ paddingInlineStart: `${24 + (level - 1) * 16}px` }}
    >
      {error === undefined ? (
        <span class="skeleton-row grow" title={count > 0 ? `${count} more` : 'Loading'} />
      ) : (
        <>
          <span class="cut grow" title={wordsOf(error)}>
            {wordsOf(error)}
          </span>
          <button type="button" class="button quiet" onClick={() => store.more(parent)}>
            Try again
          </button>
        </>
      )}
    </div>
  );
}
