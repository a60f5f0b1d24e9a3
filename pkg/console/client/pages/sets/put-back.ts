import { pathOfField } from '../../editor/yaml.js';
import { call, get } from '../../lib/api.js';
import { objectPath } from '../../lib/discovery.js';
import type { KubeObject } from '../../lib/object.js';
import { namespace } from '../../lib/session.js';
import { objectIn, type Place, restore, type Version, versionsOf } from '../object/history/versions.js';
import { patchOf, type Replacement } from './merge-patch.js';
import { type ApplySet, type Member, membersOf, setsResource, statusOf } from './sets.js';

const MERGE = 'application/merge-patch+json';
/** The most pages of the history in which the applied version is looked for. */
const MOST_PAGES = 4;

export interface Difference extends Replacement {
  readonly text: string;
}

export interface Drift {
  readonly place: Place;
  /** The version that was applied. Undefined if it was not found. */
  readonly applied: Version | undefined;
  readonly last: Version | undefined;
  readonly isDeleted: boolean;
  /** How many versions were looked at, and whether there are older ones. */
  readonly looked: number;
  readonly hasOlder: boolean;
  /** The version for which this holds. Undefined for a deleted object. */
  readonly resourceVersion?: string | undefined;
  /** Undefined if not all fields are known. */
  readonly differences?: readonly Difference[];
}

/** How a member differs from what its set has applied. */
export async function driftOf(place: Place, member: Member, set: ApplySet, signal: AbortSignal): Promise<Drift> {
  const time = statusOf(set).lastApplied?.time ?? '';
  const past = await pastOf(place, time, signal);
  const { applied, isDeleted } = past;
  if (isDeleted || applied === undefined) return { place, ...past };
  const now = await get<KubeObject>(objectPath(place.resource, place.namespace, place.name), {}, signal);
  const common = { place, ...past, resourceVersion: now.metadata.resourceVersion };
  if (/ and \d+ more$/.test(member.drift ?? '')) return common;
  const then = await objectIn(place, applied.version, signal);
  const differences = (member.drift ?? '').split(', ').map((text) => {
    const path = pathOfField(text);
    return { text, path, applied: valueAt(then, path), now: valueAt(now, path) };
  });
  return { ...common, differences };
}

type Past = Pick<Drift, 'applied' | 'last' | 'isDeleted' | 'looked' | 'hasOlder'>;

/** The last version, and the one that was applied at this time. */
async function pastOf(place: Place, time: string, signal: AbortSignal): Promise<Past> {
  let [last, looked, token]: [Version | undefined, number, string | undefined] = [undefined, 0, undefined];
  for (let page = 0; page < MOST_PAGES; page++) {
    const { versions, continue: next } = await versionsOf(place, token, signal);
    last ??= versions[0];
    looked += versions.length;
    token = next;
    const isDeleted = last?.deleted !== undefined;
    // The present version differs, so it is not the one that was applied.
    const applied = isDeleted ? last : versions.find((one) => !one.isCurrent && one.time <= time);
    const past = { applied, last, isDeleted, looked, hasOlder: token !== undefined };
    if (applied !== undefined || token === undefined) return past;
  }
  return { applied: undefined, last, isDeleted: false, looked, hasOlder: true };
}

function valueAt(object: unknown, path: Difference['path']): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], object);
}

/**
 * Writes the applied values of the fields that differ, if the object is still as it was shown. If not all fields are
 * known, the applied version is restored.
 */
export async function putBack({ place, applied, isDeleted, differences, resourceVersion }: Drift): Promise<void> {
  if (differences === undefined) {
    await restore(place, isDeleted ? {} : { version: applied?.version, formerPlace: true, resourceVersion });
    return;
  }
  await call('PATCH', objectPath(place.resource, place.namespace || namespace.peek(), place.name), {
    type: MERGE,
    body: patchOf(differences, resourceVersion),
  });
}

/** How a member differs now. Versions have their times in seconds, so another one than the applied may be put back. */
export async function driftLeft(member: Member, { metadata }: ApplySet): Promise<string | undefined> {
  const resource = setsResource();
  if (resource === undefined) return undefined;
  const members = await membersOf(resource, metadata.namespace ?? namespace.peek(), metadata.name);
  const isSame = ({ group, kind, namespace: place, name }: Member): boolean =>
    group === member.group && kind === member.kind && place === member.namespace && name === member.name;
  return members.find(isSame)?.drift;
}
