import { domain } from '../../../lib/discovery.js';
import { useLoad } from '../../../lib/load.js';
import { Empty, Failure, Skeleton } from '../../../ui/states.js';
import { Difference } from './difference.js';
import { plainYaml } from './plain.js';
import { objectIn, type Place } from './versions.js';

interface Props {
  readonly place: Place;
  readonly from: number;
  readonly to: number;
  /** Whether there is only one version. */
  readonly isAlone: boolean;
}

/** Two versions side by side. */
export function Comparison({ place, from, to, isAlone }: Props) {
  const { state, reload } = useLoad(
    (signal) => Promise.all([from, to].map((version) => objectIn(place, version, signal))),
    [place.resource.group, place.resource.resource, place.namespace, place.name, from, to],
  );
  const { phase, value, error } = state.value;
  if (isAlone)
    return (
      <Empty title="This is the only version">
        <p>Each change makes another one. Then two of them can be compared here.</p>
      </Empty>
    );
  if (phase === 'failed') return <Failure error={error} onRetry={reload} />;
  if (phase === 'loading') return <Skeleton rows={12} label="Loading two versions" />;
  const [before = '', after = ''] = value.map((object) => plainYaml(object, domain.value));
  return <Difference before={before} after={after} labels={[`Version ${from}`, `Version ${to}`]} />;
}
