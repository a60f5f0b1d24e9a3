import { useEffect } from 'preact/hooks';

/**
 * Does `work` now, and again so many milliseconds after it ended, while component and page are shown, until it resolves
 * to false.
 */
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
