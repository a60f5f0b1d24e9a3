/** A loop over many objects yields to the event loop after this many objects. */
export const TURN_EVERY = 5_000;
