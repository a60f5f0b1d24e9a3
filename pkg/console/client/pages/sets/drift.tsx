import { useSignal } from '@preact/signals';
import { pathOfField, yamlOf } from '../../editor/yaml.js';
import { call, get } from '../../lib/api.js';
import { authorName } from '../../lib/authors.js';
import { objectPath, type Resource } from '../../lib/discovery.js';
import { useLoad } from '../../lib/load.js';
import type { KubeObject } from '../../lib/object.js';
import { namespace } from '../../lib/session.js';
import { Button } from '../../ui/button.js';
import { Skeleton } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { tell } from '../../ui/toasts.js';
import { objectIn, type Place, restore, type Version, versionsOf } from '../object/history/versions.js';
import { type ApplySet, type Member, resourceIn, statusOf } from './sets.js';

/** The most characters of a value that are shown. */
const MOST = 300;
const MERGE = 'application/merge-patch+json';

interface Difference {
  readonly path: readonly (string | number)[];
  readonly text: string;
  readonly applied: unknown;
  readonly now: unknown;
}

interface Drift {
  readonly place: Place;
  /** The version that was applied. Undefined if the history does not reach so far. */
  readonly applied: Version | undefined;
  readonly last: Version | undefined;
  readonly isDeleted: boolean;
  /** Undefined if not all fields are known. */
  readonly differences: readonly Difference[] | undefined;
}

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
  const { state } = useLoad((signal) => driftOf(place, member, set, signal), [member.name, member.drift]);
  const { value, error } = state.value;
  if (error !== undefined || (value !== undefined && value.applied === undefined))
    return <p class="muted">What was applied is in no version that the server keeps and you may see.</p>;
  if (value === undefined) return <Skeleton rows={2} label="Loading what was applied" />;
  return <Compared drift={value} />;
}

function Compared({ drift }: { readonly drift: Drift }) {
  const { differences, last, isDeleted, place } = drift;
  const by = isDeleted ? last?.deleted?.by : last?.author;
  const back = async (): Promise<void> => {
    await putBack(drift);
    tell(`${place.name} is again as it was applied.`);
  };
  return (
    <div class="stack tight">
      <p>
        {isDeleted ? 'Deleted' : 'Last changed'} by <b dir="auto">{authorName(by)}</b>{' '}
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

async function driftOf(place: Place, member: Member, set: ApplySet, signal: AbortSignal): Promise<Drift> {
  const { versions } = await versionsOf(place, undefined, signal);
  const [last] = versions;
  const isDeleted = last?.deleted !== undefined;
  const time = statusOf(set).lastApplied?.time ?? '';
  // The present version differs, so it is not the one that was applied.
  const applied = isDeleted ? last : versions.find((one) => !one.isCurrent && one.time <= time);
  const common = { place, applied, last, isDeleted };
  const fields = (member.drift ?? '').split(', ');
  if (isDeleted || applied === undefined || / and \d+ more$/.test(member.drift ?? ''))
    return { ...common, differences: undefined };
  const [then, now] = await Promise.all([
    objectIn(place, applied.version, signal),
    get<KubeObject>(objectPath(place.resource, place.namespace, place.name), {}, signal),
  ]);
  const differences = fields.map((text) => {
    const path = pathOfField(text);
    return { text, path, applied: valueAt(then, path), now: valueAt(now, path) };
  });
  return { ...common, differences };
}

function valueAt(object: unknown, path: Difference['path']): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], object);
}

/** Writes the applied values of the fields that differ. If not all are known, the applied version is restored. */
async function putBack({ place, applied, isDeleted, differences }: Drift): Promise<void> {
  if (differences === undefined) {
    await restore(place, isDeleted ? {} : { version: applied?.version, formerPlace: true });
    return;
  }
  const body = {};
  for (const { path, applied: value } of differences) setAt(body, path, value ?? null);
  await call('PATCH', objectPath(place.resource, place.namespace || namespace.peek(), place.name), {
    type: MERGE,
    body,
  });
}

function setAt(object: Record<string, unknown>, path: Difference['path'], value: unknown): void {
  const [name, ...rest] = path.map(String);
  if (name === undefined) return;
  if (rest.length === 0) object[name] = value;
  else {
    const inside = (object[name] ?? {}) as Record<string, unknown>;
    object[name] = inside;
    setAt(inside, rest, value);
  }
}
