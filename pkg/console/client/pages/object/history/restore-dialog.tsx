import { wordsOf } from '../../../lib/api.js';
import { domain } from '../../../lib/discovery.js';
import { useLoad } from '../../../lib/load.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { Failure, Skeleton } from '../../../ui/states.js';
import { tell } from '../../../ui/toasts.js';
import { ComesBack } from './comes-back.js';
import { Difference } from './difference.js';
import { plainYaml } from './plain.js';
import { objectIn, type Place, restore, type Version } from './versions.js';

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
  const { state, reload } = useLoad(
    async (signal) => {
      const now = current && (await objectIn(place, current.version, signal));
      const resourceVersion = now?.metadata.resourceVersion;
      const then = await objectIn(place, version.version, signal);
      const tried = await restore(place, { version: version.version, isDryRun: true, resourceVersion });
      return { now, then, tried, resourceVersion };
    },
    [place.name, version.version, current?.version],
  );
  const { phase, value, error } = state.value;
  const run = async (): Promise<void> => {
    const { version: next } = await restore(place, {
      version: version.version,
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
          : 'It becomes the next version. All versions before it stay.'}
      </p>
      {phase === 'loading' && <Skeleton rows={8} label="The server tries it" />}
      {phase === 'failed' && <Failure error={error} onRetry={reload} />}
      {phase === 'there' && value.now === undefined && <ComesBack restored={value.tried} />}
      {phase === 'there' && value.now !== undefined && (
        <Difference
          before={plainYaml(value.now, domain.value)}
          after={plainYaml(value.then, domain.value)}
          labels={['Now', `After the restore (version ${version.version})`]}
        />
      )}
    </Dialog>
  );
}

/** Why a restore cannot be done yet. */
export function unavailable(phase: 'loading' | 'there' | 'failed', error: unknown): string | undefined {
  if (phase === 'there') return undefined;
  return phase === 'loading' ? 'The server still tries it.' : wordsOf(error);
}
