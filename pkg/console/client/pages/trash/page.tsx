import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useMemo } from 'preact/hooks';
import { useAgain } from '../../lib/connection.js';
import { namespace } from '../../lib/session.js';
import { Button } from '../../ui/button.js';
import { SelectField, TextField } from '../../ui/field.js';
import { Empty, Failure, Skeleton } from '../../ui/states.js';
import { report } from '../../ui/toasts.js';
import { kindOptions } from '../access/kind-field.js';
import { titleKey } from '../object/history/comes-back.js';
import { RestoreMany } from './restore-many.js';
import { RestoreTree } from './restore-tree.js';
import { TrashRows } from './rows.js';
import { type Deleted, kindsWithTrash, openTrash, type Trash, type TrashState } from './trash.js';
import { isFolder, matching, treesOf } from './trees.js';
import './style.css';
import { Heading } from '../../ui/heading.js';

/** Milliseconds between two requests for new deletions, because the trash cannot be watched. */
const EVERY = 10_000;

export function TrashPage() {
  const trash = useMemo(() => openTrash(namespace.value), [namespace.value]);
  useEffect(() => followed(trash), [trash]);
  const state = trash.state.value;
  useAgain(
    () => trash.state.peek().error,
    () => void trash.refresh(),
  );
  return (
    <div class="page">
      <div class="page-head">
        <div class="stack tight">
          <Heading>Trash</Heading>
          <p class="muted">What was deleted together comes back together, with the same names and numbers.</p>
        </div>
        <Button onPress={trash.refresh}>Refresh</Button>
      </div>
      {state.phase === 'loading' && <Skeleton rows={10} label="Loading the trash" />}
      {state.phase === 'failed' && <Failure error={state.error} onRetry={() => void trash.refresh()} />}
      {state.phase === 'there' && <Deletions key={namespace.value} trash={trash} state={state} />}
    </div>
  );
}

/** Looks for new deletions every few seconds, and when the page is seen again. */
function followed(trash: Trash): () => void {
  const look = (): void => {
    if (!document.hidden) trash.look().catch(() => undefined);
  };
  const timer = setInterval(look, EVERY);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
    trash.stop();
  };
}

function Deletions({ trash, state: { deleted, horizon } }: { readonly trash: Trash; readonly state: TrashState }) {
  const [text, kind] = [useSignal(''), useSignal('')];
  const restoring = useSignal<readonly [Deleted, ...Deleted[]] | undefined>(undefined);
  const [first, ...others] = restoring.value ?? [];
  const end = {
    onClose: () => (restoring.value = undefined),
    onDone: () => {
      restoring.value = undefined;
      void trash.refresh();
    },
  };
  const trees = useMemo(() => treesOf(deleted, horizon), [deleted, horizon]);
  const shown = useMemo(() => matching(trees, { text: text.value, kind: kind.value }), [trees, text.value, kind.value]);
  const titles = useMemo(
    () => new Map(deleted.map(({ resource, name, title }) => [titleKey(resource.group, resource.kind, name), title])),
    [deleted],
  );
  const gone = useMemo(() => new Map(deleted.filter(isFolder).map(({ name, title }) => [name, title])), [deleted]);
  // It is another function after each page, so that the list asks again, also if the page has added no row.
  const more = useCallback(() => void trash.more().catch(report), [trash, deleted]);
  const hasMore = horizon !== '';
  // A filter applies to the whole trash, so all of it is loaded. A page may have nothing that this person may see.
  const isSearching = hasMore && (text.value !== '' || kind.value !== '' || shown.length === 0);
  useEffect(() => {
    if (isSearching) more();
  }, [isSearching, more]);
  if (deleted.length === 0 && !hasMore)
    return (
      <Empty title="The trash is empty">
        <p>What somebody deletes comes here, and can be brought back until its time is over.</p>
      </Empty>
    );
  return (
    <>
      <div class="filters">
        <TextField label="Title or name" type="search" value={text.value} onValue={(value) => (text.value = value)} />
        <SelectField
          label="Kind"
          value={kind.value}
          onValue={(value) => (kind.value = value)}
          options={[['', 'All kinds'], ...kindOptions(kindsWithTrash())]}
        />
        <p class="muted filters-count" role="status">
          {countOf(shown.length, hasMore, isSearching)}
        </p>
      </div>
      {shown.length === 0 && !isSearching ? (
        <Empty title="Nothing in the trash matches">
          <Button
            onPress={() => {
              text.value = '';
              kind.value = '';
            }}
          >
            Show all
          </Button>
        </Empty>
      ) : (
        <TrashRows
          trees={shown}
          gone={gone}
          onRestore={(objects) => (restoring.value = objects)}
          onEnd={hasMore ? more : undefined}
        />
      )}
      {first !== undefined &&
        (others.length === 0 ? (
          <RestoreTree object={first} deleted={deleted} namespace={namespace.value} titles={titles} {...end} />
        ) : (
          <RestoreMany objects={[first, ...others]} namespace={namespace.value} titles={titles} {...end} />
        ))}
    </>
  );
}

function countOf(shown: number, hasMore: boolean, isSearching: boolean): string {
  const deletions = shown === 1 ? '1 deletion' : `${shown} deletions`;
  if (isSearching) return `${deletions} so far. Still looking…`;
  return hasMore ? `${deletions}, and older ones below` : deletions;
}
