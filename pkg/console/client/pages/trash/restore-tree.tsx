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
import { restore } from '../object/history/versions.js';
import type { Deleted } from './trash.js';

interface Props {
  readonly object: Deleted;
  readonly namespace: string;
  readonly titles: ReadonlyMap<string, string>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Shows by a dry run what comes back with an object, and restores it. */
export function RestoreTree({ object, namespace, titles, onClose, onDone }: Props) {
  const place = { resource: object.resource, namespace, name: object.name };
  const wantsPlace = useSignal(false);
  const formerPlace = wantsPlace.value;
  const { state, reload } = useLoad(
    () => restore(place, { isDryRun: true, formerPlace }),
    [object.name, object.deletion, formerPlace],
  );
  const { phase, value, error } = state.value;
  const run = async (): Promise<void> => {
    const { objects, leftOut } = await restore(place, { formerPlace });
    const left = leftOut.length === 0 ? '' : ` ${leftOut.length} could not come back.`;
    tell(`${objects === 1 ? '1 object is' : `${objects} objects are`} back.${left}`);
    onDone();
  };
  return (
    <Dialog
      title="Bring it back?"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" unavailable={unavailable(phase, error)} onPress={run}>
            Restore
          </Button>
        </>
      }
    >
      <p>
        {titleOf(object.resource)} <bdi class="names-title">{object.title || object.name}</bdi>
      </p>
      {(formerPlace || isConflict(error)) && (
        <CheckField
          label={COMES_BACK_SHOWN}
          checked={formerPlace}
          onChecked={(checked) => {
            wantsPlace.value = checked;
          }}
        />
      )}
      {phase === 'loading' && <Skeleton rows={6} label="The server tries it" />}
      {phase === 'failed' && <Failure error={error} onRetry={reload} />}
      {phase === 'there' && <ComesBack restored={value} titles={titles} />}
    </Dialog>
  );
}
