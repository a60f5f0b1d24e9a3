import { lazyDialog } from '../../app/lazy.js';
import { CreateFolder } from './actions/create.js';
import { CreateDashboard } from './actions/create-dashboard.js';
import { DeleteDialog } from './actions/delete.js';
import { Edit } from './actions/edit.js';
import { MoveDialog } from './actions/move.js';
import { useDesk } from './model/desk.js';
import type { Chosen } from './model/selection.js';

interface ImportProps {
  readonly parent: string;
  readonly onto: string | undefined;
  readonly onClose: () => void;
}

const Import = lazyDialog<ImportProps>(async () => (await import('./import/dialog.js')).ImportDialog);

interface ManyProps {
  readonly items: readonly Chosen[];
  readonly onClose: () => void;
}

const MoveMany = lazyDialog<ManyProps>(async () => (await import('./actions/move-many.js')).MoveMany);
const TagMany = lazyDialog<ManyProps>(async () => (await import('./actions/tag-many.js')).TagMany);
const DeleteMany = lazyDialog<ManyProps>(async () => (await import('./actions/delete-many.js')).DeleteMany);

/** The dialog that is open, if there is one. */
export function Tasks({ shownFolder }: { readonly shownFolder: string | undefined }) {
  const { task } = useDesk();
  const now = task.value;
  // The answer to a closed dialog may come while another one is open.
  const close = (): void => {
    if (task.peek() === now) task.value = undefined;
  };
  switch (now?.kind) {
    case 'create':
      return <CreateFolder parent={now.parent} onClose={close} />;
    case 'createDashboard':
      return <CreateDashboard parent={now.parent} onClose={close} />;
    case 'import':
      return <Import parent={now.parent} onto={now.onto} onClose={close} />;
    case 'edit':
      return <Edit item={now.item} onClose={close} />;
    case 'move':
      return <MoveDialog item={now.item} to={now.to} onClose={close} />;
    case 'delete':
      return <DeleteDialog item={now.item} shownFolder={shownFolder} onClose={close} />;
    case 'moveMany':
      return <MoveMany items={now.items} onClose={close} />;
    case 'tagMany':
      return <TagMany items={now.items} onClose={close} />;
    case 'deleteMany':
      return <DeleteMany items={now.items} onClose={close} />;
    default:
      return null;
  }
}
