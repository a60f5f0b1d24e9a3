import { useLocation } from 'wouter-preact';
import { places } from '../../../app/places.js';
import { linkTo } from '../../../lib/namespace.js';
import { copy } from '../../../ui/copy.js';
import { Menu } from '../../../ui/menu.js';
import { useDesk } from '../model/desk.js';
import { useItemKeys } from '../model/keys.js';
import { type Folder, folders } from '../model/kinds.js';
import { useRefusals } from '../model/rights.js';

const VERBS = ['update', 'delete'] as const;

/** The actions on a folder. Those that the caller may not do say why. */
export function FolderActions({ folder }: { readonly folder: Folder }) {
  const { task } = useDesk();
  const [, go] = useLocation();
  const { name } = folder.metadata;
  const item = { kind: 'folders', name, title: folder.spec?.title ?? '' } as const;
  const refusals = useRefusals(VERBS, name);
  useItemKeys(item);
  return (
    <div class="row">
      <Menu
        label="Actions on this folder"
        items={[
          {
            label: 'Rename and describe… (F2)',
            unavailable: refusals.update,
            run: () => (task.value = { kind: 'edit', item }),
          },
          {
            label: 'Move to… (Shift+F2)',
            unavailable: refusals.update,
            run: () => (task.value = { kind: 'move', item }),
          },
          { label: 'Copy name', run: () => copy(name, 'The name is copied.') },
          { label: 'Copy link', run: () => copy(linkTo(places.folders(name)), 'The link is copied.') },
          { label: 'Show all folders as a table', run: () => go(places.kind(folders())) },
          {
            label: 'Delete… (Delete)',
            isDangerous: true,
            unavailable: refusals.delete,
            run: () => (task.value = { kind: 'delete', item }),
          },
        ]}
      />
    </div>
  );
}
