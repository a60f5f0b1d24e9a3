import { useEffect, useRef } from 'preact/hooks';
import { shownText } from '../lib/without-overrides.js';

/** The titles of what is shown. What appeared last is inside of what was there before, as a team on its page. */
const shown: { text: string }[] = [];

/** Gives the tab of the browser a title, from what is inside to what is around it, while the caller is shown. */
export function useTitle(parts: () => readonly string[]): void {
  const own = useRef({ text: '' }).current;
  useEffect(() => {
    shown.push(own);
    return () => {
      shown.splice(shown.indexOf(own), 1);
      show();
    };
  }, [own]);
  useEffect(() => {
    own.text = parts()
      .filter((part) => part !== '')
      .join(' · ');
    show();
  });
}

function show(): void {
  const text = shown.at(-1)?.text ?? '';
  if (text !== '') document.title = shownText(text);
}
