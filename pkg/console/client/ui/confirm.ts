import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

interface Asked {
  readonly title: string;
  readonly text: ComponentChildren;
  /** The word of the button that does it. */
  readonly action: string;
  readonly isDangerous?: boolean;
}

interface Question extends Asked {
  readonly answer: (isConfirmed: boolean) => void;
}

/** The question that is open. `Confirmation` shows it. */
export const question = signal<Question | undefined>(undefined);

/** Asks before something is done. Resolves to whether to do it. Another question that is open counts as answered with no. */
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
