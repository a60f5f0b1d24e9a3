import { useSignal } from '@preact/signals';
import { wordsOf } from '../../../lib/api.js';
import { useLoad } from '../../../lib/load.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { Failure, Notice, Skeleton } from '../../../ui/states.js';
import { tell } from '../../../ui/toasts.js';
import { useDesk } from '../model/desk.js';
import { parentOf } from '../model/kinds.js';
import { quoted } from '../model/words.js';
import type { Dragged } from '../tree/drag.js';
import { Consequences } from './consequences.js';
import { FolderPicker } from './picker.js';
import { isConflict, move, read, subjectOf } from './requests.js';

interface Props {
  readonly item: Dragged;
  /** The folder on which it was dropped. Empty for the root. */
  readonly to: string | undefined;
  readonly onClose: () => void;
}

/** The consequences of a move of this version of the object. */
interface Preview {
  readonly warnings: readonly string[];
  readonly version: string | undefined;
  readonly from: string;
}

/** Chooses a folder, shows the consequences, and moves. */
export function MoveDialog({ item, to: dropped, onClose }: Props) {
  const desk = useDesk();
  const to = useSignal(dropped);
  const isChanged = useSignal(false);
  const subject = subjectOf(desk.namespace, item);
  const target = to.value;
  const { state, reload } = useLoad(
    async (signal): Promise<Preview | undefined> => {
      if (target === undefined) return undefined;
      const object = await read(subject, signal);
      const { resourceVersion: version } = object.metadata;
      const from = parentOf(object);
      if (from === target) return { warnings: [], version, from };
      const { warnings } = await move(subject, version, target, { isTrial: true, signal });
      return { warnings, version, from };
    },
    [target],
  );
  desk.store.version.value;
  const place = titleOf(desk.store.node(target ?? '')?.title);
  const preview = state.value.phase === 'there' ? state.value.value : undefined;
  const isThere = preview !== undefined && preview.from === target;
  const carryOut = async (): Promise<void> => {
    if (preview === undefined || target === undefined) return;
    const { version, from } = preview;
    try {
      await move(subject, version, target, { isTrial: false });
    } catch (error) {
      if (!isConflict(error)) throw error;
      isChanged.value = true;
      reload();
      return;
    }
    onClose();
    desk.done.value++;
    const back = async (): Promise<void> => {
      await move(subject, undefined, from, { isTrial: false });
      desk.done.value++;
      tell(`${quoted(item.title)} is back in ${titleOf(desk.store.node(from)?.title)}.`);
    };
    tell(`${quoted(item.title)} was moved to ${place}.`, { label: 'Undo', run: back });
    if (target !== '') desk.view.setOpen(target, true);
  };
  const why =
    target === undefined
      ? 'Choose a folder first.'
      : isThere
        ? 'It lies there already.'
        : unless(preview, state.value.error);
  return (
    <Dialog
      title={`Move ${quoted(item.title)}`}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" unavailable={why} onPress={carryOut}>
            {target === undefined ? 'Move' : `Move to ${place}`}
          </Button>
        </>
      }
    >
      <FolderPicker
        without={item.kind === 'folders' ? item.name : ''}
        chosen={target}
        onChoose={(name) => {
          if (name === target) return;
          state.value = { phase: 'loading' };
          isChanged.value = false;
          to.value = name;
        }}
      />
      <section class="move-preview" aria-live="polite" aria-label="What the move means">
        {isChanged.value && <Notice look="warn">It was changed meanwhile. Look at the preview again.</Notice>}
        {target === undefined && <p class="muted">Choose a folder to see who would gain and who would lose access.</p>}
        {target !== undefined && state.value.phase === 'loading' && <Skeleton rows={1} label="Asking what it means" />}
        {state.value.phase === 'failed' && <Failure error={state.value.error} onRetry={reload} verb="move" />}
        {isThere && <p class="muted">It lies there already.</p>}
        {preview !== undefined && !isThere && <Consequences warnings={preview.warnings} />}
      </section>
    </Dialog>
  );
}

function titleOf(title: string | undefined): string {
  return title === undefined ? 'all folders' : quoted(title);
}

/** Why it cannot be moved yet. */
function unless(preview: Preview | undefined, error: unknown): string | undefined {
  if (error !== undefined) return wordsOf(error);
  return preview === undefined ? 'What the move means is not known yet.' : undefined;
}
