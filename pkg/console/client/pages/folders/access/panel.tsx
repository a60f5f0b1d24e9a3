import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { places } from '../../../app/places.js';
import { ApiError } from '../../../lib/api.js';
import { useFollowed } from '../../../lib/changes.js';
import { pathOf } from '../../../lib/discovery.js';
import { type Loading, useLoad } from '../../../lib/load.js';
import type { KubeObject } from '../../../lib/object.js';
import { getIn } from '../../../lib/organization.js';
import { useMayAsk } from '../../../lib/use-may-ask.js';
import { Failure, Skeleton } from '../../../ui/states.js';
import { LevelsOn } from '../../people/roles/built-in.js';
import { useDesk } from '../model/desk.js';
import { AddEntry } from './add.js';
import { type BindingSpec, type FolderAccess, loadAccess, needed } from './entries.js';
import { OwnAccess } from './own.js';
import { Privacy } from './privacy.js';
import { AccessTable } from './table.js';
import { targetOf } from './target.js';
import './style.css';

/** Who has access to a folder or a dashboard and why, and how to change it. */
export function AccessPanel({ folder }: { readonly folder: KubeObject }) {
  const { namespace, name, resourceVersion } = folder.metadata;
  const loading = useLoad((signal) => loadAccess(folder, signal), [namespace, name, resourceVersion]);
  useLiveAccess(folder, loading);
  const { state, reload } = loading;
  const mayAsk = useMayAsk(namespace);
  const rights = useLoad(() => whyNot(folder), [namespace, name, state.value.value]);
  const { phase, value: access, error } = state.value;
  if (phase === 'loading') return <Skeleton rows={6} label="Loading who has access" />;
  if (phase === 'failed') {
    if (error instanceof ApiError && error.code === 403) return <OwnAccess folder={folder} />;
    return <Failure error={error} onRetry={reload} />;
  }
  // Until the rights are known, nothing is offered, so that no button is taken away again.
  const unavailable =
    rights.state.value.phase === 'there' ? rights.state.value.value : 'Your rights are being asked for.';
  const about = { folder, access, onDone: reload, unavailable };
  const { word } = targetOf(folder);
  return (
    <div class="stack access">
      <Privacy {...about} />
      <AddEntry {...about} />
      <AccessTable {...about} />
      {access.isPartial && <Partial />}
      <LevelsOn place={word} />
      {word === 'folder' && mayAsk === true && (
        <p>
          <Link href={places.access(name)}>Which people may do what with this folder?</Link>
        </p>
      )}
    </div>
  );
}

function Partial() {
  return (
    <p class="muted">
      Only the first thousand entries are shown.{' '}
      <Link href={places.kind(needed('iam', 'rolebindings'))}>All role bindings of the organization</Link>
    </p>
  );
}

/**
 * Follows the bindings without a scope, those on the folder and on the folders above it, and the folders above
 * themselves.
 */
function useLiveAccess(about: KubeObject, loading: Loading<FolderAccess>): void {
  const { store } = useDesk();
  const { namespace, name } = about.metadata;
  const { word } = targetOf(about);
  const isInChain = (folder: string): boolean =>
    folder === name || loading.state.peek().value?.chain.some(({ metadata }) => metadata.name === folder) === true;
  const concerns = ({ spec = {} }: KubeObject): boolean => {
    const { folder, dashboard, serviceAccount } = (spec as Partial<BindingSpec>).scope ?? {};
    if (word === 'dashboard' && dashboard === name) return true;
    return folder === undefined ? dashboard === undefined && serviceAccount === undefined : isInChain(folder);
  };
  const path = pathOf(needed('iam', 'rolebindings'), namespace);
  useFollowed(loading, [{ path, concerns, isWhole: true }], [name]);
  useEffect(
    () =>
      // Many changes may come at once, and each may be about a folder above.
      store.change.subscribe((change) => {
        const changed = change?.folder.metadata.name ?? name;
        if (changed !== name && isInChain(changed)) loading.reload();
      }),
    [store, name],
  );
}

/** Why the caller may not change who has access. Undefined if they may. */
async function whyNot(about: KubeObject): Promise<string | undefined> {
  type Rights = { readonly canAdmin: boolean };
  const { legacyPath, word } = targetOf(about);
  const answer = await getIn<Rights | { readonly meta: Rights }>(about.metadata.namespace ?? '', legacyPath);
  const { canAdmin } = 'meta' in answer ? answer.meta : answer;
  return canAdmin ? undefined : `Only who has Admin on this ${word} may change its permissions.`;
}
