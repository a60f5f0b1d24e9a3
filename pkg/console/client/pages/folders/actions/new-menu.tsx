import { Button } from '../../../ui/button.js';
import { Menu } from '../../../ui/menu.js';
import { useDesk } from '../model/desk.js';
import { resourceFor } from '../model/kinds.js';
import { useCreateRefusal } from '../model/rights.js';

/** What can be made in a folder, or at the root. */
export function NewMenu({ folder }: { readonly folder: string }) {
  const { task } = useDesk();
  const noFolder = useCreateRefusal(folder);
  const noDashboard = useCreateRefusal(folder, 'dashboards');
  const hasDashboards = resourceFor('dashboards') !== undefined;
  if (noFolder !== undefined && (noDashboard !== undefined || !hasDashboards))
    return <Button unavailable={noFolder}>New</Button>;
  const dashboards = [
    {
      label: 'Dashboard…',
      unavailable: noDashboard,
      run: () => (task.value = { kind: 'createDashboard', parent: folder }),
    },
    {
      label: 'Import dashboards…',
      unavailable: noDashboard,
      run: () => (task.value = { kind: 'import', parent: folder }),
    },
  ];
  return (
    <Menu
      label="New"
      look="primary"
      items={[
        { label: 'Folder…', unavailable: noFolder, run: () => (task.value = { kind: 'create', parent: folder }) },
        ...(hasDashboards ? dashboards : []),
      ]}
    >
      New
      <span aria-hidden="true">▾</span>
    </Menu>
  );
}
