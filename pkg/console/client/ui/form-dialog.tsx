import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { ApiError } from '../lib/api.js';
import { wordsNow } from '../lib/connection.js';
import { Button } from './button.js';
import { CancelButton, Dialog } from './dialog.js';
import { useFirstProblem } from './use-first-problem.js';

/** The error of a field, by its name. */
export type ErrorAt = (field: string) => string | undefined;

interface Props {
  readonly title: string;
  /** The text of the button. */
  readonly action: string;
  readonly onSubmit: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: (errorAt: ErrorAt) => ComponentChildren;
  /**
   * For each field, matches its name in the errors of the server, or words of a message. Other errors are shown below
   * the fields.
   */
  readonly fields?: Readonly<Record<string, RegExp>>;
  readonly isDangerous?: boolean;
  readonly isWide?: boolean;
  readonly unavailable?: string | undefined;
}

/** A dialog with fields. It closes when the server has accepted them. Otherwise it shows the errors at the fields. */
export function FormDialog({ title, action, onSubmit, onClose, children, fields = {}, ...looks }: Props) {
  const { isDangerous = false, isWide = false, unavailable } = looks;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const problem = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const { at, rest } = sorted(problem.value, fields);
  useFirstProblem(form, problem.value);
  const submit = async (): Promise<void> => {
    isBusy.value = true;
    problem.value = undefined;
    try {
      if ((await onSubmit()) !== false) onClose();
    } catch (error) {
      problem.value = error;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isWide={isWide}
      footer={
        <>
          <CancelButton />
          <Button
            type="submit"
            form={id}
            look={isDangerous ? 'danger' : 'primary'}
            isBusy={isBusy.value}
            unavailable={unavailable}
          >
            {action}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id={id}
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {children((field) => at.get(field))}
        {rest !== '' && (
          <p class="field-error" role="alert">
            {rest}
          </p>
        )}
      </form>
    </Dialog>
  );
}

/** The messages of an error by the fields that they are about, and the rest. */
export function sorted(
  error: unknown,
  fields: Readonly<Record<string, RegExp>>,
): { readonly at: ReadonlyMap<string, string>; readonly rest: string } {
  const at = new Map<string, string>();
  if (error === undefined) return { at, rest: '' };
  // The causes of a refusal are the permissions that are missing.
  const hasCauses = error instanceof ApiError && error.code !== 403 && error.causes.length > 0;
  const causes = hasCauses ? error.causes : [{ message: wordsNow(error) }];
  const rest: string[] = [];
  for (const { message, field = '' } of causes as readonly { message: string; field?: string }[]) {
    const [name] = Object.entries(fields).find(([, words]) => words.test(field === '' ? message : field)) ?? [];
    if (name === undefined) rest.push(message);
    else at.set(name, message);
  }
  return { at, rest: rest.join(' ') };
}
