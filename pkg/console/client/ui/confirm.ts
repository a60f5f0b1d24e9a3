import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

interface Asked {
  readonly title: string;
  readonly text: ComponentChildren;
  /** The text of the button. */
  readonly action: string;
  readonly isDangerous?: boolean;
}

interface Question extends Asked {
  readonly answer: (isConfirmed: boolean) => void;
}

/** The question that is open. `Confirmation` shows it. */
export const question = signal<Question | undefined>(undefined);

/** Asks a question. Resolves to whether the person agreed. A question that is already open is answered with no. */
export function confirm(asked: Asked): Promise<boolean> {
  question.peek()?.answer(false);
  return new Promise((resolve) => {
    const answer = (isConfirmed: boolean): void => {
      question.value = undefined;
      resolve(isConfirmed);
    };
    question.value = { ...asked, answer };
  });
}
