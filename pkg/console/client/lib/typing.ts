/** Where a key is typed, or has a meaning of its own, and is no key of the console. */
const TYPED = 'input, textarea, select, [contenteditable], [role=menu]';

/** Whether a key belongs to a field that has the focus. */
export const isTyped = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest(TYPED) !== null;
