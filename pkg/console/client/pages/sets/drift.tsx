import { useSignal } from '@preact/signals';
import { yamlOf } from '../../editor/yaml.js';
import { ApiError } from '../../lib/api.js';
import type { Resource } from '../../lib/discovery.js';
import { useLoad } from '../../lib/load.js';
import { Author } from '../../ui/author.js';
import { Button } from '../../ui/button.js';
import { Failure, Skeleton } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { report, tell } from '../../ui/toasts.js';
import { type Drift, driftLeft, driftOf, putBack } from './put-back.js';
import { type ApplySet, type Member, resourceIn } from './sets.js';

/** The most characters of a value that are shown. */
const MOST = 300;

interface Props {
  readonly member: Member;
  readonly set: ApplySet;
}

/** What differs, who has changed it, and a button that puts back what was applied. */
export function DriftOf(props: Props) {
  const isOpen = useSignal(false);
  const { member } = props;
  const resource = resourceIn(member);
  const hasPast = resource?.subresources.includes('history') === true;
  return (
    <div class="stack tight">
      <div class="row">
        <code class="sets-drift">{member.drift}</code>
        {hasPast && (
          <Button
            look="quiet"
            aria-expanded={isOpen.value}
            aria-label={`${isOpen.value ? 'Hide' : 'Compare'} ${member.name}`}
            onPress={() => (isOpen.value = !isOpen.value)}
          >
            {isOpen.value ? 'Hide' : 'Compare'}
          </Button>
        )}
      </div>
      {isOpen.value && hasPast && <Details {...props} resource={resource} />}
    </div>
  );
}

function Details({ member, set, resource }: Props & { readonly resource: Resource }) {
  const place = { resource, namespace: member.namespace ?? '', name: member.name };
  const { state, reload } = useLoad((signal) => driftOf(place, member, set, signal), [member.name, member.drift]);
  const { value, error } = state.value;
  if (error !== undefined) return <Failure error={error} onRetry={reload} />;
  if (value === undefined) return <Skeleton rows={2} label="Loading what was applied" />;
  if (value.applied === undefined)
    return (
      <p class="muted">
        What was applied is in {value.hasOlder ? `none of the last ${value.looked} versions` : 'no version'} that the
        server keeps and you may see.
      </p>
    );
  return <Compared drift={value} driftLeft={() => driftLeft(member, set)} reload={reload} />;
}

interface ComparedProps {
  readonly drift: Drift;
  readonly driftLeft: () => Promise<string | undefined>;
  readonly reload: () => void;
}

function Compared({ drift, driftLeft, reload }: ComparedProps) {
  const { differences, last, isDeleted, place } = drift;
  const by = isDeleted ? last?.deleted?.by : last?.author;
  const back = async (): Promise<void> => {
    try {
      await putBack(drift);
      const left = await driftLeft();
      if (left === undefined) tell(`${place.name} is again as it was applied.`);
      else report(`${place.name} still differs: ${left}`);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 409) throw error;
      report(`${place.name} was changed meanwhile. Look at what differs again.`);
      reload();
    }
  };
  return (
    <div class="stack tight">
      <p>
        {isDeleted ? 'Deleted' : 'Last changed'} by{' '}
        <b>
          <Author by={by} in={{ ...place, version: last?.version }} />
        </b>{' '}
        <Time at={isDeleted ? last?.deleted?.at : last?.time} />
        {!isDeleted && last?.message !== undefined && (
          <>
            : <q dir="auto">{last.message.slice(0, MOST)}</q>
          </>
        )}
      </p>
      {differences?.map(({ text, applied, now }) => (
        <dl key={text} class="facts">
          <dt>
            <code>{text}</code>
          </dt>
          <dd dir="auto">
            <span class="muted">applied</span> <ins>{shown(applied)}</ins> → <span class="muted">now</span>{' '}
            <del>{shown(now)}</del>
          </dd>
        </dl>
      ))}
      <div>
        <Button aria-label={`Put back ${place.name}`} onPress={back}>
          Put back
        </Button>
      </div>
    </div>
  );
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : yamlOf(value).trimEnd().slice(0, MOST);
}
