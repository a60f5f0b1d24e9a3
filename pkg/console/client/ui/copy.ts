import { tell } from './toasts.js';

/** Copies a text, and then says so. */
export async function copy(text: string, done: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  tell(done);
}
