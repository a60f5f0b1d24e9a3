import { useLocation } from 'wouter-preact';
import { places } from '../../../app/places.js';
import { tell } from '../../../ui/toasts.js';
import { useDesk, useIsOpen } from '../model/desk.js';
import { useCreateRefusal } from '../model/rights.js';
import { quoted } from '../model/words.js';
import { FolderForm } from './folder-form.js';
import { create } from './requests.js';

const NOTHING = { title: '', description: '' };

/** Asks for a title, and creates a folder in another one or at the root. */
export function CreateFolder({ parent, onClose }: { readonly parent: string; readonly onClose: () => void }) {
  const { namespace, store, view, done } = useDesk();
  const [, go] = useLocation();
  const isOpen = useIsOpen();
  const refusal = useCreateRefusal(parent);
  store.version.value;
  const above = store.node(parent)?.title;
  const heading = above === undefined ? 'New folder' : `New folder in ${quoted(above)}`;
  return (
    <FolderForm
      title={heading}
      action="Create"
      initial={NOTHING}
      refusal={refusal}
      onClose={onClose}
      onSave={async ({ title, description }) => {
        const { body, warnings } = await create('folders', namespace, parent, {
          title,
          ...(description !== '' && { description }),
        });
        const { name } = body.metadata;
        const isAwaited = isOpen();
        onClose();
        done.value++;
        tell([`${quoted(title)} was created.`, ...warnings].join(' '));
        if (parent !== '') view.setOpen(parent, true);
        if (isAwaited) go(places.folders(name));
      }}
    />
  );
}
