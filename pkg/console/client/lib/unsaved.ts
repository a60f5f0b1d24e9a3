import { useEffect, useRef } from 'preact/hooks';

/** Each function tells whether a component has unsaved text. */
const holders = new Set<() => boolean>();

/** Whether something that was typed would be lost if the page were loaded again. */
export function hasUnsaved(): boolean {
  return [...holders].some((has) => has());
}

/** While a component is shown, the browser asks before the page is closed if `has` returns true. */
export function useUnsaved(has: () => boolean): void {
  const now = useRef(has);
  now.current = has;
  useEffect(() => {
    const holder = (): boolean => now.current();
    const warn = (event: BeforeUnloadEvent): void => {
      if (holder()) event.preventDefault();
    };
    holders.add(holder);
    addEventListener('beforeunload', warn);
    return () => {
      holders.delete(holder);
      removeEventListener('beforeunload', warn);
    };
  }, []);
}
