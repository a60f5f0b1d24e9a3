import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { ApiError } from '../../../lib/api.js';
import { wordsNow } from '../../../lib/connection.js';
import { Button } from '../../../ui/button.js';
import { CancelButton, Dialog } from '../../../ui/dialog.js';
import { TextArea, TextField } from '../../../ui/field.js';
import { Notice } from '../../../ui/states.js';

/** What a person types about a folder. */
export interface Typed {
  readonly title: string;
  readonly description: string;
}

interface Props {
  readonly title: string;
  readonly action: string;
  readonly initial: Typed;
  /** If it rejects, the form stays open and shows the error. */
  readonly onSave: (typed: Typed) => Promise<void>;
  readonly onClose: () => void;
  /** Why it cannot be saved. */
  readonly refusal?: string | undefined;
  /** What the description is about. */
  readonly hint?: string;
  /** Is shown above the fields. */
  readonly children?: ComponentChildren;
  /** Further fields. */
  readonly more?: ComponentChildren;
}

/** The title and the description of a folder or a dashboard, new or not. */
export function FolderForm({ title, action, initial, onSave, onClose, refusal, hint, children, more }: Props) {
  const typed = useSignal(initial);
  const problem = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const save = async (): Promise<void> => {
    problem.value = undefined;
    isBusy.value = true;
    try {
      await onSave(typed.value);
    } catch (error) {
      problem.value = error;
    } finally {
      isBusy.value = false;
    }
  };
  const inTitle = causeOf(problem.value, 'spec.title');
  const inDescription = causeOf(problem.value, 'spec.description');
  const isElsewhere = problem.value !== undefined && inTitle === undefined && inDescription === undefined;
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {refusal !== undefined && <Notice look="warn">{refusal}</Notice>}
        {children}
        <TextField
          label="Title"
          value={typed.value.title}
          error={inTitle}
          autofocus
          onValue={(text) => (typed.value = { ...typed.value, title: text })}
        />
        <TextArea
          label="Description"
          hint={hint ?? 'What the folder is for.'}
          value={typed.value.description}
          error={inDescription}
          onValue={(text) => (typed.value = { ...typed.value, description: text })}
        />
        {more}
        {isElsewhere && <Notice look="danger">{wordsNow(problem.value)}</Notice>}
        <div class="row form-foot">
          <CancelButton />
          <Button type="submit" look="primary" unavailable={refusal} isBusy={isBusy.value}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The message of the server about a field. */
function causeOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.causes.find((cause) => cause.field === field)?.message;
}
