import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError, addressOf, hasEnded, isReachable, Unreachable, wordsOf } from './api.js';
import { checkVersion } from './version.js';

/** Milliseconds between two questions whether the server is there, and until such a question counts as lost. */
const [PAUSE, WITHIN] = [1000, 5000];
let isAsking = false;

/** While the server is away, asks until it answers, because some pages send no requests by themselves. */
export function keepReaching(): void {
  effect(() => {
    if (!isReachable.value && !isAsking) void ask();
  });
}

async function ask(): Promise<void> {
  isAsking = true;
  while (!isReachable.peek()) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    // A proxy may answer for the server, but not with success.
    const answer = fetch(addressOf('/livez'), { cache: 'no-store', signal: AbortSignal.timeout(WITHIN) });
    if (await answer.then(({ ok }) => ok).catch(() => false)) isReachable.value = true;
  }
  isAsking = false;
  // The server may have a new version.
  await checkVersion().catch(() => undefined);
}

/** Tries again after the server is back or the person has signed in again, if the error was due to that. */
export function useAgain(error: () => unknown, retry: () => void): void {
  const isOver = isReachable.value && !hasEnded.value;
  useEffect(() => {
    if (isOver && isPassing(error())) retry();
  }, [isOver]);
}

/** Whether the server was away, or the session had ended. */
export function isPassing(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof ApiError && error.code === 401);
}

/** The message of an error as it is true now: the server may have been away, and answer again. */
export function wordsNow(error: unknown): string {
  const isBack = error instanceof Unreachable && isReachable.value;
  return isBack ? 'The server could not be reached. It answers again: try once more.' : wordsOf(error);
}
