import { useSignal } from '@preact/signals';
import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { pathOf, type Resource } from '../../lib/discovery.js';
import { useLive } from '../../lib/live.js';
import { namespace } from '../../lib/session.js';
import { useMay } from '../../lib/use-may.js';
import { Button } from '../../ui/button.js';
import { Heading } from '../../ui/heading.js';
import { Empty, Failure, Skeleton } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { NewMirror } from './edit.js';
import { behindSince, conditionOf, countOf, type Mirror, mirrorsResource, sentence, statusOf } from './mirrors.js';
import { ObjectOfMirror } from './object.js';
import { MirrorState } from './state.js';
import './style.css';

/** The mirrors of the namespace. */
export function MirrorsPage() {
  const resource = mirrorsResource();
  if (resource !== undefined) return <AllMirrors resource={resource} />;
  return (
    <div class="page">
      <Heading>Mirrors</Heading>
      <Empty title="You may not see mirrors here" />
    </div>
  );
}

function AllMirrors({ resource }: { readonly resource: Resource }) {
  const create = useMay('create', resource, { namespace: namespace.value });
  const isNew = useSignal(false);
  const live = useLive<Mirror>(pathOf(resource, namespace.value));
  const state = live?.state.value;
  const mirrors = [...(state?.items.values() ?? [])];
  return (
    <div class="page">
      <div class="page-head">
        <div class="stack tight">
          <Heading>Mirrors</Heading>
          <p class="muted">Other servers that show what is administered here, and whether they are up to date.</p>
        </div>
        {create.allowed === true && (
          <Button look="primary" onPress={() => (isNew.value = true)}>
            New mirror
          </Button>
        )}
      </div>
      {(state === undefined || state.phase === 'loading') && <Skeleton rows={6} label="Loading mirrors" />}
      {state?.phase === 'failed' && <Failure error={state.error} />}
      {state?.phase === 'live' && mirrors.length === 0 && <NoMirrors />}
      {state?.phase === 'live' && mirrors.length > 0 && <MirrorTable resource={resource} mirrors={mirrors} />}
      {state?.hasMore === true && <Button onPress={() => live?.more()}>Show more mirrors</Button>}
      {isNew.value && <NewMirror resource={resource} onClose={() => (isNew.value = false)} />}
    </div>
  );
}

function NoMirrors() {
  return (
    <Empty title="There are no mirrors yet">
      <p>
        A mirror keeps folders, and what lies in them, on another server as they are here. It needs the address of that
        server, and a Secret with a token of a service account there that has the role Admin.
      </p>
    </Empty>
  );
}

interface TableProps {
  readonly resource: Resource;
  readonly mirrors: readonly Mirror[];
}

function MirrorTable({ resource, mirrors }: TableProps) {
  return (
    <div class="table-box">
      <table class="table stacked">
        <thead>
          <tr>
            <th scope="col">Mirror</th>
            <th scope="col">State</th>
            <th scope="col">Waiting</th>
            <th scope="col">Objects there</th>
            <th scope="col">Last error</th>
          </tr>
        </thead>
        <tbody>
          {mirrors.map((mirror) => (
            <MirrorRow key={mirror.metadata.name} resource={resource} mirror={mirror} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function MirrorRow({ resource, mirror }: { readonly resource: Resource; readonly mirror: Mirror }) {
  const { objects } = statusOf(mirror);
  const { namespace: where, name } = mirror.metadata;
  return (
    <tr>
      <td>
        <Link href={places.object(resource, where, name)}>{name}</Link>
        <div class="muted mirrors-address" dir="auto">
          {mirror.spec?.address}
        </div>
      </td>
      <td>
        <MirrorState mirror={mirror} />
      </td>
      <td>
        <Waiting mirror={mirror} />
      </td>
      <td>{objects.map(({ kind, count }) => countOf(kind, count)).join(', ')}</td>
      <td>
        <LastError mirror={mirror} />
      </td>
    </tr>
  );
}

/** How many objects have not arrived, and since when not everything has. */
function Waiting({ mirror }: { readonly mirror: Mirror }) {
  const [{ pending }, since] = [statusOf(mirror), behindSince(mirror)];
  if (since === undefined)
    return <span class="muted">{conditionOf(mirror, 'Ready') === undefined ? '' : 'Nothing'}</span>;
  return (
    <>
      {pending > 0 && `${countOf('Object', pending)}, `}
      <span class="muted">
        since <Time at={since} />
      </span>
    </>
  );
}

/** The first object that was refused, or why the other server cannot be asked. */
function LastError({ mirror }: { readonly mirror: Mirror }) {
  const [problem] = statusOf(mirror).errors;
  const ready = conditionOf(mirror, 'Ready');
  if (problem !== undefined)
    return (
      <>
        <ObjectOfMirror mirror={mirror} {...problem} />
        <div class="muted" dir="auto">
          {sentence(problem.reason)}
        </div>
      </>
    );
  if (ready?.reason !== 'Unreachable') return null;
  return <span dir="auto">{sentence(ready.message)}</span>;
}
