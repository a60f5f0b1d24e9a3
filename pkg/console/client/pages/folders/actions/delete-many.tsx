import { useSignal } from '@preact/signals';
import { useLoad } from '../../../lib/load.js';
import { newOperation } from '../../../lib/operation.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { CheckField } from '../../../ui/field.js';
import { Skeleton } from '../../../ui/states.js';
import { tell } from '../../../ui/toasts.js';
import { type Desk, useDesk } from '../model/desk.js';
import { type Counts, countsBelow } from '../model/find.js';
import { counted, KINDS } from '../model/kinds.js';
import type { Chosen } from '../model/selection.js';
import { notBack, quoted } from '../model/words.js';
import { each, isDone, summaryOf, tellDone } from './each.js';
import { read, refusalOf, remove, restore, subjectOf } from './requests.js';
import { Unknown } from './unknown.js';

interface Props {
  readonly items: readonly Chosen[];
  readonly onClose: () => void;
}

interface Outlook {
  readonly uid: string | undefined;
  readonly counts: Counts;
  /** Why the server would refuse, without `forceDeleteRules`. */
  readonly refusal: string | undefined;
}

async function outlookOf({ namespace }: Desk, item: Chosen, signal: AbortSignal): Promise<Outlook> {
  const subject = subjectOf(namespace, item);
  const [object, counts, refusal] = await Promise.all([
    read(subject, signal),
    item.kind === 'folders' ? countsBelow(namespace, item.name, signal) : {},
    refusalOf(subject, signal),
  ]);
  return { uid: object.metadata.uid, counts, refusal };
}

/** Shows what else several objects would take along, and deletes them. The message can undo it. */
export function DeleteMany({ items, onClose }: Props) {
  const desk = useDesk();
  const withRules = useSignal(false);
  const { state, reload } = useLoad((signal) => each(items, (item) => outlookOf(desk, item, signal), signal), [items]);
  const outlooks = state.value.value;
  const unknown = outlooks?.filter((one) => !isDone(one)) ?? [];
  const rules = totalOf('alertrules', outlooks?.map(({ result }) => result?.counts ?? {}) ?? []);
  const refused = withRules.value ? undefined : outlooks?.find(({ result }) => result?.refusal !== undefined);
  const retry = (): void => {
    state.value = { phase: 'loading' };
    reload();
  };
  const carryOut = async (): Promise<void> => {
    const operation = newOperation();
    const deleted = await each(outlooks ?? [], ({ item, result }) =>
      remove(subjectOf(desk.namespace, item), result?.uid, { withRules: withRules.value, isTrial: false, operation }),
    );
    onClose();
    desk.done.value++;
    const gone = deleted.filter(isDone).map(({ item }) => item.item);
    const outcomes = deleted.map(({ item, error }) => ({ item: item.item, error }));
    tellDone(outcomes, 'deleted', () => undo(desk, gone));
  };
  return (
    <Dialog
      title={`Delete ${items.length} objects?`}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            look="danger"
            unavailable={
              outlooks === undefined || unknown.length > 0
                ? 'What goes along is not known yet.'
                : refused?.result?.refusal
            }
            onPress={carryOut}
          >
            Delete
          </Button>
        </>
      }
    >
      {state.value.phase === 'loading' && <Skeleton rows={3} />}
      <ul class="goes-along">
        {outlooks?.map(({ item, result }) => (
          <li key={`${item.kind} ${item.name}`}>
            <span class={`kind-icon ${item.kind}`} aria-hidden="true" />
            <span class="cut" dir="auto">
              {item.title}
            </span>
            <span class="muted">{alongWith(result?.counts ?? {})}</span>
          </li>
        ))}
      </ul>
      <Unknown outcomes={unknown} onRetry={retry} />
      {refused?.result?.refusal !== undefined && (
        <p class="field-error">
          {quoted(refused.item.title)}: {refused.result.refusal}
        </p>
      )}
      {rules > 0 && (
        <CheckField
          label={`Delete ${counted('alertrules', rules)}, too`}
          checked={withRules.value}
          onChecked={(checked) => (withRules.value = checked)}
        />
      )}
      <p class="muted">They go to the trash, and can be brought back from there.</p>
    </Dialog>
  );
}

function totalOf(kind: keyof Counts, all: readonly Counts[]): number {
  return all.reduce((sum, counts) => sum + (counts[kind] ?? 0), 0);
}

function alongWith(counts: Counts): string {
  const words = KINDS.filter((kind) => (counts[kind] ?? 0) > 0).map((kind) => counted(kind, counts[kind] ?? 0));
  return words.length === 0 ? '' : `with ${words.join(', ')}`;
}

async function undo(desk: Desk, items: readonly Chosen[]): Promise<void> {
  const back = await each(items, (item) => restore(subjectOf(desk.namespace, item)));
  desk.done.value++;
  tell(`${summaryOf(back, 'brought back')}${notBack(back.flatMap(({ result }) => result?.leftOut ?? []))}`);
}
