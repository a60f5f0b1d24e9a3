import { useMemo, useRef } from 'preact/hooks';
import { lazy } from '../../../app/lazy.js';
import { ApiError } from '../../../lib/api.js';
import { Heading } from '../../../ui/heading.js';
import { Refused } from '../../../ui/refused.js';
import { Failure, Skeleton } from '../../../ui/states.js';
import { Tabs } from '../../../ui/tabs.js';
import { tabsOf } from '../../object/tab-names.js';
import type { Place } from '../../object/use-object.js';
import { AccessPanel } from '../access/panel.js';
import { Contents } from '../contents/contents.js';
import { useDesk } from '../model/desk.js';
import { folders } from '../model/kinds.js';
import { quoted } from '../model/words.js';
import { useView } from '../search/query.js';
import { Gone } from './gone.js';
import { FolderHead } from './head.js';
import { type Shown, useFolder } from './use-folder.js';

const CONTENTS = ['contents', 'Contents'] as const;
const PERMISSIONS = ['permissions', 'Permissions'] as const;

/** The tabs of a folder, and those of every object. */
const tabsOfFolder = () => [CONTENTS, PERMISSIONS, ...tabsOf(folders())];

const ObjectPart = lazy<{ readonly place: Place; readonly tab: string }>(
  async () => (await import('../../object/part.js')).ObjectPart,
);

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
  return <Tabbed name={name} title={title.current} shown={value} />;
}

function Waiting() {
  return (
    <section class="folder-panel" aria-busy="true">
      <Skeleton rows={8} label="Loading the folder" />
    </section>
  );
}

interface TabbedProps {
  readonly name: string;
  /** The title under which the person has seen it, or undefined. */
  readonly title: string | undefined;
  /** Undefined if it does not exist, or was deleted. */
  readonly shown: Shown | undefined;
}

/** The head of the folder, and one of its tabs. What was typed in a tab stays when the folder is deleted. */
function Tabbed({ name, title, shown }: TabbedProps) {
  const { namespace } = useDesk();
  const [{ tab: asked }, show] = useView();
  const all = tabsOfFolder();
  const own = all.find(([id]) => id === asked) ?? CONTENTS;
  const [tab, label] = own;
  const isOwn = own === CONTENTS || own === PERMISSIONS;
  const place = useMemo(() => ({ resource: folders(), namespace, name }), [namespace, name]);
  return (
    <section class="folder-panel" aria-label="Folder">
      {shown === undefined ? (
        <Gone name={name} title={title} />
      ) : (
        <FolderHead {...shown} part={own === CONTENTS ? undefined : label} />
      )}
      {(shown !== undefined || !isOwn) && (
        <Tabs
          label={`Parts of ${quoted(title ?? name)}`}
          tabs={shown === undefined ? tabsOf(folders()) : all}
          value={tab}
          onValue={(id) => show({ tab: id === 'contents' ? '' : id })}
        />
      )}
      {!isOwn && (
        <section aria-label={label} class="panel-scroll object-tab" tabIndex={0}>
          <ObjectPart place={place} tab={tab} />
        </section>
      )}
      {shown !== undefined && own === CONTENTS && <Contents folder={name} />}
      {shown !== undefined && own === PERMISSIONS && (
        <div class="panel-scroll">
          <AccessPanel folder={shown.folder} />
        </div>
      )}
    </section>
  );
}
