/** In a loop over many objects the event loop gets a turn after this many. */
export const TURN_EVERY = 5_000;

/** A turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
