import { useId, useRef } from 'preact/hooks';
import { VirtualRows } from '../../../ui/virtual-rows.js';
import type { Dragged } from './drag.js';
import { treeKey } from './keys.js';
import { RestLine, TreeLine } from './line.js';
import type { TreeRow } from './rows.js';
import type { TreeView } from './view.js';

const ROW = 32;

export interface TreeProps {
  readonly view: TreeView;
  readonly label: string;
  /** The name of the folder that is shown or chosen. */
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
  /** Gets keys before the tree does. Returns whether the key has a meaning. */
  readonly onKey?: (event: KeyboardEvent, name: string) => boolean;
  readonly onDrop?: (item: Dragged, name: string) => void;
}

/**
 * The tree of folders. The tree has the focus, and names its active row to screen readers, because rows come and go.
 */
export function Tree({ view, label, chosen, onChoose, onKey, onDrop }: TreeProps) {
  const id = useId();
  const [rows, at] = [view.rows.value, view.at.value];
  const isPressed = useRef(false);
  const toFirst = (): void => {
    if (view.at.peek() < 0) view.active.value = view.folders.peek()[0]?.node.name ?? '';
  };
  const lineId = (name: string): string => `${id}-${name}`;
  const keyed = (event: KeyboardEvent): void => {
    const name = view.active.peek();
    const isKnown = onKey?.(event, name) === true || treeKey(view, event, onChoose);
    if (!isKnown) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <VirtualRows<TreeRow>
      rows={rows}
      height={ROW}
      role="tree"
      label={label}
      class="folder-tree"
      shown={at}
      attributes={{
        onKeyDown: keyed,
        // A press of the mouse gives the focus, too. Nothing may move under it, or it would be no click.
        onMouseDown: () => {
          isPressed.current = true;
        },
        onMouseUp: () => {
          isPressed.current = false;
        },
        onFocus: () => {
          if (!isPressed.current) toFirst();
          isPressed.current = false;
        },
        ...(at >= 0 && { 'aria-activedescendant': lineId(view.active.value) }),
      }}
      render={(row) =>
        row.kind === 'rest' ? (
          <RestLine key={`rest ${row.parent}`} row={row} store={view.store} />
        ) : (
          <TreeLine
            key={row.node.name}
            id={lineId(row.node.name)}
            row={row}
            view={view}
            isChosen={row.node.name === chosen}
            onChoose={onChoose}
            onDrop={onDrop}
          />
        )
      }
    />
  );
}
