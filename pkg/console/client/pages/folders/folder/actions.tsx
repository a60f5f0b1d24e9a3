import { Menu } from '../../../ui/menu.js';
import { useDesk } from '../model/desk.js';
import type { Folder } from '../model/kinds.js';
import { useRefusals } from '../model/rights.js';

const VERBS = ['update', 'delete'] as const;

/** The actions on a folder. Those that the caller may not do say why. */
export function FolderActions({ folder }: { readonly folder: Folder }) {
  const { task } = useDesk();
  const { name } = folder.metadata;
  const item = { kind: 'folders', name, title: folder.spec?.title ?? '' } as const;
  const refusals = useRefusals(VERBS, name);
  return (
    <div class="row">
      <Menu
        label="Actions on this folder"
        items={[
          {
            label: 'Rename and describe… (F2)',
            unavailable: refusals.update,
            run: () => (task.value = { kind: 'edit', name }),
          },
          {
            label: 'Move to… (Shift+F2)',
            unavailable: refusals.update,
            run: () => (task.value = { kind: 'move', item }),
          },
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
