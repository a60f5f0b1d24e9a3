import { computed, signal } from '@preact/signals';
import { useLayoutEffect, useState } from 'preact/hooks';

/** The modal dialogs that are open, the topmost last. */
const open = signal<readonly symbol[]>([]);

/** Whether no modal dialog is open. */
export const isUncovered = computed(() => open.value.length === 0);

/** Registers a dialog as the topmost one for as long as it is shown. Returns whether it is still the topmost. */
export function useLayer(): boolean {
  const [own] = useState(() => Symbol('dialog'));
  useLayoutEffect(() => {
    open.value = [...open.peek(), own];
    return () => {
      open.value = open.peek().filter((one) => one !== own);
    };
  }, [own]);
  return open.value.at(-1) === own;
}
