import { useSignal } from '@preact/signals';
import { useLoad } from '../../lib/load.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { CheckField } from '../../ui/field.js';
import { Failure, Skeleton } from '../../ui/states.js';
import { tell } from '../../ui/toasts.js';
import { titleOf } from '../access/kind-field.js';
import { isConflict } from '../folders/actions/requests.js';
import { ComesBack } from '../object/history/comes-back.js';
import { COMES_BACK_SHOWN, unavailable } from '../object/history/restore-dialog.js';
import { type Place, restore } from '../object/history/versions.js';
import { FolderGone, foldersAbove, isFolderGone, OtherFolder } from './gone-folder.js';
import type { Deleted } from './trash.js';

interface Props {
  readonly object: Deleted;
  /** What is loaded of the trash. */
  readonly deleted: readonly Deleted[];
  readonly namespace: string;
  readonly titles: ReadonlyMap<string, string>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Shows by a dry run what comes back with an object, and restores it. */
export function RestoreTree({ object, deleted, namespace, titles, onClose, onDone }: Props) {
  const place = placeOf(object, namespace);
  const [wantsPlace, isElsewhere] = [useSignal(false), useSignal(false)];
  const folder = useSignal<string | undefined>(undefined);
  const [formerPlace, to] = [wantsPlace.value, folder.value];
  const { state, reload } = useLoad(
    () => restore(place, { isDryRun: true, formerPlace, folder: to }),
    [object.name, object.deletion, formerPlace, to],
  );
  const { phase, value, error } = state.value;
  const above = foldersAbove(object, deleted);
  const isGone = to === undefined && isFolderGone(error);
  const run = async (): Promise<void> => {
    const { objects, leftOut } = await restore(place, { formerPlace, folder: to });
    said(objects, leftOut.length);
    onDone();
  };
  const both = async (): Promise<void> => {
    const { objects, leftOut } = await restoreAll([object, ...above], namespace);
    said(objects, leftOut);
    onDone();
  };
  return (
    <Dialog
      title="Bring it back?"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" unavailable={isGone ? GONE : unavailable(phase, error)} onPress={run}>
            Restore
          </Button>
        </>
      }
    >
      <p>
        {titleOf(object.resource)} <bdi class="names-title">{object.title || object.name}</bdi>
      </p>
      {isElsewhere.value && (
        <OtherFolder
          namespace={namespace}
          without={object.resource.kind === 'Folder' ? object.name : ''}
          chosen={to}
          onChoose={(name) => (folder.value = name)}
        />
      )}
      {(formerPlace || (isConflict(error) && !isFolderGone(error))) && (
        <CheckField
          label={COMES_BACK_SHOWN}
          checked={formerPlace}
          onChecked={(checked) => {
            wantsPlace.value = checked;
          }}
        />
      )}
      {phase === 'loading' && <Skeleton rows={6} label="The server tries it" />}
      {isGone && !isElsewhere.value && (
        <FolderGone above={above} onBoth={both} onElsewhere={() => (isElsewhere.value = true)} />
      )}
      {phase === 'failed' && !isGone && <Failure verb="restore" error={error} onRetry={reload} />}
      {phase === 'there' && <ComesBack restored={value} titles={titles} />}
    </Dialog>
  );
}

const GONE = 'Its folder is gone. Restore both, or choose another folder.';

export function placeOf({ resource, name }: Deleted, namespace: string): Place {
  return { resource, namespace, name };
}

/** Restores the folders, the outermost first, and then the object, unless it came back with a folder. */
async function restoreAll(
  [object, ...above]: readonly [Deleted, ...Deleted[]],
  namespace: string,
): Promise<{ readonly objects: number; readonly leftOut: number }> {
  let [sum, missing, back]: [number, number, readonly string[]] = [0, 0, []];
  for (const one of [...above.toReversed(), object]) {
    if (back.includes(one.deletion)) continue;
    const { objects, leftOut } = await restore(placeOf(one, namespace), {});
    [sum, missing, back] = [sum + objects, missing + leftOut.length, [...back, one.deletion]];
  }
  return { objects: sum, leftOut: missing };
}

/** Says how much came back. */
export function said(objects: number, leftOut: number): void {
  const left = leftOut === 0 ? '' : ` ${leftOut} could not come back.`;
  tell(`${objects === 1 ? '1 object is' : `${objects} objects are`} back.${left}`);
}
