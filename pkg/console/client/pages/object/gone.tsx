import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { call, get } from '../../lib/api.js';
import { objectPath } from '../../lib/discovery.js';
import { useLoad } from '../../lib/load.js';
import { Author } from '../../ui/author.js';
import { Button } from '../../ui/button.js';
import { Elsewhere } from '../../ui/elsewhere.js';
import { Notice } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { tell } from '../../ui/toasts.js';
import type { Place } from './use-object.js';

interface History {
  readonly versions: readonly {
    readonly version: number;
    readonly deleted?: { readonly by?: string; readonly at?: string };
  }[];
}

/** Says that the object was deleted, and brings it back if its kind has a history. */
export function Gone({ place, wasSeen }: { readonly place: Place; readonly wasSeen: boolean }) {
  const { resource, namespace, name } = place;
  const path = objectPath(resource, namespace, name);
  const hasHistory = resource.subresources.includes('history');
  const { state } = useLoad(
    (signal) => (hasHistory ? get<History>(`${path}/history`, {}, signal) : Promise.resolve(undefined)),
    [path],
  );
  const deleted = state.value.value?.versions.find((one) => one.deleted !== undefined)?.deleted;
  if (state.value.phase === 'loading') return null;
  if (!wasSeen && deleted === undefined)
    return (
      <Notice look="warn">
        <div class="grow stack tight">
          <p>There is no such object that you may view. It may never have been there, or it was deleted.</p>
          <Elsewhere
            resource={resource}
            name={name}
            placeIn={(organization) => places.object(resource, organization, name)}
          />
        </div>
        <Link href={places.kind(resource)}>All of {resource.kind}</Link>
      </Notice>
    );
  const restore = async (): Promise<void> => {
    await call('POST', `${path}/restore`, { body: {} });
    tell(`${name} is back.`);
  };
  return (
    <Notice look="danger">
      <p class="grow">
        This object was deleted{' '}
        {deleted?.by !== undefined && (
          <>
            by <Author by={deleted.by} in={place} />{' '}
          </>
        )}
        <Time at={deleted?.at} />
        {wasSeen ? '. What you see is how it was last.' : '.'}
      </p>
      {resource.subresources.includes('restore') && deleted !== undefined && <Button onPress={restore}>Restore</Button>}
    </Notice>
  );
}
