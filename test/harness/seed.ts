import fc from 'fast-check';

/** Property tests begin with this seed, too, if it is set. Otherwise each one draws its own, and prints it when it fails. */
const { SEED } = process.env;
if (SEED !== undefined) fc.configureGlobal({ seed: Number(SEED) });
