/** A loop over many objects lets the event loop run after this many. */
export const TURN_EVERY = 5_000;
