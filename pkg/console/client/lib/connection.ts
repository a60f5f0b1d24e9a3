import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError, addressOf, hasEnded, isReachable, Unreachable } from './api.js';
import { checkVersion } from './version.js';

/** Milliseconds between two questions whether the server is there, and after which one of them counts as lost. */
const [PAUSE, WITHIN] = [1000, 5000];
let isAsking = false;

/** While the server is away, asks until it answers. Pages that follow nothing learn by this that it is back. */
export function keepReaching(): void {
  effect(() => {
    if (!isReachable.value && !isAsking) void ask();
  });
}

async function ask(): Promise<void> {
  isAsking = true;
  while (!isReachable.peek()) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    // A proxy answers, too, but not with success.
    const answer = fetch(addressOf('/livez'), { cache: 'no-store', signal: AbortSignal.timeout(WITHIN) });
    if (await answer.then(({ ok }) => ok).catch(() => false)) isReachable.value = true;
  }
  isAsking = false;
  // It may have been away because it was replaced.
  await checkVersion().catch(() => undefined);
}

/** Tries again what failed because the server was away or the session had ended, as soon as that is over. */
export function useAgain(error: () => unknown, retry: () => void): void {
  const isOver = isReachable.value && !hasEnded.value;
  useEffect(() => {
    if (isOver && isPassing(error())) retry();
  }, [isOver]);
}

/** Whether what failed may succeed when the server is back or the person has signed in again. */
export function isPassing(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof ApiError && error.code === 401);
}
