import { useSignal } from '@preact/signals';
import { useLoad } from '../../../lib/load.js';
import { Dialog } from '../../../ui/dialog.js';
import { Failure, Notice, Skeleton } from '../../../ui/states.js';
import { tell } from '../../../ui/toasts.js';
import { useDesk } from '../model/desk.js';
import { aboutFolder } from '../model/find.js';
import type { Folder } from '../model/kinds.js';
import { useRefusals } from '../model/rights.js';
import { quoted } from '../model/words.js';
import { FolderForm, type Typed } from './folder-form.js';
import { changeFolder, isConflict, read, subjectOf } from './requests.js';

const VERBS = ['update'] as const;
const HEADING = 'Rename and describe';

function typedOf({ spec }: Folder): Typed {
  return { title: spec?.title ?? '', description: spec?.description ?? '' };
}

interface Props {
  readonly name: string;
  readonly onClose: () => void;
}

/** Changes the title and the description of a folder as it is now. */
export function EditFolder({ name, onClose }: Props) {
  const { namespace } = useDesk();
  const { state, reload } = useLoad((signal) => read(subjectOf(namespace, { kind: 'folders', name }), signal), [name]);
  const { value, error } = state.value;
  if (value !== undefined) return <Form seen={value} onClose={onClose} />;
  return (
    <Dialog title={HEADING} onClose={onClose}>
      {error === undefined ? <Skeleton rows={4} /> : <Failure error={error} onRetry={reload} />}
    </Dialog>
  );
}

/** What somebody else saved while the form was open. */
interface Theirs {
  readonly folder: Folder;
  readonly by: string;
}

/**
 * Sends only the changed fields, with the version that the person saw. If there is a newer one, it shows its changes,
 * and the person decides.
 */
function Form({ seen, onClose }: { readonly seen: Folder; readonly onClose: () => void }) {
  const { namespace, done } = useDesk();
  const theirs = useSignal<Theirs | undefined>(undefined);
  const { name } = seen.metadata;
  const subject = subjectOf(namespace, { kind: 'folders', name });
  const initial = typedOf(seen);
  const { update } = useRefusals(VERBS, name);
  const save = async (typed: Typed): Promise<void> => {
    const { resourceVersion } = (theirs.value?.folder ?? seen).metadata;
    const spec = {
      ...(typed.title !== initial.title && { title: typed.title }),
      ...(typed.description !== initial.description && { description: typed.description || null }),
    };
    try {
      await changeFolder(subject, resourceVersion, spec);
    } catch (error) {
      if (!isConflict(error)) throw error;
      const [folder, { updatedBy: by }] = await Promise.all([read(subject), aboutFolder(namespace, name)]);
      theirs.value = { folder, by };
      return;
    }
    onClose();
    done.value++;
    tell(`${quoted(typed.title)} was saved.`);
  };
  return (
    <FolderForm
      title={HEADING}
      action={theirs.value === undefined ? 'Save' : 'Save mine'}
      initial={initial}
      refusal={update}
      onSave={save}
      onClose={onClose}
    >
      {theirs.value !== undefined && <Changes before={initial} {...theirs.value} />}
    </FolderForm>
  );
}

function Changes({ before, folder, by }: Theirs & { readonly before: Typed }) {
  const now = typedOf(folder);
  const changed = (['title', 'description'] as const).filter((field) => now[field] !== before[field]);
  return (
    <Notice look="warn">
      <div class="stack tight grow">
        <p>
          {by} has changed this folder meanwhile. “Save mine” keeps what they changed in the fields that you left as
          they were.
        </p>
        {changed.length === 0 ? (
          <p>The title and the description are the same as before.</p>
        ) : (
          <dl class="facts theirs">
            {changed.map((field) => (
              <>
                <dt>Their {field}</dt>
                <dd dir="auto">{now[field] || '(none)'}</dd>
              </>
            ))}
          </dl>
        )}
      </div>
    </Notice>
  );
}
