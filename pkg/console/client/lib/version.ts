import { signal } from '@preact/signals';
import { isReachable, Unreachable } from './api.js';

/** Whether the server has another version of the console than this page. */
export const isReplaced = signal(false);

/** Finds the script in the page. Its name is another one in each version. */
const SCRIPT = /assets\/(main-\w+\.js)/;
const own = SCRIPT.exec(document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '')?.[1];
/** Milliseconds after which the question counts as lost. */
const WITHIN = 10_000;

/** Asks the server whether it still has this version. Throws Unreachable. */
export async function checkVersion(): Promise<void> {
  const signal = AbortSignal.timeout(WITHIN);
  const text = await fetch(document.baseURI, { cache: 'no-cache', signal })
    .then((response) => response.text())
    .catch((error: unknown) => {
      isReachable.value = false;
      throw new Unreachable(error);
    });
  // A page without a script is that of a proxy.
  const [, now] = SCRIPT.exec(text) ?? [];
  if (now !== undefined && own !== undefined && now !== own) isReplaced.value = true;
}

/** Asks whenever the person comes back to the page. */
export function keepChecking(): void {
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void checkVersion().catch(() => undefined);
  });
}
