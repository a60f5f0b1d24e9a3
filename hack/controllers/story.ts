import type { Kubectl } from '../../test/e2e/kubectl-client.js';
import { eventually } from '../../test/e2e/process.js';
import { dashboard, definition, folder, type Repository, slo } from './repository.js';

export interface Stage {
  readonly kubectl: Kubectl;
  readonly repository: Repository;
  /** Where the controllers find the repository. */
  readonly url: string;
  say(text: string): void;
}

interface Listed {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly title: string };
  }[];
}

/** What the repository has must be in the server, after each commit. */
export async function tellStory(stage: Stage): Promise<void> {
  const { kubectl, repository, url, say } = stage;
  const first = await repository.commit('Two folders and a dashboard', {
    'boards/dashboard.yaml': dashboard('latency', 'Latency', 'network'),
    'boards/network.yaml': folder('network', 'Network', 'operations'),
    'boards/operations.yaml': folder('operations', 'Operations'),
  });
  say(`Creating a GitRepository and a Kustomization of commit ${first.slice(0, 8)}`);
  await kubectl.ok(['create', '-f', '-'], { input: JSON.stringify(sync(url)) });
  await applied(stage, first);
  await expectTitles(stage, ['Latency', 'Network', 'Operations']);

  const second = await repository.commit('Another title, and a new dashboard', {
    'boards/network.yaml': folder('network', 'Network and edge', 'operations'),
    'boards/errors.yaml': dashboard('errors', 'Errors', 'operations'),
  });
  say(`Commit ${second.slice(0, 8)} changes a title and adds a dashboard`);
  await applied(stage, second);
  await expectTitles(stage, ['Errors', 'Latency', 'Network and edge', 'Operations']);

  const third = await repository.commit('Without the network', {
    'boards/network.yaml': null,
    'boards/dashboard.yaml': null,
  });
  say(`Commit ${third.slice(0, 8)} removes a folder and its dashboard`);
  await applied(stage, third);
  await expectTitles(stage, ['Errors', 'Operations']);

  say('Somebody changes a title by hand, and the controller takes it back');
  const drift = '{"spec":{"title":"Drifted"}}';
  await kubectl.ok(['patch', 'folder', 'operations', '--type=merge', '-p', drift]);
  const now = `reconcile.fluxcd.io/requestedAt=${Date.now()}`;
  await kubectl.ok(['annotate', '--overwrite', 'kustomization.kustomize.toolkit.fluxcd.io/boards', now]);
  await expectTitles(stage, ['Errors', 'Operations']);
  say(await kubectl.ok(['get', 'gitrepositories,kustomizations']));
  await ownKind(stage);

  say('The Kustomization is deleted, and its finalizer removes what it has applied');
  await kubectl.ok(['delete', 'kustomizations/boards', 'gitrepositories/boards', '--timeout=60s']);
  await expectTitles(stage, []);
  say(await kubectl.ok(['get', 'events', '--sort-by=.metadata.creationTimestamp']));
  say(await kubectl.ok(['get', 'leases']));
}

/** A repository may bring a kind together with its objects. */
async function ownKind(stage: Stage): Promise<void> {
  const { repository, kubectl, say } = stage;
  const path = 'boards/kind.yaml';
  const commit = await repository.commit('A kind of our own', {
    'boards/availability.yaml': slo('availability', 'Availability', 'operations'),
    [path]: definition(),
  });
  say(`Commit ${commit.slice(0, 8)} adds the definition of a kind, and an object of it in a folder`);
  await applied(stage, commit);
  await expectTitles(stage, ['Availability'], 'slos');
  const without = await repository.commit('Without the kind', { 'boards/availability.yaml': null, [path]: null });
  say(`Commit ${without.slice(0, 8)} removes both`);
  await applied(stage, without);
  const left = await kubectl.ok(['get', 'crd', 'slos.boards.example.com', '--ignore-not-found']);
  if (left !== '') throw new Error(`The definition should be gone: ${left}`);
}

/** The objects that tell Flux what to do. It looks for new commits every two seconds. */
function sync(url: string): object {
  const source = { kind: 'GitRepository', name: 'boards' };
  const metadata = { name: 'boards', namespace: 'default' };
  return {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      {
        apiVersion: 'source.toolkit.fluxcd.io/v1',
        kind: 'GitRepository',
        metadata,
        spec: { url, interval: '2s', ref: { branch: 'main' } },
      },
      {
        apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
        kind: 'Kustomization',
        metadata,
        spec: {
          sourceRef: source,
          path: './boards',
          prune: true,
          wait: true,
          interval: '10m',
          targetNamespace: 'default',
        },
      },
    ],
  };
}

/** Waits as kubectl does for any object with conditions and paths. */
async function applied({ kubectl, say }: Stage, commit: string): Promise<void> {
  const wait = ['wait', 'kustomizations/boards', '--timeout=90s'];
  await kubectl.ok([...wait, `--for=jsonpath={.status.lastAppliedRevision}=main@sha1:${commit}`]);
  await kubectl.ok([...wait, '--for=condition=Ready']);
  say('  The Kustomization is ready');
}

async function expectTitles(
  { kubectl, say }: Stage,
  titles: readonly string[],
  kinds = 'folders,dashboards',
): Promise<void> {
  const wanted = titles.join(', ');
  let found = '';
  await eventually(
    async () => {
      const { items } = await kubectl.json<Listed>(['get', kinds]);
      found = items
        .map(({ spec }) => spec.title)
        .sort()
        .join(', ');
      return found === wanted ? true : undefined;
    },
    () => `The server should have "${wanted}", but has "${found}"`,
  );
  say(`  The server has: ${wanted === '' ? 'nothing' : wanted}`);
}
