/** The element that has the focus, and those around it, the innermost first. They are kept when it goes away. */
let path: readonly Element[] = [];
/** Whether the focus is where it is only because what had it has gone. */
let isLost = false;

/** What holds several things together. Tab goes on from there. */
const GROUP = 'ul, ol, table, section, form, fieldset';
/** What a person fills in. */
const FIELDS = ':is(input:not([type=hidden]), textarea, select):not(:disabled)';

/**
 * Focuses what somebody who opens a dialog needs first: what has `autofocus`, the first field, or the first button of
 * the foot, which changes nothing. A dialog that is only read has its heading focused.
 */
export function focusFirst(dialog: HTMLElement): void {
  const choices = ['[autofocus]', `.dialog-body ${FIELDS}`, '.dialog-foot button', 'h2'];
  for (const choice of choices) {
    dialog.querySelector<HTMLElement>(choice)?.focus();
    if (dialog.querySelector(choice) === document.activeElement) return;
  }
}

/** What Tab may go to. */
const TABBABLE = `${FIELDS}, :is(a[href], button, summary, [tabindex], [contenteditable=true]):not(:disabled)`;

/** Goes on with the first element of a dialog after the last one, and with the last before the first. */
export function keepInside(dialog: HTMLElement, event: KeyboardEvent): void {
  if (event.key !== 'Tab' || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  const all = [...dialog.querySelectorAll<HTMLElement>(TABBABLE)].filter(
    (one) => one.tabIndex >= 0 && one.checkVisibility(),
  );
  const [end, other] = event.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]];
  const active = document.activeElement;
  const isBefore = event.shiftKey && active !== null && (end?.compareDocumentPosition(active) ?? 0) === BEFORE;
  if (active !== end && !isBefore) return;
  event.preventDefault();
  other?.focus();
}

const BEFORE = Node.DOCUMENT_POSITION_PRECEDING;

/** What had the focus when a dialog was opened. */
const openers = new WeakMap<Element, readonly Element[]>();

/** The element, those around it, and what led to the dialog in which it is. */
function pathOf(element: Element | null): readonly Element[] {
  const elements: Element[] = [];
  for (let one = element; one !== null && one !== document.body; one = one.parentElement) {
    elements.push(one);
    const before = openers.get(one);
    if (before !== undefined) return [...elements, ...before];
  }
  return elements;
}

/** Is called before a dialog is opened. Returns what had the focus, for `giveBack`. */
export function noteOpener(dialog: Element): readonly Element[] {
  const before = pathOf(document.activeElement);
  openers.set(dialog, before);
  return before;
}

/** Gives the focus back to what had it before, also if other parts of the page go away together with what has it. */
export function giveBack(before: readonly Element[]): void {
  path = before;
  queueMicrotask(restore);
}

/**
 * Focuses the innermost element of the path that is still there and can take the focus, such as the list around a row
 * that was deleted, or else the heading of the page. If something else has taken it meanwhile, such as the next dialog,
 * it stays there.
 */
function restore(): void {
  if (document.activeElement !== document.body) return;
  const there = path.filter((element) => element.isConnected && element.id !== 'main');
  const main = document.getElementById('main');
  for (const element of [...there, main?.querySelector('h1'), main])
    if (element instanceof HTMLElement && isFocused(element)) {
      isLost = true;
      return;
    }
}

/** Tries to focus an element, and returns whether it has the focus. */
function isFocused(element: HTMLElement): boolean {
  const isGroup = element.matches(GROUP) && element.textContent.trim() !== '';
  if (isGroup && !element.hasAttribute('tabindex')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

/**
 * When the focused element goes away, as the button of a page that was left, browsers focus the body: keys do nothing
 * there, and Tab begins at the top of the page. This focuses what was around the element.
 */
export function keepFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    path = pathOf(target as Element);
    isLost = false;
  });
  document.addEventListener('focusout', ({ relatedTarget }) => {
    const left = path;
    if (relatedTarget !== null) return;
    // An element that is still there was left on purpose, by a click beside it.
    queueMicrotask(() => {
      if (path !== left || left[0]?.isConnected !== true || document.activeElement !== document.body) return;
      path = [];
      isLost = false;
    });
  });
  const observer = new MutationObserver(() => {
    if (path[0]?.isConnected === false) restore();
  });
  observer.observe(document.body, { childList: true, subtree: true });
}

/** Focuses a heading that has just appeared, if what had the focus went away with what was there before. */
export function focusIfLost(heading: HTMLElement | null): void {
  if (!isLost) return;
  heading?.focus({ preventScroll: true });
  isLost = true;
}
