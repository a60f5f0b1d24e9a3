import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { loopOf, MONITORED } from './loop-monitor.js';
import { build, startBuilt } from './server.js';

/** How long a definition with many fields keeps the event loop: npx tsx hack/bench/large-definition.ts [checkout] [fields] [characters of each description]. */
const [root = process.cwd(), fields = '10000', characters = '250'] = process.argv.slice(2);

function definition(prefix: string): unknown {
  const description = 'x'.repeat(Number(characters));
  const names = Array.from({ length: Number(fields) }, (_, i) => `${prefix}${i}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', description }]));
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'larges.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'larges', kind: 'Large' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

const PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

await build(root);
const server = await startBuilt({ root, execArgv: MONITORED });
try {
  const ca = await readFile(server.caFile);
  const send = (method: string, path: string, body?: unknown): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
      const sent = request(new URL(path, server.https), { method, ca, headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  const report = async (what: string, status: number): Promise<void> => {
    const { longest, gap, cpu } = await loopOf(server);
    console.log(
      `${what}: ${status}, longest step ${longest.toFixed(1)} ms CPU, ${gap.toFixed(1)} ms; ${cpu.toFixed(0)} ms CPU`,
    );
  };
  await loopOf(server);
  await report('POST', await send('POST', PATH, definition('a')));
  await report('PUT', await send('PUT', `${PATH}/larges.example.com`, definition('a')));
  await report('PUT of other fields', await send('PUT', `${PATH}/larges.example.com`, definition('b')));
  await report('GET', await send('GET', `${PATH}/larges.example.com`));
} finally {
  await server.stop();
}
