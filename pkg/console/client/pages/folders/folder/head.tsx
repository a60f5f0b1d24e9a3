import { useEffect } from 'preact/hooks';
import { ownKey } from '../../../lib/discovery.js';
import { opened } from '../../../lib/opened.js';
import { withoutOverrides } from '../../../lib/without-overrides.js';
import { Author } from '../../../ui/author.js';
import { Heading } from '../../../ui/heading.js';
import { LongText } from '../../../ui/long-text.js';
import { Time } from '../../../ui/time.js';
import { Leaving } from '../../object/leaving.js';
import { useDesk } from '../model/desk.js';
import { folders, isPrivateFolder, LOCKS, type Lock } from '../model/kinds.js';
import { FolderActions } from './actions.js';
import { Crumbs } from './crumbs.js';
import type { Shown } from './use-folder.js';

/** Where the folder lies, its title, what it is for, who changed it and why, and its actions. */
export function FolderHead({ folder, about, part }: Shown & { readonly part: string | undefined }) {
  const { name } = folder.metadata;
  useEffect(() => opened.add(folder.metadata.namespace ?? '', [{ kind: 'folders', name }]), [name]);
  const { title = '', description = '' } = folder.spec ?? {};
  const known = useDesk().store.lockOf(name);
  const lock: Lock | undefined = isPrivateFolder(folder) ? 'own' : known === 'own' ? undefined : known;
  const above = (about.parents ?? []).map(({ uid, title: one }) => ({
    name: uid === 'redacted' ? undefined : uid,
    title: one,
  }));
  return (
    <header class="stack tight">
      <Crumbs above={above} />
      <div class="panel-head">
        {lock && (
          <span class={`folder-icon private ${lock} head-lock`} role="img" aria-label="Private" title={LOCKS[lock]} />
        )}
        <Heading area="Folders" part={part} dir="auto" class="grow long-title" title={title.slice(0, 500)}>
          {withoutOverrides(title)}
        </Heading>
        <FolderActions folder={folder} />
      </div>
      {description !== '' && (
        <p dir="auto">
          <LongText text={description} />
        </p>
      )}
      <Origin folder={folder} about={about} />
      {folder.metadata.deletionTimestamp !== undefined && <Leaving object={folder} />}
    </header>
  );
}

/** The most characters of a message that are shown. */
const LONGEST = 300;

function Origin({ folder: { metadata }, about }: Shown) {
  const { created, updated, version } = about;
  const note = (name: string): string | undefined => metadata.annotations?.[ownKey(name)];
  const message = note('message') ?? '';
  const place = { resource: folders(), namespace: metadata.namespace, name: metadata.name };
  return (
    <p class="muted origin">
      Created by <Author by={note('createdBy')} in={place} /> <Time at={created} />
      {version > 1 && (
        <>
          , changed by <Author by={note('updatedBy')} in={place} /> <Time at={updated} />
        </>
      )}
      {message !== '' && (
        <>
          : <q dir="auto">{message.slice(0, LONGEST)}</q>
        </>
      )}
    </p>
  );
}
