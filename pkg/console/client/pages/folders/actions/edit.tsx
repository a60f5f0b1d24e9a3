import { useSignal } from '@preact/signals';
import { ownKey } from '../../../lib/discovery.js';
import { useLoad } from '../../../lib/load.js';
import type { KubeObject } from '../../../lib/object.js';
import { Author } from '../../../ui/author.js';
import { Dialog } from '../../../ui/dialog.js';
import { Failure, Notice, Skeleton } from '../../../ui/states.js';
import { tell } from '../../../ui/toasts.js';
import { WhyField } from '../../../ui/why-field.js';
import { useDesk } from '../model/desk.js';
import { type FolderSpec, WORDS } from '../model/kinds.js';
import { useRefusals } from '../model/rights.js';
import { quoted } from '../model/words.js';
import type { Dragged } from '../tree/drag.js';
import { FolderForm, type Typed } from './folder-form.js';
import { type Changes, describe, isConflict, read, type Subject, subjectOf } from './requests.js';
import { changedTags, type TagChange, TagFields } from './tag-fields.js';

const VERBS = ['update'] as const;
const HEADING = 'Rename and describe';
const HINTS = { folders: 'What the folder is for.', dashboards: 'What the dashboard shows.' } as const;

type Described = KubeObject<FolderSpec>;

function typedOf({ spec }: Described): Typed {
  return { title: spec?.title ?? '', description: spec?.description ?? '' };
}

const tagsOf = ({ spec }: Described): readonly string[] => spec?.tags ?? [];

interface Props {
  readonly item: Pick<Dragged, 'kind' | 'name'>;
  readonly onClose: () => void;
}

/** Changes the title and the description of a folder or a dashboard as it is now, and the tags of a dashboard. */
export function Edit({ item, onClose }: Props) {
  const { namespace } = useDesk();
  const { kind, name } = item;
  const { state, reload } = useLoad((signal) => read(subjectOf(namespace, item), signal), [kind, name]);
  const { value, error } = state.value;
  if (value !== undefined) return <Form item={item} seen={value} onClose={onClose} />;
  return (
    <Dialog title={HEADING} onClose={onClose}>
      {error === undefined ? <Skeleton rows={4} /> : <Failure error={error} onRetry={reload} />}
    </Dialog>
  );
}

/**
 * Sends only the changed fields, with the version that the person saw. If there is a newer one, it shows its changes,
 * and the person decides.
 */
function Form({ item, seen, onClose }: Props & { readonly seen: Described }) {
  const { namespace, done } = useDesk();
  /** What somebody else saved while the form was open. */
  const theirs = useSignal<Described | undefined>(undefined);
  const message = useSignal('');
  const tags = { added: useSignal(''), removed: useSignal<ReadonlySet<string>>(new Set()) };
  const subject = subjectOf(namespace, item);
  const initial = typedOf(seen);
  const { update } = useRefusals(VERBS, item.name, item.kind);
  const save = async (typed: Typed): Promise<void> => {
    const base = theirs.value ?? seen;
    try {
      await describe(
        subject,
        base.metadata.resourceVersion,
        changesOf(initial, typed, base, tags),
        message.value.trim(),
      );
    } catch (error) {
      if (!isConflict(error)) throw error;
      theirs.value = await read(subject);
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
      hint={HINTS[item.kind]}
      initial={initial}
      refusal={update}
      onSave={save}
      onClose={onClose}
      more={
        <>
          {item.kind === 'dashboards' && <TagFields {...tags} known={tagsOf(theirs.value ?? seen)} />}
          <WhyField value={message.value} onValue={(text) => (message.value = text)} />
        </>
      }
    >
      {theirs.value !== undefined && <Theirs subject={subject} kind={item.kind} before={seen} now={theirs.value} />}
    </FolderForm>
  );
}

/** The changed fields only. */
function changesOf(initial: Typed, typed: Typed, base: Described, change: TagChange): Changes {
  const tags = changedTags(tagsOf(base), change);
  const isTagged = tags.join('\n') !== tagsOf(base).join('\n');
  return {
    ...(typed.title !== initial.title && { title: typed.title }),
    ...(typed.description !== initial.description && { description: typed.description || null }),
    ...(isTagged && { tags }),
  };
}

interface TheirsProps extends Pick<Dragged, 'kind'> {
  readonly subject: Subject;
  readonly before: Described;
  readonly now: Described;
}

function Theirs({ subject, kind, before, now }: TheirsProps) {
  const shown = (one: Described) => ({ ...typedOf(one), tags: tagsOf(one).join(', ') });
  const [old, changed] = [shown(before), shown(now)];
  const fields = (['title', 'description', 'tags'] as const).filter((field) => changed[field] !== old[field]);
  return (
    <Notice look="warn">
      <div class="stack tight grow">
        <p>
          <Author by={now.metadata.annotations?.[ownKey('updatedBy')]} in={subject} /> has changed this {WORDS[kind][1]}{' '}
          meanwhile. “Save mine” keeps what they changed in the fields that you left as they were.
        </p>
        {fields.length === 0 ? (
          <p>What you see here is the same as before.</p>
        ) : (
          <dl class="facts theirs">
            {fields.map((field) => (
              <>
                <dt>Their {field}</dt>
                <dd dir="auto">{changed[field] || '(none)'}</dd>
              </>
            ))}
          </dl>
        )}
      </div>
    </Notice>
  );
}
