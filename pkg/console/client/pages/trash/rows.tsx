import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { dateAndTime } from '../../lib/formats.js';
import { namespace } from '../../lib/session.js';
import { Author } from '../../ui/author.js';
import { Button } from '../../ui/button.js';
import { Time } from '../../ui/time.js';
import { VirtualRows } from '../../ui/virtual-rows.js';
import { titleOf } from '../access/kind-field.js';
import { FolderTitle } from '../folders/folder-title.js';
import { type Deleted, keyOf } from './trash.js';
import type { Inside, Tree } from './trees.js';

interface Props {
  readonly trees: readonly Tree[];
  /** The titles of deleted folders, by their names. */
  readonly gone: ReadonlyMap<string, string>;
  /** Several objects that were deleted at once, or one. */
  readonly onRestore: (objects: readonly [Deleted, ...Deleted[]]) => void;
  readonly onEnd: (() => void) | undefined;
}

type Row = { readonly tree: Tree } | { readonly inside: Inside };

const NARROW = '(max-width: 800px)';
/** The height of a row in pixels, and that on a narrow screen, where it has two lines. */
const [HEIGHT, TALL] = [48, 88];
/** The height of the head. */
const HEAD = 36;

function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const media = matchMedia(NARROW);
    const change = (): void => setNarrow(media.matches);
    media.addEventListener('change', change);
    return () => media.removeEventListener('change', change);
  }, []);
  return isNarrow;
}

/** The deletions. Each can be opened to see what was deleted with it. */
export function TrashRows({ trees, gone, onRestore, onEnd }: Props) {
  const isNarrow = useIsNarrow();
  const open = useSignal<ReadonlySet<string>>(new Set());
  const rows = useMemo(
    () =>
      trees.flatMap((tree): readonly Row[] => [
        { tree },
        ...(open.value.has(tree.key) ? tree.inside.map((inside) => ({ inside })) : []),
      ]),
    [trees, open.value],
  );
  const toggle = (key: string): void => {
    const next = new Set(open.value);
    if (!next.delete(key)) next.add(key);
    open.value = next;
  };
  return (
    <div class="trash" role="table" aria-label="Deletions" aria-rowcount={rows.length + 1}>
      <VirtualRows
        rows={rows}
        height={isNarrow ? TALL : HEIGHT}
        headHeight={HEAD}
        onEnd={onEnd}
        role="rowgroup"
        head={
          <div class="trash-row trash-head" role="row">
            <span role="columnheader">What was deleted</span>
            <span role="columnheader">By</span>
            <span role="columnheader">When</span>
            <span role="columnheader">Is kept for</span>
            <span role="columnheader">
              <span class="sr-only">Actions</span>
            </span>
          </div>
        }
        render={(row, index) =>
          'tree' in row ? (
            <Root
              key={row.tree.key}
              tree={row.tree}
              gone={gone}
              index={index}
              isOpen={open.value.has(row.tree.key)}
              onToggle={() => toggle(row.tree.key)}
              onRestore={onRestore}
            />
          ) : (
            <Content key={keyOf(row.inside.object)} inside={row.inside} index={index} onRestore={onRestore} />
          )
        }
      />
    </div>
  );
}

interface RootProps extends Pick<Props, 'gone' | 'onRestore'> {
  readonly tree: Tree;
  readonly index: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function Root({ tree: { root, others, inside, isPartial }, gone, index, isOpen, onToggle, onRestore }: RootProps) {
  const title = root.title || root.name;
  const all = others.length + 1;
  const along = inside.length - (others.length === 0 ? 0 : all);
  return (
    <div class="trash-row" role="row" aria-rowindex={index + 2}>
      <div role="cell" class="trash-what">
        {inside.length === 0 ? (
          <span class="trash-toggle" />
        ) : (
          <button
            type="button"
            class="icon-button trash-toggle"
            aria-expanded={isOpen}
            aria-label={`What was deleted with ${title}`}
            onClick={onToggle}
          >
            {isOpen ? '▾' : '▸'}
          </button>
        )}
        <Named object={root} />
        {others.length > 0 && (
          <span class="trash-others">
            and {others.length === 1 ? <bdi>{others[0]?.title || others[0]?.name}</bdi> : `${others.length} others`}
          </span>
        )}
        {root.folder !== '' && (
          <span class="muted trash-with cut">
            in{' '}
            {gone.has(root.folder) ? (
              <bdi>{gone.get(root.folder)}</bdi>
            ) : (
              <FolderTitle namespace={namespace.value} name={root.folder} />
            )}
          </span>
        )}
        {along > 0 && (
          <span class="muted trash-with">
            with {along}
            {isPartial ? '+' : ''} {along === 1 ? 'object' : 'objects'}
          </span>
        )}
      </div>
      <span role="cell" class="trash-by cut muted">
        <Author by={root.by} in={root} />
      </span>
      <span role="cell" class="trash-when muted">
        <Time at={root.at} />
      </span>
      <span role="cell" class="trash-until muted">
        <Left until={root.until} />
      </span>
      <span role="cell" class="trash-act">
        <Button
          aria-label={others.length === 0 ? `Restore ${title}` : `Restore all: ${title} and ${others.length} more`}
          onPress={() => onRestore([root, ...others])}
        >
          {others.length === 0 ? 'Restore…' : 'Restore all…'}
        </Button>
      </span>
    </div>
  );
}

interface ContentProps {
  readonly inside: Inside;
  readonly index: number;
  readonly onRestore: Props['onRestore'];
}

function Content({ inside: { object, depth }, index, onRestore }: ContentProps) {
  return (
    <div class="trash-row trash-content" role="row" aria-rowindex={index + 2}>
      <div role="cell" class="trash-what" style={{ paddingInlineStart: `${Math.min(depth, 6) * 16 + 24}px` }}>
        <Named object={object} />
      </div>
      <span role="cell" class="trash-act">
        <Button look="quiet" aria-label={`Restore ${object.title || object.name}`} onPress={() => onRestore([object])}>
          Restore…
        </Button>
      </span>
    </div>
  );
}

function Named({ object: { resource, name, title } }: { readonly object: Deleted }) {
  return (
    <>
      <span class="chip">{titleOf(resource)}</span>
      <Link class="cut trash-title" href={places.object(resource, namespace.value, name, 'history')} dir="auto">
        {title || name}
      </Link>
    </>
  );
}

const DAY = 86_400_000;

/** How long the object is kept, with the exact time as a tooltip. */
function Left({ until }: { readonly until: string }) {
  const end = Date.parse(until);
  if (Number.isNaN(end)) return null;
  const left = end - Date.now();
  const days = Math.round(left / DAY);
  const hours = Math.max(0, Math.floor(left / 3_600_000));
  return (
    <time dateTime={until} title={dateAndTime(new Date(end))} class={days < 3 ? 'trash-soon' : ''}>
      {days >= 3 ? `${days} days` : `${hours} hours`}
    </time>
  );
}
