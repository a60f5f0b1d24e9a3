import { useEffect, useMemo } from 'preact/hooks';
import { loadSchema } from '../../../editor/schema/openapi.js';
import { ApiError, get } from '../../../lib/api.js';
import { objectPath, pathOf, type Resource } from '../../../lib/discovery.js';
import { useLive } from '../../../lib/live.js';
import { useLoad } from '../../../lib/load.js';
import type { KubeObject } from '../../../lib/object.js';
import { useMay } from '../../../lib/use-may.js';
import { CheckField } from '../../../ui/field.js';
import { Empty, Failure, Skeleton } from '../../../ui/states.js';
import { tell } from '../../../ui/toasts.js';
import { Editing } from './editing.js';
import { Workbench } from './workbench.js';

interface Place {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

/** An object as text, live. Callers who may update it can edit it. */
export function StoredObject(place: Place) {
  const { resource, namespace, name } = place;
  const canFollow = resource.verbs.includes('list') && resource.verbs.includes('watch');
  const fieldSelector = `metadata.name=${name.replace(/[\\,=]/g, '\\$&')}`;
  const one = useLive<KubeObject>(canFollow ? pathOf(resource, namespace) : undefined, {
    query: { fieldSelector },
    first: 2,
  });
  const state = one?.state.value;
  if (state === undefined || isForbidden(state.error)) return <Unfollowed {...place} />;
  if (state.phase === 'failed') return <Failure error={state.error} />;
  if (state.phase === 'loading') return <Skeleton rows={14} />;
  return <Shown {...place} stored={[...state.items.values()][0]} />;
}

function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.code === 403;
}

/** For callers who may read the object, but not list its kind. */
function Unfollowed(place: Place) {
  const path = objectPath(place.resource, place.namespace, place.name);
  const { state, reload } = useLoad((signal) => get<KubeObject>(path, undefined, signal), [path]);
  const { phase, value, error } = state.value;
  if (phase === 'failed') return <Failure error={error} onRetry={reload} />;
  return value === undefined ? <Skeleton rows={14} /> : <Shown {...place} stored={value} />;
}

function Shown({ stored, ...place }: Place & { readonly stored: KubeObject | undefined }) {
  const first = useMemo(() => ({ object: stored }), []);
  first.object ??= stored;
  if (first.object === undefined) return <Empty title="There is no such object" />;
  return <Edited {...place} first={first.object} stored={stored} />;
}

interface EditedProps extends Place {
  readonly first: KubeObject;
  /** Undefined if it was deleted meanwhile. */
  readonly stored: KubeObject | undefined;
}

function Edited({ resource, namespace, name, first, stored }: EditedProps) {
  const { group, version, kind } = resource;
  const editing = useMemo(
    () =>
      new Editing({
        target: { resource, namespace, name },
        stored: first,
        place: [group, version, resource.resource, namespace, name].map(encodeURIComponent).join('/'),
        identity: { apiVersion: group === '' ? version : `${group}/${version}`, kind },
        fetch: () => get<KubeObject>(objectPath(resource, namespace, name)),
        onSaved: () => tell('Saved.'),
      }),
    [],
  );
  useEffect(() => editing.arrived(stored), [stored]);
  const schema = useLoad(() => loadSchema(resource), []).state.value;
  const { unavailable } = useMay('update', resource, { namespace, name });
  const readOnly = resource.verbs.includes('update') ? unavailable : 'The server does not change objects of this kind.';
  return (
    <Workbench editing={editing} schema={schema.value} label={`${kind} ${name} as YAML`} readOnly={readOnly}>
      <CheckField
        label="Managed fields"
        checked={editing.showsManagers.value}
        onChecked={(isShown) => editing.showManagers(isShown)}
      />
      {schema.phase === 'there' && schema.value === undefined && <span class="hint">This kind has no schema.</span>}
      {schema.phase === 'failed' && <span class="hint">The schema could not be loaded.</span>}
    </Workbench>
  );
}
