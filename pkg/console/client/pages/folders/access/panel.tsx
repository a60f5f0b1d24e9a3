import { Link } from 'wouter-preact';
import { places } from '../../../app/places.js';
import { ApiError } from '../../../lib/api.js';
import { useLoad } from '../../../lib/load.js';
import type { KubeObject } from '../../../lib/object.js';
import { getIn } from '../../../lib/organization.js';
import { me } from '../../../lib/session.js';
import { Failure, Skeleton } from '../../../ui/states.js';
import { FolderLevels } from '../../people/roles/built-in.js';
import { AddEntry } from './add.js';
import { loadAccess } from './entries.js';
import { OwnAccess } from './own.js';
import { Privacy } from './privacy.js';
import { AccessTable } from './table.js';
import './style.css';

/** Who has access to a folder and why, and how to change it. */
export function AccessPanel({ folder }: { readonly folder: KubeObject }) {
  const { namespace, name, resourceVersion } = folder.metadata;
  const { state, reload } = useLoad((signal) => loadAccess(folder, signal), [namespace, name, resourceVersion]);
  const rights = useLoad(() => whyNot(folder), [namespace, name]);
  const { phase, value: access, error } = state.value;
  if (phase === 'loading') return <Skeleton rows={6} label="Loading who has access" />;
  if (phase === 'failed') {
    if (error instanceof ApiError && error.code === 403) return <OwnAccess folder={folder} error={error} />;
    return <Failure error={error} onRetry={reload} />;
  }
  // Until it is known, nothing is offered: a button that is taken away again is worse than one that comes.
  const unavailable =
    rights.state.value.phase === 'there' ? rights.state.value.value : 'Your rights are being asked for.';
  const about = { folder, access, onDone: reload, unavailable };
  return (
    <div class="stack access">
      <Privacy {...about} />
      <AddEntry {...about} />
      <AccessTable {...about} />
      <FolderLevels />
      {me.value?.groups.includes('system:masters') === true && (
        <p>
          <Link href={places.access(name)}>Which people may do what with this folder?</Link>
        </p>
      )}
    </div>
  );
}

/** Why the caller may not change who has access. Nothing if they may. */
async function whyNot({ metadata: { namespace = '', name } }: KubeObject): Promise<string | undefined> {
  const path = `/api/folders/${encodeURIComponent(name)}`;
  const { canAdmin } = await getIn<{ readonly canAdmin: boolean }>(namespace, path);
  return canAdmin ? undefined : 'It takes the permission folders.permissions:write on this folder.';
}
