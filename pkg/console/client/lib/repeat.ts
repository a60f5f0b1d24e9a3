import { useEffect } from 'preact/hooks';

/** Does something at once and every so many milliseconds, one after the other, while a component and the page are shown. `work` tells whether to go on. */
export function useRepeated(milliseconds: number, work: (signal: AbortSignal) => Promise<boolean>): void {
  useEffect(() => {
    const controller = new AbortController();
    void repeat(milliseconds, work, controller.signal);
    return () => controller.abort();
  }, []);
}

async function repeat(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    if (!document.hidden && !(await work(signal))) return;
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }
}
