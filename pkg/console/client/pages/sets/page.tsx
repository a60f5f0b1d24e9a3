import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { pathOf, type Resource } from '../../lib/discovery.js';
import { useLive } from '../../lib/live.js';
import { namespace } from '../../lib/session.js';
import { useMay } from '../../lib/use-may.js';
import { Button } from '../../ui/button.js';
import { Empty, Failure, Skeleton } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { SetDetails } from './details.js';
import { type ApplySet, setsResource, statusOf } from './sets.js';
import { SetState } from './state.js';
import './style.css';
import { Heading } from '../../ui/heading.js';

/** The apply sets of the namespace, or one of them. */
export function SetsPage({ params: { name } }: { readonly params: { readonly name?: string | undefined } }) {
  const resource = setsResource();
  if (resource === undefined)
    return (
      <div class="page">
        <Heading>Apply sets</Heading>
        <Empty title="You may not see apply sets here" />
      </div>
    );
  return name === undefined ? (
    <AllSets resource={resource} />
  ) : (
    <SetDetails key={name} resource={resource} name={name} />
  );
}

function AllSets({ resource }: { readonly resource: Resource }) {
  const create = useMay('create', resource, { namespace: namespace.value });
  const live = useLive<ApplySet>(pathOf(resource, namespace.value));
  const state = live?.state.value;
  const sets = [...(state?.items.values() ?? [])];
  return (
    <div class="page">
      <div class="page-head">
        <div class="stack tight">
          <Heading>Apply sets</Heading>
          <p class="muted">Objects that were applied together, and whether they still are as they were applied.</p>
        </div>
        {create.unavailable === undefined && (
          <Link class="button primary" href={places.plan()}>
            New plan
          </Link>
        )}
      </div>
      {(state === undefined || state.phase === 'loading') && <Skeleton rows={6} label="Loading apply sets" />}
      {state?.phase === 'failed' && <Failure error={state.error} />}
      {state?.phase === 'live' && sets.length === 0 && <NoSets isOffered={create.unavailable === undefined} />}
      {state?.phase === 'live' && sets.length > 0 && <SetTable sets={sets} />}
      {state?.hasMore === true && <Button onPress={() => live?.more()}>Show more sets</Button>}
    </div>
  );
}

function NoSets({ isOffered }: { readonly isOffered: boolean }) {
  return (
    <Empty title="There are no apply sets yet">
      <p>Paste manifests into a plan, and apply them in one commit. They become the members of a set.</p>
      {isOffered && (
        <Link class="button" href={places.plan()}>
          Make a plan
        </Link>
      )}
    </Empty>
  );
}

function SetTable({ sets }: { readonly sets: readonly ApplySet[] }) {
  return (
    <div class="table-box">
      <table class="table stacked">
        <thead>
          <tr>
            <th scope="col">Set</th>
            <th scope="col">Size</th>
            <th scope="col">State</th>
            <th scope="col">Last applied</th>
          </tr>
        </thead>
        <tbody>
          {sets.map((set) => (
            <SetRow key={set.metadata.name} set={set} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SetRow({ set }: { readonly set: ApplySet }) {
  const { members, lastApplied } = statusOf(set);
  const { name } = set.metadata;
  return (
    <tr>
      <td>
        <Link href={places.sets(name)}>{name}</Link>
        {set.spec?.description !== undefined && (
          <div class="muted" dir="auto">
            {set.spec.description}
          </div>
        )}
      </td>
      <td class="whole">{members === 1 ? '1 member' : `${members} members`}</td>
      <td>
        <SetState set={set} />
      </td>
      <td class="muted">
        {lastApplied === undefined ? (
          'never'
        ) : (
          <>
            <Time at={lastApplied.time} /> by {lastApplied.by.replace(/^user:/, '')}
          </>
        )}
      </td>
    </tr>
  );
}
