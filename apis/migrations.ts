import type { Migration } from '../registry/upgrade/migration.js';

/** The changes of stored data since its first version, in order. CONTRIBUTING.md says how to add one. */
export const MIGRATIONS: readonly Migration[] = [];
