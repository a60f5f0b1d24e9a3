import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer, type TestServer } from '../../test/e2e/harness.js';
import type { Kubectl } from '../../test/e2e/kubectl-client.js';
import { type ReplicaSet, startReplicaSet } from '../mongod.js';
import { drawPort } from '../ports.js';
import { makeAccount } from './account.js';
import { buildControllers, type Controllers } from './build.js';
import { type Controller, startController } from './controller.js';
import { serveGit } from './git-http.js';
import { KUSTOMIZE_ACTIONS, SOURCE_ACTIONS } from './permissions.js';
import { makeRepository } from './repository.js';
import { tellStory } from './story.js';

const { values } = parseArgs({ options: { store: { type: 'string', default: 'embedded' } } });

/**
 * `npx tsx hack/controllers/demo.ts [--store embedded|mongodb]`: source-controller and kustomize-controller of Flux
 * keep a Git repository in a server, without a cluster. Exits with 1 if something does not happen.
 */
async function demo(): Promise<void> {
  say('Building the controllers (the first time takes minutes)');
  const controllers = await buildControllers();
  const folder = await mkdtemp(join(tmpdir(), 'flux-demo-'));
  const git = await serveGit(join(folder, 'git'));
  const repository = await makeRepository(join(folder, 'git', 'boards'));
  const database = values.store === 'mongodb' ? await startReplicaSet({ members: 1 }) : undefined;
  const server = await startServer({ settings: database === undefined ? {} : settingsFor(database) });
  const running: Controller[] = [];
  try {
    const kubectl = await server.kubectl();
    await install(kubectl, controllers);
    running.push(...(await startControllers(kubectl, controllers, folder)));
    await tellStory({ kubectl, repository, url: `${git.url}/boards`, say });
    for (const { errors } of running) for (const line of errors()) say(`A controller said: ${line}`);
  } catch (error) {
    for (const { program } of running) process.stderr.write(`${program.stdout()}${program.stderr()}\n`.slice(-6000));
    throw error;
  } finally {
    await end(running, server, git.close);
    await database?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function settingsFor({ uri }: ReplicaSet): Readonly<Record<string, string>> {
  return { 'storage.backend': 'mongodb', 'storage.mongodb_uri': uri };
}

async function install(kubectl: Kubectl, { definitions }: Controllers): Promise<void> {
  say('Installing the definitions of Flux');
  for (const path of definitions) await kubectl.ok(['apply', '--server-side', '-f', path]);
  await kubectl.ok(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s']);
}

async function startControllers(kubectl: Kubectl, built: Controllers, folder: string): Promise<readonly Controller[]> {
  say('Starting the controllers, each with the token of a service account of its own');
  const [forSource, forKustomize] = [join(folder, 'source.kubeconfig'), join(folder, 'kustomize.kubeconfig')];
  await makeAccount(kubectl, 'source-controller', SOURCE_ACTIONS, forSource);
  await makeAccount(kubectl, 'kustomize-controller', KUSTOMIZE_ACTIONS, forKustomize);
  const artifacts = `127.0.0.1:${drawPort()}`;
  return [
    await startController(built.source, {
      kubeconfig: forSource,
      folder: join(folder, 'source'),
      args: [
        `--storage-path=${join(folder, 'source')}`,
        `--storage-addr=${artifacts}`,
        `--storage-adv-addr=${artifacts}`,
      ],
    }),
    await startController(built.kustomize, { kubeconfig: forKustomize, folder: join(folder, 'kustomize') }),
  ];
}

async function end(running: readonly Controller[], server: TestServer, closeGit: () => void): Promise<void> {
  for (const { program } of running) await program.stop();
  closeGit();
  await server.stop();
}

function say(text: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 23)} ${text}\n`);
}

await demo();
