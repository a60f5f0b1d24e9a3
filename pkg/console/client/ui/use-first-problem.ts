import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** Shows and focuses the first field of a form that has an error, each time that the form is refused. */
export function useFirstProblem(form: RefObject<HTMLElement>, problem: unknown): void {
  useEffect(() => {
    if (problem !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problem]);
}
