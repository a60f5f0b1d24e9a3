import { useSignal } from '@preact/signals';
import { wordsOf } from '../../../lib/api.js';
import { domain } from '../../../lib/discovery.js';
import { useLoad } from '../../../lib/load.js';
import type { KubeObject } from '../../../lib/object.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { CheckField } from '../../../ui/field.js';
import { Failure, Skeleton } from '../../../ui/states.js';
import { tell } from '../../../ui/toasts.js';
import { isConflict } from '../../folders/actions/requests.js';
import { ComesBack } from './comes-back.js';
import { Difference } from './difference.js';
import { plainYaml } from './plain.js';
import { afterRestore, folderOf, objectIn, type Place, restore, type Version } from './versions.js';

interface Props {
  readonly place: Place;
  readonly version: Version;
  /** The current version of the object. Undefined if it is deleted. */
  readonly current: Version | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Shows what the restore of a version would change, by a dry run, and does it. */
export function RestoreVersion({ place, version, current, onClose, onDone }: Props) {
  const wantsPlace = useSignal(false);
  const formerPlace = wantsPlace.value;
  const { state, reload } = useLoad(
    async (signal) => {
      const now = current && (await objectIn(place, current.version, signal));
      const resourceVersion = now?.metadata.resourceVersion;
      const then = await objectIn(place, version.version, signal);
      const tried = await restore(place, { version: version.version, isDryRun: true, formerPlace, resourceVersion });
      return { now, then, tried, resourceVersion };
    },
    [place.name, version.version, current?.version, formerPlace],
  );
  const { phase, value, error } = state.value;
  const run = async (): Promise<void> => {
    const { version: next } = await restore(place, {
      version: version.version,
      formerPlace,
      resourceVersion: value?.resourceVersion,
    });
    tell(`Version ${version.version} is back, as version ${next}.`);
    onDone();
  };
  return (
    <Dialog
      title={`Restore version ${version.version}?`}
      isWide
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
        {current === undefined
          ? 'The object comes back as it was, with what was deleted with it.'
          : 'Its content becomes the next version. Folder, labels and access stay as they are. All versions before it stay.'}
      </p>
      {(formerPlace || (current === undefined ? isConflict(error) : hasMoved(value))) && (
        <CheckField
          label={current === undefined ? COMES_BACK_SHOWN : 'Also move it back to the folder that it was in'}
          checked={formerPlace}
          onChecked={(checked) => {
            wantsPlace.value = checked;
          }}
        />
      )}
      {phase === 'loading' && <Skeleton rows={8} label="The server tries it" />}
      {phase === 'failed' && <Failure verb="restore" error={error} onRetry={reload} />}
      {phase === 'there' && value.now === undefined && <ComesBack restored={value.tried} />}
      {phase === 'there' && value.now !== undefined && (
        <Difference
          before={plainYaml(value.now, domain.value)}
          after={plainYaml(afterRestore(value.now, value.then, formerPlace), domain.value)}
          labels={['Now', `After the restore (version ${version.version})`]}
        />
      )}
    </Dialog>
  );
}

/** A deleted object that was private comes back to a place that is not private only if a person wants that. */
export const COMES_BACK_SHOWN = 'Bring it back to the folder that it was in, although more people may see it there now';

/** Whether the version was in another folder than the object is now. */
function hasMoved(value: { readonly now: KubeObject | undefined; readonly then: KubeObject } | undefined): boolean {
  return value?.now !== undefined && folderOf(value.now) !== folderOf(value.then);
}

/** Why a restore cannot be done yet. */
export function unavailable(phase: 'loading' | 'there' | 'failed', error: unknown): string | undefined {
  if (phase === 'there') return undefined;
  return phase === 'loading' ? 'The server still tries it.' : wordsOf(error);
}
