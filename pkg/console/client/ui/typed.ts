import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useUnsaved } from '../lib/unsaved.js';

/** Fields whose text matters. Search fields are left out, because a search is quickly typed again. */
const FIELDS =
  'textarea, input:not([type]), input:is([type=text], [type=email], [type=password], [type=url], [type=number])';

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * Returns whether a field in an element has another text than when it first got the focus. If so, the browser asks
 * before it closes the page.
 */
export function useTyped(root: RefObject<HTMLElement>): () => boolean {
  const before = useRef(new Map<Field, string>());
  const has = (): boolean => [...before.current].some(([field, text]) => field.isConnected && field.value !== text);
  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element) || !target.matches(FIELDS)) return;
      const field = target as Field;
      if (!before.current.has(field)) before.current.set(field, field.value);
    };
    const element = root.current;
    element?.addEventListener('focusin', note);
    return () => element?.removeEventListener('focusin', note);
  }, []);
  useUnsaved(has);
  return has;
}
