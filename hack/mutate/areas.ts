/** Files that are mutated together, and the tests that must notice. */
export interface Area {
  readonly mutate: readonly string[];
  /** Quick tests that state what the files promise. Stryker knows `*`, but not `{a,b}`. */
  readonly tests: readonly string[];
  /** Texts in the names of tests that are too slow to run for each mutant. */
  readonly without?: readonly string[];
  /** The store that they run on, if not the one in memory. */
  readonly store?: string;
}

const rules = (folder: string): Area => ({ mutate: [`${folder}/*.ts`], tests: [`${folder}/*.test.ts`] });

/** Tests that write much, or for long. Quicker tests try the same, but less thoroughly. */
const SLOW_IN_STORAGE = [
  'naive model',
  'under load',
  'MiB',
  '10,000',
  'larger than a batch',
  'at most 1000',
  'while several clients write',
  'random operations',
];

/** The core, by area, and the adapters of databases, whose tests need a real store. */
export const AREAS: Readonly<Record<string, Area>> = {
  selectors: rules('pkg/kube/selectors'),
  patch: rules('pkg/kube/patch'),
  fieldmanager: {
    mutate: ['pkg/kube/fieldmanager/*.ts'],
    tests: ['pkg/kube/fieldmanager/*.test.ts', 'test/fieldmanager/recorded.test.ts'],
    without: ['fieldmanager: an apply'],
  },
  storage: { ...rules('storage'), without: SLOW_IN_STORAGE },
  state: { ...rules('storage/state'), without: SLOW_IN_STORAGE },
  engine: { ...rules('storage/engine'), without: SLOW_IN_STORAGE },
  log: { ...rules('storage/log'), without: SLOW_IN_STORAGE },
  backup: rules('storage/backup'),
  memory: { ...rules('storage/memory'), without: SLOW_IN_STORAGE },
  cacher: rules('storage/cacher'),
  prepare: {
    mutate: ['prepare', 'integrity', 'metadata', 'status'].map((name) => `registry/write/${name}.ts`),
    tests: ['registry/write/*.test.ts'],
  },
  write: {
    mutate: ['registry/write/*.ts'],
    tests: [
      'registry/write/*.test.ts',
      'test/resource-api/update.test.ts',
      'test/resource-api/delete.test.ts',
      'test/resource-api/folder-rules.test.ts',
      'test/resource-api/apply.test.ts',
      'test/resource-api/managed-fields.test.ts',
      'test/access/folders.test.ts',
      'test/security/holds.test.ts',
      'test/security/references.test.ts',
    ],
  },
  authorization: rules('registry/authorization'),
  lmdb: {
    ...rules('storage/lmdb'),
    without: SLOW_IN_STORAGE,
    store: 'lmdb',
  },
  mongodb: {
    mutate: ['storage/mongodb/*.ts', 'storage/mongodb/*/*.ts'],
    tests: ['storage/mongodb/*.test.ts', 'storage/mongodb/*/*.test.ts'],
    without: [...SLOW_IN_STORAGE, 'slow reader', 'beside writers', 'several readers', 'competition'],
    store: 'mongodb',
  },
  remote: { ...rules('storage/remote'), without: SLOW_IN_STORAGE },
  // Most of the registry has no tests without a server, so this is for a share of its mutants.
  registry: {
    mutate: ['registry/**/*.ts'],
    tests: [
      'registry/**/*.test.ts',
      'test/resource-api/apply*.test.ts',
      'test/resource-api/core.test.ts',
      'test/resource-api/delete.test.ts',
      'test/resource-api/folder-rules.test.ts',
      'test/resource-api/list.test.ts',
      'test/resource-api/managed-fields.test.ts',
      'test/resource-api/transact.test.ts',
      'test/resource-api/update.test.ts',
      'test/resource-api/watch*.test.ts',
      'test/kinds/note.test.ts',
      'test/history/versions.test.ts',
      'test/history/trash.test.ts',
      'test/garbage/policies.test.ts',
      'test/access/folders.test.ts',
      'test/legacy-api/failures.test.ts',
      'test/legacy-api/search.test.ts',
      'test/legacy-api/team*.test.ts',
      'test/legacy-api/openapi.test.ts',
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
    ],
  },
};
