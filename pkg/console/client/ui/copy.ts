import { tell } from './toasts.js';

/** Copies a text, and says what was copied. */
export async function copy(text: string, what: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  tell(`${what} is copied.`);
}
