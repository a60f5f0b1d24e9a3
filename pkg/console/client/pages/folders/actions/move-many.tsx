import { useSignal } from '@preact/signals';
import { useLoad } from '../../../lib/load.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { Skeleton } from '../../../ui/states.js';
import { tell } from '../../../ui/toasts.js';
import { type Desk, useDesk } from '../model/desk.js';
import { parentOf } from '../model/kinds.js';
import type { Chosen } from '../model/selection.js';
import { quoted } from '../model/words.js';
import { Consequences } from './consequences.js';
import { each, isDone, type Outcome, summaryOf, tellDone } from './each.js';
import { FolderPicker } from './picker.js';
import { move, read, subjectOf } from './requests.js';
import { Unknown } from './unknown.js';

const THERE = 'They lie there already.';

interface Props {
  readonly items: readonly Chosen[];
  readonly onClose: () => void;
}

/** Where an object lies now, and the version for which the preview holds. */
interface From {
  readonly from: string;
  readonly version: string | undefined;
  readonly warnings: readonly string[];
}

async function previewOf({ namespace }: Desk, item: Chosen, to: string, signal: AbortSignal): Promise<From> {
  const subject = subjectOf(namespace, item);
  const object = await read(subject, signal);
  const { resourceVersion: version } = object.metadata;
  const from = parentOf(object);
  const { warnings } = from === to ? { warnings: [] } : await move(subject, version, to, { isTrial: true, signal });
  return { from, version, warnings };
}

/** Chooses a folder for several objects, shows the consequences, and moves them. The message can undo it. */
export function MoveMany({ items, onClose }: Props) {
  const desk = useDesk();
  const to = useSignal<string | undefined>(undefined);
  const target = to.value;
  const { state, reload } = useLoad(
    async (signal) =>
      target === undefined ? undefined : each(items, (item) => previewOf(desk, item, target, signal), signal),
    [target],
  );
  const previews = state.value.value;
  const refused = previews?.filter((one) => !isDone(one)) ?? [];
  const leaving = previews?.filter(({ result }) => result?.from !== target) ?? [];
  const place = target === undefined ? undefined : placeNamed(desk, target);
  const warnings = previews?.flatMap(({ result }) => result?.warnings ?? []) ?? [];
  const where = { namespace: desk.namespace, titles: new Map(items.map(({ name, title }) => [name, title])) };
  const retry = (): void => {
    state.value = { phase: 'loading' };
    reload();
  };
  const carryOut = async (): Promise<void> => {
    if (target === undefined) return;
    const moved = await each(leaving, ({ item, result }) =>
      move(subjectOf(desk.namespace, item), result?.version, target, { isTrial: false }),
    );
    onClose();
    finish(
      desk,
      moved.map(({ item, error }) => ({ ...item, error })),
      placeNamed(desk, target),
    );
  };
  return (
    <Dialog
      title={`Move ${items.length} objects`}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" unavailable={whyNot(target, previews, leaving)} onPress={carryOut}>
            {place === undefined ? 'Move' : `Move to ${place}`}
          </Button>
        </>
      }
    >
      <FolderPicker
        without={items.find(({ kind }) => kind === 'folders')?.name ?? ''}
        chosen={target}
        onChoose={(name) => {
          if (name !== target) state.value = { phase: 'loading' };
          to.value = name;
        }}
      />
      <section class="move-preview" aria-live="polite" aria-label="What the move means">
        {target === undefined && <p class="muted">Choose a folder to see who would gain and who would lose access.</p>}
        {target !== undefined && state.value.phase === 'loading' && <Skeleton rows={1} label="Asking what it means" />}
        <Unknown outcomes={refused} onRetry={retry} />
        {previews !== undefined && <There count={previews.length - leaving.length} of={previews.length} />}
        {leaving.length > 0 && refused.length === 0 && <Consequences warnings={warnings} where={where} />}
      </section>
    </Dialog>
  );
}

/** How many lie in the folder already, which are not moved. */
function There({ count, of }: { readonly count: number; readonly of: number }) {
  if (count === 0) return null;
  return <p class="muted">{count === of ? THERE : `${count} of ${of} lie there already.`}</p>;
}

type Moved = Outcome<Chosen, From>;

/** Tells what was moved, and offers to move it back. */
function finish(desk: Desk, moved: readonly Moved[], place: string): void {
  desk.done.value++;
  const back = async (): Promise<void> => {
    const returned = await each(moved.filter(isDone), ({ item, result }) =>
      move(subjectOf(desk.namespace, item), undefined, result?.from ?? '', { isTrial: false }),
    );
    desk.done.value++;
    tell(
      summaryOf(
        returned.map(({ item, error }) => ({ item: item.item, error })),
        'moved back',
      ),
    );
  };
  tellDone(moved, `moved to ${place}`, back);
}

function placeNamed({ store }: Desk, name: string): string {
  const title = store.node(name)?.title;
  return title === undefined ? 'all folders' : quoted(title);
}

function whyNot(
  target: string | undefined,
  previews: readonly Moved[] | undefined,
  leaving: readonly Moved[],
): string | undefined {
  if (target === undefined) return 'Choose a folder first.';
  if (previews === undefined) return 'What the move means is not known yet.';
  if (leaving.length === 0) return THERE;
  return leaving.every(isDone) ? undefined : 'One of them cannot be moved there.';
}
