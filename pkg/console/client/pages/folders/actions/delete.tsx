import { useSignal } from '@preact/signals';
import { useLocation } from 'wouter-preact';
import { places } from '../../../app/places.js';
import { useLoad } from '../../../lib/load.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { CheckField } from '../../../ui/field.js';
import { Failure, Notice, Skeleton } from '../../../ui/states.js';
import { tell } from '../../../ui/toasts.js';
import { type Desk, useDesk } from '../model/desk.js';
import { type Counts, countsBelow } from '../model/find.js';
import { counted, KINDS, parentOf } from '../model/kinds.js';
import { notBack, quoted } from '../model/words.js';
import type { Dragged } from '../tree/drag.js';
import { read, refusalOf, remove, restore, type Subject, subjectOf } from './requests.js';

/** What else a deletion would delete, and whether it would be refused. */
interface Outlook {
  readonly counts: Counts;
  readonly uid: string | undefined;
  readonly parent: string;
  /** Why the server would refuse, without `forceDeleteRules`. */
  readonly refusal: string | undefined;
}

async function outlookOf({ namespace }: Desk, item: Dragged, subject: Subject, signal: AbortSignal): Promise<Outlook> {
  const [object, counts, refusal] = await Promise.all([
    read(subject, signal),
    item.kind === 'folders' ? countsBelow(namespace, item.name, signal) : {},
    refusalOf(subject, signal),
  ]);
  return { counts, uid: object.metadata.uid, parent: parentOf(object), refusal };
}

interface Props {
  readonly item: Dragged;
  readonly shownFolder: string | undefined;
  readonly onClose: () => void;
}

/** Shows what else is deleted, and deletes. The message that follows can undo it. */
export function DeleteDialog({ item, shownFolder, onClose }: Props) {
  const desk = useDesk();
  const [, go] = useLocation();
  const withRules = useSignal(false);
  const subject = subjectOf(desk.namespace, item);
  const { state, reload } = useLoad((signal) => outlookOf(desk, item, subject, signal), [item.name]);
  const outlook = state.value.value;
  const hasRules = (outlook?.counts.alertrules ?? 0) > 0;
  const refusal = outlook?.refusal !== undefined && !withRules.value ? outlook.refusal : undefined;
  const carryOut = async (): Promise<void> => {
    const isShown = desk.store.knownPath(shownFolder ?? '').some(({ name }) => name === item.name);
    await remove(subject, outlook?.uid, { withRules: withRules.value, isTrial: false });
    onClose();
    desk.done.value++;
    if (item.kind === 'folders' && isShown) go(places.folders(outlook?.parent || undefined));
    const words = goesAlong(outlook?.counts ?? {});
    tell(`${quoted(item.title)} was deleted${words === '' ? '' : `, with ${words}`}.`, {
      label: 'Undo',
      run: () => undo(desk, item, subject, go),
    });
  };
  return (
    <Dialog
      title={`Delete ${quoted(item.title)}?`}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            look="danger"
            unavailable={outlook === undefined ? 'What goes along is not known yet.' : refusal}
            onPress={carryOut}
          >
            Delete
          </Button>
        </>
      }
    >
      {state.value.phase === 'loading' && <Skeleton rows={3} />}
      {state.value.phase === 'failed' && <Failure error={state.value.error} onRetry={reload} verb="delete" />}
      {outlook !== undefined && <GoesAlong counts={outlook.counts} isFolder={item.kind === 'folders'} />}
      {outlook?.refusal !== undefined && <Notice look="warn">{outlook.refusal}</Notice>}
      {outlook?.refusal !== undefined && hasRules && (
        <CheckField
          label={`Delete ${counted('alertrules', outlook.counts.alertrules ?? 0)}, too`}
          checked={withRules.value}
          onChecked={(checked) => (withRules.value = checked)}
        />
      )}
      <p class="muted">It goes to the trash, and can be brought back from there.</p>
    </Dialog>
  );
}

function goesAlong(counts: Counts): string {
  return KINDS.filter((kind) => (counts[kind] ?? 0) > 0)
    .map((kind) => counted(kind, counts[kind] ?? 0))
    .join(', ');
}

function GoesAlong({ counts, isFolder }: { readonly counts: Counts; readonly isFolder: boolean }) {
  const kinds = KINDS.filter((kind) => (counts[kind] ?? 0) > 0);
  if (!isFolder) return null;
  if (kinds.length === 0) return <p>Nothing that you can see lies in it.</p>;
  return (
    <div class="stack tight">
      <p>With it go:</p>
      <ul class="goes-along">
        {kinds.map((kind) => (
          <li key={kind}>
            <span class={`kind-icon ${kind}`} aria-hidden="true" />
            {counted(kind, counts[kind] ?? 0)}
          </li>
        ))}
      </ul>
    </div>
  );
}

async function undo(desk: Desk, item: Dragged, subject: Subject, go: (place: string) => void): Promise<void> {
  const { objects, leftOut } = await restore(subject);
  desk.done.value++;
  const more = objects > 1 ? `, with ${objects - 1} more` : '';
  tell(`${quoted(item.title)} is back${more}.${notBack(leftOut)}`);
  if (item.kind === 'folders') go(places.folders(item.name));
}
