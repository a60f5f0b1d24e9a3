import { signal } from '@preact/signals';
import { wordsOf } from '../lib/api.js';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
  readonly action?: { readonly label: string; readonly run: () => unknown };
}

const toasts = signal<readonly Toast[]>([]);
/**
 * Milliseconds for which a message stays. Errors stay twice as long, and messages with an action four times as long.
 */
const STAYS = 6000;
const MOST = 5;
let count = 0;

function add(toast: Omit<Toast, 'id'>, stays: number): void {
  const id = ++count;
  toasts.value = [...toasts.value.slice(1 - MOST), { ...toast, id }];
  setTimeout(() => close(id), stays);
}

function close(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

/** Reports what was done, and can offer an action such as undo. */
export function tell(text: string, action?: Toast['action']): void {
  add({ text, isError: false, ...(action && { action }) }, action === undefined ? STAYS : 4 * STAYS);
}

/** Reports an error, in the words of the server. A request that the page itself has aborted is none. */
export function report(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  add({ text: typeof error === 'string' ? error : wordsOf(error), isError: true }, 2 * STAYS);
}

/**
 * The messages. Screen readers read new ones aloud. The topmost dialog shows them, because nothing behind it can be
 * used or heard.
 */
export function Toasts({ isShown }: { readonly isShown: boolean }) {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {(isShown ? toasts.value : []).map(({ id, text, isError, action }) => (
        <div key={id} class={`toast ${isError ? 'error' : ''}`}>
          <span class="toast-text">{text}</span>
          {action !== undefined && (
            <button
              type="button"
              class="button quiet"
              onClick={() => {
                close(id);
                Promise.resolve(action.run()).catch(report);
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="icon-button" aria-label="Close message" onClick={() => close(id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
