import { useLocation } from 'wouter-preact';
import { places } from '../../../app/places.js';
import { tell } from '../../../ui/toasts.js';
import { useDesk, useIsOpen } from '../model/desk.js';
import { resourceFor } from '../model/kinds.js';
import { useCreateRefusal } from '../model/rights.js';
import { quoted } from '../model/words.js';
import { FolderForm } from './folder-form.js';
import { create } from './requests.js';

const NOTHING = { title: '', description: '' };

/** Asks for a title, and creates an empty dashboard in a folder or at the root. */
export function CreateDashboard({ parent, onClose }: { readonly parent: string; readonly onClose: () => void }) {
  const { namespace, store, done } = useDesk();
  const [, go] = useLocation();
  const isOpen = useIsOpen();
  const refusal = useCreateRefusal(parent, 'dashboards');
  store.version.value;
  const above = store.node(parent)?.title;
  return (
    <FolderForm
      title={above === undefined ? 'New dashboard' : `New dashboard in ${quoted(above)}`}
      action="Create"
      hint="What the dashboard shows."
      initial={NOTHING}
      refusal={refusal}
      onClose={onClose}
      onSave={async ({ title, description }) => {
        const { body } = await create('dashboards', namespace, parent, {
          title,
          ...(description !== '' && { description }),
        });
        const isAwaited = isOpen();
        onClose();
        done.value++;
        tell(`${quoted(title)} was created.`);
        const resource = resourceFor('dashboards');
        if (resource !== undefined && isAwaited) go(places.object(resource, namespace, body.metadata.name));
      }}
    />
  );
}
