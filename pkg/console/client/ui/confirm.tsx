import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button } from './button.js';
import { Dialog } from './dialog.js';

interface Question {
  readonly title: string;
  readonly text: ComponentChildren;
  /** The word of the button that does it. */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly answer: (isConfirmed: boolean) => void;
}

const question = signal<Question | undefined>(undefined);

/** Asks before something is done. Resolves to whether to do it. */
export function confirm(asked: Omit<Question, 'answer'>): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (isConfirmed: boolean): void => {
      question.value = undefined;
      resolve(isConfirmed);
    };
    question.value = { ...asked, answer };
  });
}

/** The place of the question that `confirm` asks. */
export function Confirmation() {
  const asked = question.value;
  if (asked === undefined) return null;
  const { title, text, action, isDangerous = false, answer } = asked;
  return (
    <Dialog
      title={title}
      onClose={() => answer(false)}
      footer={
        <>
          <Button onPress={() => answer(false)}>Cancel</Button>
          <Button look={isDangerous ? 'danger' : 'primary'} onPress={() => answer(true)}>
            {action}
          </Button>
        </>
      }
    >
      {text}
    </Dialog>
  );
}
