/**
 * A body that is read without waiting: what a watch has to send is known when it is woken. An async iterator would take
 * several promises for each event of each watch, which is more than the rest of the work.
 */
export interface PolledBody extends AsyncIterable<Uint8Array> {
  /**
   * Takes the next bytes. `undefined`: there are none yet, and `onReady` is called when there may be some. `null`: the
   * body is complete. Throws if the body fails.
   */
  poll(): Uint8Array | undefined | null;
  /** Set by the reader. Never called within `poll`. */
  onReady: () => void;
  /** Releases what the body holds. Afterwards `poll` gives `null`. */
  close(): void;
}

export function isPolled(body: object | undefined): body is PolledBody {
  return body !== undefined && 'poll' in body;
}

/** Reads a polled body by waiting. */
export async function* iterate(body: PolledBody): AsyncGenerator<Uint8Array, void, undefined> {
  let wake = (): void => undefined;
  let isReady = false;
  body.onReady = () => {
    isReady = true;
    wake();
  };
  try {
    for (;;) {
      isReady = false;
      const chunk = body.poll();
      if (chunk === null) return;
      if (chunk !== undefined) yield chunk;
      else if (!isReady)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    body.close();
  }
}
