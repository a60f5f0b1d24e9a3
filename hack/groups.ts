/** Folders of `test` that are run together. */
const RANDOM = 'crash,fuzz';
const REFERENCES = 'cel,differential,examples,fieldmanager,gitops,protobuf,strategicpatch,structural,tools,upgrade';
const PROGRAMS = 'deploy,docs,faults,garbage,signon';
/** With a second server, or somebody else's provider. */
const PARTNERS = 'bridge,mirror,saml,scim';
/** Folders of `storage` whose tests start databases and processes. */
const DATABASES = 'mongodb,remote';
/** Suites of the APIs. */
const LEGACY = 'authn,legacy-api,permissions';
const RESOURCES = 'access,history,resource-api';
/** Tests of e2e that wait for programs in Go. */
const GO = 'go,kubectl-newest';
/** The files of console and of e2e that show whether browsers and recorded clients work at all. */
const CONSOLE = 'account,folder-changes,robust-pages,serving';
const CLIENTS = 'legacy,ports,wire';
/** The part of the simulation that needs no database. */
const SIMULATED = 'memory';
const NAMED = [
  'console,custom,e2e,kinds,servers,simulation',
  RANDOM,
  REFERENCES,
  PROGRAMS,
  PARTNERS,
  LEGACY,
  RESOURCES,
].join(',');
const OTHERS = `!(${NAMED.replaceAll(',', '|')})`;

/**
 * What `npm test` runs, because somebody waits for it: what finds most mistakes in a minute. Each process runs the test
 * files of one group. The groups that take longest begin first, so that all processes end at about the same time. A new
 * folder is in the last group.
 */
export const FAST: readonly string[] = [
  '{cmd,pkg,apis,registry}/**',
  `storage/{*.test.ts,!(${DATABASES.replaceAll(',', '|')})/**}`,
  `test/{${LEGACY}}/**`,
  `test/{{${RESOURCES}}/**,kinds/!(note*|one-folder).test.ts}`,
  `test/{console/{${CONSOLE}},e2e/{${CLIENTS}},simulation/${SIMULATED}}.test.ts`,
  `test/${OTHERS}/**`,
];

/**
 * What only --deep runs: browsers, programs of others, crashes, faults, several servers, and most random cases. The
 * group that takes most of the processors begins first, because nothing runs beside the last one.
 */
export const REST: readonly string[] = [
  `test/console/!(${CONSOLE.replaceAll(',', '|')}|[a-k]*).test.ts`,
  `test/{e2e/{${GO}}.test.ts,servers/**}`,
  `test/{${PARTNERS}}/**`,
  `test/{${PROGRAMS},custom}/**`,
  `{storage/{${DATABASES}}/**,test/kinds/note*.test.ts}`,
  `test/console/!(${CONSOLE.replaceAll(',', '|')}|[l-z]*).test.ts`,
  `test/{${REFERENCES}}/**`,
  `test/e2e/!(${[CLIENTS, GO].join(',').replaceAll(',', '|')}).test.ts`,
  `test/{{${RANDOM}}/**,simulation/!(${SIMULATED}).test.ts,kinds/one-folder.test.ts}`,
];
