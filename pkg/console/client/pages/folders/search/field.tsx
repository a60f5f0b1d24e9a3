import { useEffect, useRef, useState } from 'preact/hooks';
import { ROW_LINK } from '../contents/item-list.js';
import { useView } from './query.js';

/** Milliseconds without a key after which a search begins. */
const PAUSE = 150;

/**
 * The search field. The key `/` goes to it, Escape clears it, Enter opens the best result, and the down arrow goes to
 * the results.
 */
export function SearchField() {
  const [view, show] = useView();
  const [text, setText] = useState(view.words);
  const field = useRef<HTMLInputElement>(null);
  const sent = useRef(view.words);
  const search = (): void => {
    sent.current = text.trim();
    show({ words: text.trim(), isStarred: false });
  };
  useEffect(() => {
    // Something else has changed the address, such as the back button.
    if (view.words === sent.current) return;
    sent.current = view.words;
    setText(view.words);
  }, [view.words]);
  useEffect(() => {
    if (text.trim() === sent.current) return;
    const timer = setTimeout(search, PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  useSlash(() => field.current?.focus());
  const keyed = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      // The shown results are those of another text while the search waits.
      if (text.trim() === sent.current) document.querySelector<HTMLElement>(`.results ${ROW_LINK}`)?.click();
      else search();
    } else if (event.key === 'ArrowDown') document.querySelector<HTMLElement>(`.results ${ROW_LINK}`)?.focus();
    else if (event.key === 'Escape' && (text !== '' || view.tags.length > 0)) {
      sent.current = '';
      setText('');
      show({ words: '', tags: [], kind: '' });
    } else return;
    event.preventDefault();
  };
  return (
    <div class="search-field grow">
      <label for="folder-search" class="sr-only">
        Search folders and dashboards
      </label>
      <input
        ref={field}
        id="folder-search"
        type="search"
        class="input"
        dir="auto"
        placeholder="Search folders and dashboards"
        aria-keyshortcuts="/"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={keyed}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
    </div>
  );
}

/** Calls `run` when `/` is pressed outside of fields and dialogs. */
function useSlash(run: () => void): void {
  useEffect(() => {
    const keyed = (event: KeyboardEvent): void => {
      const at = event.target instanceof HTMLElement ? event.target : undefined;
      const isTyped = at?.closest('input, textarea, select, dialog, [contenteditable]') !== null;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || (at !== undefined && isTyped)) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', keyed);
    return () => document.removeEventListener('keydown', keyed);
  }, []);
}
