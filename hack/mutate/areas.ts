/** Files that are mutated together, and the tests that must notice. */
export interface Area {
  readonly mutate: readonly string[];
  /** Quick tests that state what the files promise. They run on the store in memory. Stryker knows `*`, but not `{a,b}`. */
  readonly tests: readonly string[];
}

const rules = (folder: string): Area => ({ mutate: [`${folder}/*.ts`], tests: [`${folder}/*.test.ts`] });

/** The core, by area. `storage/lmdb` and `storage/mongodb` are left out: planted bugs there need a real store and a long time. */
export const AREAS: Readonly<Record<string, Area>> = {
  selectors: rules('pkg/selectors'),
  patch: rules('pkg/patch'),
  fieldmanager: {
    mutate: ['pkg/fieldmanager/*.ts'],
    tests: [
      'pkg/fieldmanager/*.test.ts',
      'test/resource-api/apply.test.ts',
      'test/resource-api/managed-fields.test.ts',
    ],
  },
  storage: rules('storage'),
  cacher: {
    mutate: ['storage/cacher/*.ts'],
    tests: ['storage/cacher/*.test.ts', 'storage/engine.test.ts', 'storage/memory/*.test.ts'],
  },
  write: {
    mutate: ['registry/write/*.ts'],
    tests: [
      'registry/write/*.test.ts',
      'test/kinds/kinds.test.ts',
      'test/security/holds.test.ts',
      'test/security/references.test.ts',
      'test/resource-api/update.test.ts',
      'test/resource-api/delete.test.ts',
      'test/resource-api/apply.test.ts',
      'test/resource-api/folder-rules.test.ts',
    ],
  },
  strategies: {
    mutate: ['apis/**/strategy.ts'],
    tests: [
      'test/identity/*.test.ts',
      'test/access/escalation*.test.ts',
      'test/authn/accounts.test.ts',
      'test/authn/sessions.test.ts',
      'test/signon/accounts.test.ts',
      'test/security/last-administrator.test.ts',
      'test/security/references.test.ts',
      'test/resource-api/*-rules.test.ts',
      'test/kinds/kinds.test.ts',
    ],
  },
};
