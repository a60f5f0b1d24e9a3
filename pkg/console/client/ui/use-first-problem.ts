import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * Shows and focuses the first field of a form that has an error, each time that the form is refused. Somebody who types
 * in another field by then stays there.
 */
export function useFirstProblem(form: RefObject<HTMLElement>, problem: unknown): void {
  const submitted = useRef<Element | null>(null);
  useEffect(() => {
    const note = (): void => {
      submitted.current = document.activeElement;
    };
    const element = form.current;
    element?.addEventListener('submit', note);
    return () => element?.removeEventListener('submit', note);
  }, []);
  useEffect(() => {
    const active = document.activeElement;
    const isTyping = active?.matches('input, textarea, select') === true && active !== submitted.current;
    if (problem !== undefined && !isTyping) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problem]);
}
