import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { pathOf, type Resource } from '../../lib/discovery.js';
import { useLive } from '../../lib/live.js';
import { useLoad } from '../../lib/load.js';
import { namespace } from '../../lib/session.js';
import { useMay } from '../../lib/use-may.js';
import { Button } from '../../ui/button.js';
import { SelectField, TextField } from '../../ui/field.js';
import { Heading } from '../../ui/heading.js';
import { Empty, Failure, Skeleton } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { DriftOf } from './drift.js';
import { ObjectTitle } from './object-title.js';
import { type ApplySet, type Member, membersOf, resourceIn, statusOf } from './sets.js';
import { SetState } from './state.js';

/** One set: its members, and which of them differ. */
export function SetDetails({ resource, name }: { readonly resource: Resource; readonly name: string }) {
  const live = useLive<ApplySet>(pathOf(resource, namespace.value), {
    query: { fieldSelector: `metadata.name=${name}` },
  });
  const change = useMay('update', resource, { namespace: namespace.value, name });
  const state = live?.state.value;
  const [set] = state?.items.values() ?? [];
  return (
    <div class="page">
      <div class="page-head">
        <div class="stack tight">
          <Link href={places.sets()}>All sets</Link>
          <Heading area="Apply sets">{name}</Heading>
        </div>
        <div class="row">
          {set !== undefined && (
            <Link class="button" href={places.object(resource, namespace.value, name)}>
              Open the object
            </Link>
          )}
          {change.unavailable === undefined && (
            <Link class="button primary" href={`${places.plan()}?set=${encodeURIComponent(name)}`}>
              Plan with this set
            </Link>
          )}
        </div>
      </div>
      {(state === undefined || state.phase === 'loading') && <Skeleton rows={8} label="Loading the set" />}
      {state?.phase === 'failed' && <Failure error={state.error} />}
      {state?.phase === 'live' && set === undefined && <Gone name={name} />}
      {set !== undefined && <Facts set={set} />}
      {set !== undefined && <Members resource={resource} set={set} />}
    </div>
  );
}

function Gone({ name }: { readonly name: string }) {
  return (
    <Empty title={`There is no set “${name}” here`}>
      <p>It may have been deleted. The objects that were its members stay.</p>
      <Link class="button" href={places.sets()}>
        All sets
      </Link>
    </Empty>
  );
}

function Facts({ set }: { readonly set: ApplySet }) {
  const { lastApplied } = statusOf(set);
  return (
    <dl class="facts">
      <dt>State</dt>
      <dd>
        <SetState set={set} />
      </dd>
      {set.spec?.description !== undefined && (
        <>
          <dt>Description</dt>
          <dd dir="auto">{set.spec.description}</dd>
        </>
      )}
      {lastApplied !== undefined && (
        <>
          <dt>Last applied</dt>
          <dd>
            <Time at={lastApplied.time} /> by <bdi>{lastApplied.by.replace(/^user:/, '')}</bdi>, as the field manager{' '}
            <code>{lastApplied.fieldManager}</code>
          </dd>
        </>
      )}
    </dl>
  );
}

/** Members that are drawn at first. Each press of the button draws twice as many more. */
const AT_ONCE = 200;

function Members({ resource, set }: { readonly resource: Resource; readonly set: ApplySet }) {
  const { name, resourceVersion } = set.metadata;
  const [text, state, most] = [useSignal(''), useSignal('all'), useSignal(AT_ONCE)];
  const loading = useLoad((signal) => membersOf(resource, namespace.value, name, signal), [name, resourceVersion]);
  const { phase, value, error } = loading.state.value;
  const shown = useMemo(() => {
    const words = text.value.trim().toLowerCase();
    const fits = (one: Member): boolean =>
      `${one.kind} ${one.namespace ?? ''} ${one.name}`.toLowerCase().includes(words);
    const all = (value ?? []).filter((one) => (state.value === 'all' || one.drift !== undefined) && fits(one));
    return all.sort((a, b) => Number(b.drift !== undefined) - Number(a.drift !== undefined));
  }, [value, text.value, state.value]);
  if (phase === 'failed') return <Failure error={error} onRetry={loading.reload} />;
  if (phase === 'loading') return <Skeleton rows={8} label="Loading the members" />;
  return (
    <section class="stack" aria-label="Members">
      <div class="filters">
        <TextField label="Kind or name" type="search" value={text.value} onValue={(one) => (text.value = one)} />
        <SelectField
          label="Show"
          value={state.value}
          onValue={(one) => (state.value = one)}
          options={[
            ['all', 'All members'],
            ['drifted', 'Those that differ'],
          ]}
        />
        <p class="muted filters-count" role="status">
          {shown.length} of {value.length} members
        </p>
      </div>
      {shown.length === 0 ? (
        <Empty title={value.length === 0 ? 'The set has no members that you may see' : 'No member matches'} />
      ) : (
        <MemberTable set={set} members={shown.slice(0, most.value)} />
      )}
      {shown.length > most.value && (
        <Button onPress={() => (most.value += 2 * AT_ONCE)}>
          Show more of {shown.length - most.value} further members
        </Button>
      )}
    </section>
  );
}

function MemberTable({ set, members }: { readonly set: ApplySet; readonly members: readonly Member[] }) {
  return (
    <div class="table-box">
      <table class="table stacked">
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">Differs in</th>
            <th scope="col">Since</th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <tr key={`${member.group}/${member.kind}/${member.namespace ?? ''}/${member.name}`}>
              <td>
                <MemberLink member={member} />
              </td>
              <td>
                {member.drift === undefined ? (
                  <span class="muted">as applied</span>
                ) : (
                  <DriftOf member={member} set={set} />
                )}
              </td>
              <td class="muted">{member.drift === undefined ? '' : <Time at={member.since} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Links to a member. The page of a deleted member shows its history, if its kind has one. */
function MemberLink({ member }: { readonly member: Member }) {
  const found = resourceIn(member);
  const tab = member.drift === undefined ? undefined : 'history';
  return (
    <span class="row">
      <span class="chip">{member.kind}</span>
      <ObjectTitle resource={found} namespace={member.namespace ?? ''} name={member.name}>
        {(text) =>
          found === undefined ? (
            <code>{text}</code>
          ) : (
            <Link href={places.object(found, member.namespace, member.name, tab)} dir="auto">
              {text}
            </Link>
          )
        }
      </ObjectTitle>
      {member.namespace !== undefined && member.namespace !== namespace.value && (
        <span class="muted">in {member.namespace}</span>
      )}
    </span>
  );
}
