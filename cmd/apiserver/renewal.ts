import type { Keys } from './keys.js';
import type { Tls } from './tls.js';

/** Milliseconds between two looks at what the operator may have rotated or replaced. */
const LOOK_EVERY = 250;
const DAY = 86_400_000;
/**
 * Milliseconds until the next attempt after one that failed, for example because the key of a new certificate was not
 * there yet.
 */
const RETRY = 10_000;

export interface Renewal {
  readonly keys: Pick<Keys, 'renew' | 'hasChanged'>;
  /** Uses new keys. */
  readonly use: (tls: Tls) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Renews the keys every day, and within seconds after the operator has rotated some, or replaced the files of the
 * settings. Returns a function that stops it.
 */
export function startRenewal({ keys, use, onError }: Renewal): () => void {
  let [dueAt, notBefore, isBusy] = [Date.now() + DAY, 0, false];
  const look = async (): Promise<void> => {
    if (Date.now() < dueAt && !(await keys.hasChanged())) return;
    await use(await keys.renew());
    dueAt = Date.now() + DAY;
  };
  const timer = setInterval(() => {
    if (isBusy || Date.now() < notBefore) return;
    isBusy = true;
    const failed = (error: unknown): void => {
      notBefore = Date.now() + RETRY;
      // Keys that were read but not used are used by the next attempt.
      dueAt = 0;
      onError(error);
    };
    void look()
      .catch(failed)
      .finally(() => {
        isBusy = false;
      });
  }, LOOK_EVERY).unref();
  return () => clearInterval(timer);
}
