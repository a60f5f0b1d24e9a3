import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { examplePath, startServer, type TestServer } from '../e2e/harness.js';
import type { Kubectl } from '../e2e/kubectl-client.js';
import { eventually, type Program, ROOT, startProgram } from '../e2e/process.js';
import { ONE_SERVER_STORE, storeSettings } from '../e2e/stores.js';
import { kubeconfigOf } from './programs.js';

for (const store of ONE_SERVER_STORE) {
  describe(`the controller of the examples (${store})`, function () {
    this.timeout(120_000);
    let server: TestServer;
    let kubectl: Kubectl;
    let controller: Program | undefined;

    before(async function () {
      server = await startServer({ settings: await storeSettings(this, store) });
      kubectl = await server.kubectl();
      for (const file of ['definition.yaml', 'account.yaml'])
        await kubectl.ok(['apply', '-f', examplePath(`workspaces/${file}`)]);
      controller = await startController();
      await kubectl.ok(['apply', '-f', examplePath('workspaces/workspace.yaml')]);
      await kubectl.ok(['wait', 'workspace/research', '--for=jsonpath={.status.folder}=research', '--timeout=60s']);
    });

    after(async () => {
      await controller?.stop();
      await server?.stop();
    });

    /** As the README of the examples says. */
    const startController = async (): Promise<Program> => {
      const kubeconfig = join(server.folder, 'workspaces.kubeconfig');
      await cp(kubeconfigOf(server), kubeconfig);
      const own = await server.kubectl();
      const config = (...args: readonly string[]) => own.ok(['config', ...args, `--kubeconfig=${kubeconfig}`]);
      const token = (await own.ok(['create', 'token', 'workspaces'])).trim();
      const cluster = await config('view', '-o', 'jsonpath={.contexts[0].context.cluster}');
      await config('set-credentials', 'workspaces', `--token=${token}`);
      await config('set-context', 'workspaces', `--cluster=${cluster}`, '--user=workspaces');
      await config('use-context', 'workspaces');
      const args = ['--import=tsx/esm', examplePath('workspaces/controller.ts')];
      return startProgram(process.execPath, args, { cwd: ROOT, env: { ...process.env, KUBECONFIG: kubeconfig } });
    };
    const titleBecomes = (title: string): Promise<unknown> =>
      eventually(
        async () => ((await folder('.spec.title')) === title ? true : undefined),
        () => `the folder never had the title ${title}\n${controller?.stderr()}`,
      );
    const folder = async (path: string): Promise<string> =>
      (await kubectl.run(['get', 'folder', 'research', '-o', `jsonpath={${path}}`])).stdout;

    it('makes a private folder, and the team its administrator', async () => {
      expect(await folder('.spec.title')).to.equal('Research');
      expect(await folder('.metadata.annotations.svc\\.app/basic-roles')).to.equal('none');
      const binding = await kubectl.json(['get', 'rolebinding', 'research.workspace']);
      expect(binding['spec']).to.deep.equal({
        subject: { kind: 'Team', name: 'researchers' },
        roleRef: { kind: 'BuiltIn', name: 'Admin' },
        scope: { folder: 'research' },
      });
      expect(await kubectl.ok(['get', 'workspaces', '--no-headers'])).to.match(
        /^research +researchers +research +\S+\n$/,
      );
    });

    it('follows changes of the workspace, and puts right what was changed by hand', async () => {
      await kubectl.ok(['patch', 'ws', 'research', '--type=merge', '-p', '{"spec":{"title":"Research and more"}}']);
      await titleBecomes('Research and more');
      await kubectl.ok(['patch', 'folder', 'research', '--type=merge', '-p', '{"spec":{"title":"By hand"}}']);
      await titleBecomes('Research and more');
    });

    it('needs to do nothing at a deletion: the server deletes what belongs to the workspace', async () => {
      await kubectl.ok(['delete', 'workspace', 'research']);
      await kubectl.ok(['wait', 'folder/research', 'rolebinding/research.workspace', '--for=delete', '--timeout=60s']);
    });
  });
}
