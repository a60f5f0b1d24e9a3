import { useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { places } from '../../../app/places.js';
import { ApiError } from '../../../lib/api.js';
import { opened } from '../../../lib/opened.js';
import { withoutOverrides } from '../../../lib/without-overrides.js';
import { Heading } from '../../../ui/heading.js';
import { LongText } from '../../../ui/long-text.js';
import { Refused } from '../../../ui/refused.js';
import { Failure, Skeleton } from '../../../ui/states.js';
import { Tabs } from '../../../ui/tabs.js';
import { Time } from '../../../ui/time.js';
import { AccessPanel } from '../access/panel.js';
import { Contents } from '../contents/contents.js';
import { useDesk } from '../model/desk.js';
import { folders, isPrivateFolder, LOCKS, type Lock } from '../model/kinds.js';
import { useView } from '../search/query.js';
import { FolderActions } from './actions.js';
import { Crumbs } from './crumbs.js';
import { Gone } from './gone.js';
import { type Shown, useFolder } from './use-folder.js';

const TABS = [
  ['contents', 'Contents'],
  ['permissions', 'Permissions'],
] as const;

/** Who administers it is not for those who may not see it. */
const PRIVATE = 'It, or a folder above it, is private, or for others than you.';

/** The chosen folder. */
export function FolderPanel({ name }: { readonly name: string }) {
  const { state, reload } = useFolder(name);
  const { phase, value, error } = state.value;
  const title = useRef<string>();
  title.current = value?.folder.spec?.title ?? title.current;
  if (phase === 'loading') return <Waiting />;
  if (phase === 'failed')
    return (
      <section class="folder-panel">
        <Heading area="Folders">Folder</Heading>
        {error instanceof ApiError && error.code === 403 ? (
          <Refused what="this folder" why={PRIVATE} message={error.message} />
        ) : (
          <Failure error={error} onRetry={reload} />
        )}
      </section>
    );
  if (value === undefined) return <Gone name={name} title={title.current} />;
  return <There key={name} {...value} />;
}

function Waiting() {
  return (
    <section class="folder-panel" aria-busy="true">
      <Skeleton rows={8} label="Loading the folder" />
    </section>
  );
}

function There({ folder, about }: Shown) {
  useEffect(() => opened.add(folder.metadata.namespace ?? '', [{ kind: 'folders', name: folder.metadata.name }]), []);
  const [{ tab }, show] = useView();
  const { name } = folder.metadata;
  const { title = '', description = '' } = folder.spec ?? {};
  const isAccess = tab === 'permissions';
  const known = useDesk().store.lockOf(name);
  const lock: Lock | undefined = isPrivateFolder(folder) ? 'own' : known === 'own' ? undefined : known;
  const above = (about.parents ?? []).map(({ uid, title: one }) => ({
    name: uid === 'redacted' ? undefined : uid,
    title: one,
  }));
  return (
    <section class="folder-panel" aria-label="Folder">
      <header class="stack tight">
        <Crumbs above={above} />
        <div class="panel-head">
          {lock && (
            <span class={`folder-icon private ${lock} head-lock`} role="img" aria-label="Private" title={LOCKS[lock]} />
          )}
          <Heading area="Folders" dir="auto" class="grow long-title" title={title.slice(0, 500)}>
            {withoutOverrides(title)}
          </Heading>
          <FolderActions folder={folder} />
        </div>
        {description !== '' && (
          <p dir="auto">
            <LongText text={description} />
          </p>
        )}
        <Origin about={about} />
      </header>
      <div class="tab-line">
        <Tabs
          label="Folder"
          tabs={TABS}
          value={isAccess ? 'permissions' : 'contents'}
          onValue={(id) => show({ tab: id === 'contents' ? '' : id })}
        />
        <ObjectLinks name={name} />
      </div>
      {isAccess ? (
        <div class="panel-scroll">
          <AccessPanel folder={folder} />
        </div>
      ) : (
        <Contents folder={name} />
      )}
    </section>
  );
}

function Origin({ about }: { readonly about: Shown['about'] }) {
  const { createdBy, created, updatedBy, updated, version } = about;
  return (
    <p class="muted origin">
      Created by {createdBy || 'somebody'} <Time at={created} />
      {version > 1 && (
        <>
          , changed by {updatedBy || 'somebody'} <Time at={updated} />
        </>
      )}
    </p>
  );
}

/** Links to the page of the object. */
function ObjectLinks({ name }: { readonly name: string }) {
  const { namespace } = useDesk();
  const to = (tab: string): string => places.object(folders(), namespace, name, tab);
  return (
    <nav aria-label="The object" class="object-links">
      <Link href={to('yaml')}>YAML</Link>
      <Link href={to('history')}>History</Link>
    </nav>
  );
}
