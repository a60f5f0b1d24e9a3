/** The command line is wrong. The message says why. */
export class UsageError extends Error {}
