import { useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { pathOf, type Resource } from '../../../lib/discovery.js';
import { type LiveState, useLive } from '../../../lib/live.js';
import type { KubeObject } from '../../../lib/object.js';
import { Empty, Failure, Skeleton } from '../../../ui/states.js';
import { Comparison } from './comparison.js';
import { RestoreVersion } from './restore-dialog.js';
import { usePages } from './use-pages.js';
import { VersionList } from './version-list.js';
import type { Place, Version } from './versions.js';
import './style.css';

interface Props {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

/** The versions of an object, also of a deleted one. Two can be compared, and one can be restored. */
export function HistoryTab(place: Props) {
  if (!place.resource.subresources.includes('history'))
    return <Empty title={`The server keeps no versions of ${place.resource.kind} objects`} />;
  return <History place={place} />;
}

/** Only the revision of the object is needed. Lists and watches have different names for metadata. */
const METADATA = ['PartialObjectMetadataList', 'PartialObjectMetadata']
  .map((name) => `application/json;as=${name};g=meta.k8s.io;v=v1`)
  .join(',');

/** Changes when the object does. */
function useRevision({ resource, namespace, name }: Place): string {
  const live = useLive<KubeObject>(pathOf(resource, namespace), {
    query: { fieldSelector: `metadata.name=${name.replaceAll(/[\\,=]/g, '\\$&')}` },
    accept: METADATA,
  });
  return revisionOf(live?.state.value);
}

function revisionOf(state: LiveState<KubeObject> | undefined): string {
  if (state === undefined || state.phase !== 'live') return '';
  const [object] = state.items.values();
  return object?.metadata.resourceVersion ?? 'none';
}

/** The versions to compare. `undefined`: the newest, and the one before. */
type Choice = readonly [from: number | undefined, to: number | undefined];

/** The choice is in the address, so that a comparison can be sent to others. */
function useChoice(): readonly [Choice, (choice: Choice) => void] {
  const [params, setParams] = useSearchParams();
  const read = (name: string): number | undefined => Number(params.get(name)) || undefined;
  const choose = ([from, to]: Choice): void =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, version] of Object.entries({ from, to }))
          if (version === undefined) after.delete(name);
          else after.set(name, String(version));
        return after;
      },
      { replace: true },
    );
  return [[read('from'), read('to')], choose];
}

function History({ place }: { readonly place: Place }) {
  const revision = useRevision(place);
  const { pages, more, reload } = usePages(place, revision);
  const [choice, setChoice] = useChoice();
  const [restoring, setRestoring] = useState<Version | undefined>(undefined);
  const { phase, error } = pages;
  if (phase === 'failed') return <Failure error={error} onRetry={reload} />;
  if (phase === 'loading') return <Skeleton rows={8} label="Loading the versions" />;
  const { versions, hasMore } = pages.value;
  const [newest, before] = versions;
  if (newest === undefined) return <Empty title="There are no versions yet" />;
  const [from, to] = [choice[0] ?? before?.version ?? newest.version, choice[1] ?? newest.version];
  const current = versions.find(({ isCurrent }) => isCurrent);
  return (
    <div class="history">
      <VersionList
        place={place}
        versions={versions}
        from={from}
        to={to}
        onChoice={(one, other) => setChoice([one, other])}
        onRestore={setRestoring}
        more={hasMore ? more : undefined}
      />
      <Comparison place={place} from={from} to={to} isAlone={versions.length === 1} />
      {restoring !== undefined && (
        <RestoreVersion
          place={place}
          version={restoring}
          current={current}
          onClose={() => setRestoring(undefined)}
          onDone={() => {
            setRestoring(undefined);
            setChoice([undefined, undefined]);
            reload();
          }}
        />
      )}
    </div>
  );
}
