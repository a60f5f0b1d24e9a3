import { useLoad } from '../../../lib/load.js';
import { may, type Permission } from '../../../lib/session.js';
import { Button } from '../../../ui/button.js';
import { Menu } from '../../../ui/menu.js';
import { useDesk } from '../data/desk.js';
import { type Folder, folders } from '../data/kinds.js';

interface Rights {
  readonly create: Permission;
  readonly update: Permission;
  readonly remove: Permission;
}

/** Why something cannot be done. `undefined` if it can, or as long as it is not known. */
function why(permission: Permission | undefined): string | undefined {
  if (permission === undefined || permission.allowed) return undefined;
  return permission.reason || 'You may not do this here.';
}

/** What can be done with a folder. What the caller may not do says why. */
export function FolderActions({ folder }: { readonly folder: Folder }) {
  const { namespace, task } = useDesk();
  const { name } = folder.metadata;
  const item = { kind: 'folders', name, title: folder.spec?.title ?? '' } as const;
  const { state } = useLoad(async (): Promise<Rights> => {
    const on = { resource: folders(), namespace };
    const [create, update, remove] = await Promise.all([
      may({ ...on, verb: 'create' }),
      may({ ...on, verb: 'update', name }),
      may({ ...on, verb: 'delete', name }),
    ]);
    return { create, update, remove };
  }, [namespace, name]);
  const rights = state.value.value;
  return (
    <div class="row">
      <Button unavailable={why(rights?.create)} onPress={() => (task.value = { kind: 'create', parent: name })}>
        New folder here
      </Button>
      <Menu
        label="Actions on this folder"
        items={[
          {
            label: 'Rename and describe… (F2)',
            unavailable: why(rights?.update),
            run: () => (task.value = { kind: 'edit', name }),
          },
          {
            label: 'Move to… (Shift+F2)',
            unavailable: why(rights?.update),
            run: () => (task.value = { kind: 'move', item }),
          },
          {
            label: 'Delete… (Delete)',
            isDangerous: true,
            unavailable: why(rights?.remove),
            run: () => (task.value = { kind: 'delete', item }),
          },
        ]}
      />
    </div>
  );
}
