import { get } from '../../lib/api.js';
import { objectPath, ownKey, resourceOf } from '../../lib/discovery.js';
import { useLoad } from '../../lib/load.js';
import type { KubeObject } from '../../lib/object.js';
import { namespace } from '../../lib/session.js';
import { Author } from '../../ui/author.js';
import { type Place, versionsOf } from '../object/history/versions.js';
import type { Planned } from './apply.js';
import { BROWSER, conflictParts } from './conflict-words.js';

/** A message about a conflict. What was changed in the console is said of the person who changed it. */
export function ConflictText({ message, planned }: { readonly message: string; readonly planned: Planned }) {
  const parts = conflictParts(message);
  const resource = resourceOf(planned.apiVersion, planned.kind);
  const place = resource && { resource, namespace: planned.namespace ?? namespace.value, name: planned.name };
  const { state } = useLoad(
    async (signal) => (parts.length > 1 && place !== undefined ? changerOf(place, signal) : undefined),
    [message, planned.apiVersion, planned.kind, planned.namespace, planned.name],
  );
  const by = state.value.value;
  return (
    <>
      {parts.map((part, at) => (
        <span key={part}>
          {at > 0 && 'conflict with what '}
          {at > 0 &&
            (by === undefined || place === undefined ? 'somebody' : <Author {...by} in={{ ...place, ...by }} />)}
          {at > 0 && ' changed in the console'}
          {part}
        </span>
      ))}
    </>
  );
}

interface Changer {
  readonly by: string;
  readonly version?: number;
}

/** Who has changed an object in the console last. Undefined if no version that is kept says it. */
async function changerOf(place: Place, signal: AbortSignal): Promise<Changer | undefined> {
  const { resource } = place;
  const { metadata } = await get<KubeObject>(objectPath(resource, place.namespace, place.name), {}, signal);
  const times = (metadata.managedFields ?? [])
    .filter(({ manager }) => manager === BROWSER)
    .map(({ time }) => time ?? '');
  const time = times.sort().at(-1) ?? '';
  const { [ownKey('updatedBy')]: by, [ownKey('updatedTimestamp')]: updated } = metadata.annotations ?? {};
  if (by !== undefined && updated === time) return { by };
  if (!resource.subresources.includes('history')) return undefined;
  const { versions } = await versionsOf(place, undefined, signal);
  const found = versions.find((one) => one.time === time);
  return found && { by: found.author, version: found.version };
}
