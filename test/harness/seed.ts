import fc from 'fast-check';

/** If SEED is set, property tests use it. Otherwise each one draws a seed, and prints it when it fails. */
const { SEED } = process.env;
if (SEED !== undefined) fc.configureGlobal({ seed: Number(SEED) });
