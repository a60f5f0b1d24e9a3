import { goProgramOrSkip, removeGoProgram } from '../../hack/go-programs.js';
import type { Server } from '../harness/server.js';
import { openServer } from '../harness/server.js';
import { onOneStore } from '../harness/stores.js';
import { expectPassed, type Results, runSuite, type SuiteRun } from './suite-run.js';
import { openStoreDoor } from './suite-store.js';

/** The tests do not create the namespaces that they use. */
const NAMESPACES = ['marker', 'probe', 'whitespace-cabundle', ...inGroups()];

function inGroups(): readonly string[] {
  const checks = { 'noop-converter': 3, 'nontrivial-converter': 7, 'metadata-mutating': 1, 'metadata-uid-mutating': 1 };
  const failing = { 'empty-response': 1, 'failure-message': 1, unhandled: 1 };
  return Object.entries({ ...checks, ...failing }).flatMap(([group, count]) =>
    ['v1', 'v1beta1'].flatMap((version) =>
      Array.from({ length: count }, (_, i) => `webhook-conversion-${group}-${version}-check-${i}`),
    ),
  );
}

const LISTS = ['v1', 'v1beta1'].map((version) => `webhook-conversion-nontrivial-converter-${version}-check-4-list`);

/** What this server does otherwise on purpose (docs/wire-contract.md, section 5.1). */
const DIFFERENT = {
  // A name that exists is refused before the webhook is asked, and what it does not convert can be deleted.
  unasked: 'TestWebhookConverter.*/(empty-response|failure-message|unhandled)-v.*/check-0/(create|delete.*)',
  // What is stored is pruned when it is written, so that reads are fast. The test writes unknown fields into the store
  // itself.
  pruning: 'TestWebhookConverter.*/nontrivial-converter-v.*/check-5',
  // The defaults of the stored version are stored, too, also if the object was written in another version.
  defaults: 'TestWebhookConverter.*/nontrivial-converter-v.*/check-6',
  // The server has always a cache for watches, so that this is the same test again.
  cache: 'TestWebhookConverterWithoutWatchCache',
} as const;

/** Tests of the other suite that look into the store. */
const STORED = ['TestCustomResourceDefaultingOfMetaFields'];

onOneStore(
  'Kubernetes’ suites for custom resources, with access to the store',
  (backend) => openServer(backend, { webhookNetworks: ['127.0.0.0/8'] }),
  (server) => {
    // Promise: contract 5.1
    it('pass for conversion by webhooks, but for what is different on purpose', async function conversion() {
      this.timeout(20 * 60_000);
      const without = Object.values(DIFFERENT);
      const run = { folder: 'test/integration/conversion', without };
      expectPassed(await results(this, 'suite-conversion', server(), run), 3);
    });

    it('pass for what is stored after defaults', async function defaults() {
      this.timeout(20 * 60_000);
      expectPassed(
        await results(this, 'suite', server(), { folder: 'test/integration', only: STORED, without: [] }),
        1,
      );
    });
  },
);

async function results(
  test: Mocha.Context,
  name: 'suite' | 'suite-conversion',
  server: Server,
  run: Omit<SuiteRun, 'env'>,
): Promise<Results> {
  const program = await goProgramOrSkip(test, name);
  const door = await openStoreDoor(server);
  try {
    const { port, headers } = server.address();
    const env = {
      SERVER: `http://127.0.0.1:${port}`,
      AUTHORIZATION: headers['authorization'] ?? '',
      STORE: door.url,
      NAMESPACES: [...NAMESPACES, ...LISTS].join(' '),
    };
    return await runSuite(program, { ...run, env });
  } finally {
    door.close();
    await removeGoProgram(program);
  }
}
