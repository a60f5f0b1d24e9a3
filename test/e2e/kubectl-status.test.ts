import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { KubectlMissing } from '../../hack/kubectl.js';
import { testPki } from '../../pkg/http/testing/harness.js';
import { writeKubeconfig } from '../../pkg/identity/certs/kubeconfig.js';
import { openMemory } from '../../storage/memory/backend.js';
import { type AuthnServer, openAuthnServer } from '../authn/harness.js';
import { ENVIRONMENT } from '../harness/server.js';
import { widget } from '../kinds/widget/kind.js';
import { type Kubectl, kubectlFor } from './kubectl-client.js';

interface Widget {
  readonly metadata: { readonly generation: number; readonly resourceVersion: string; readonly labels?: object };
  readonly spec: { readonly title: string; readonly size: number };
  readonly status?: { readonly phase: string };
}

const manifest = (name: string, more: object = {}): string =>
  JSON.stringify({
    apiVersion: 'widget.svc.app/v1beta1',
    kind: 'Widget',
    metadata: { name },
    spec: { title: 'Lever', size: 3 },
    ...more,
  });

describe('kubectl with a kind that has a status and subresources', function () {
  this.timeout(180_000);
  let folder: string;
  let server: AuthnServer;
  let kubectl: Kubectl;

  before(async function () {
    // kubectl may have to be built first.
    this.timeout(40 * 60_000);
    folder = await mkdtemp(join(tmpdir(), 'apiserver-kubectl-'));
    server = await openAuthnServer(openMemory(), { moreKinds: [widget(ENVIRONMENT)] });
    const { ca, admin } = await testPki();
    const path = join(folder, 'kubeconfig');
    await writeKubeconfig({ path, server: `https://127.0.0.1:${server.securePort}`, ca, client: admin });
    try {
      kubectl = await kubectlFor(path, folder);
    } catch (error) {
      if (!(error instanceof KubectlMissing) || process.env['CI'] === 'true') throw error;
      this.skip();
    }
  });

  after(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const status = (name: string) => kubectl.json<Widget>(['get', 'widget', name, '--subresource=status']);
  const patchStatus = (name: string, patch: object) =>
    kubectl.ok(['patch', 'widget', name, '--subresource=status', '--type=merge', '-p', JSON.stringify(patch)]);

  it('create drops the status', async () => {
    await kubectl.ok(['create', '-f', '-'], { input: manifest('one', { status: { phase: 'Ready' } }) });
    expect(await status('one')).to.not.have.property('status');
  });

  it('patch --subresource=status changes the status only', async () => {
    await kubectl.ok(['create', '-f', '-'], { input: manifest('two') });
    const patch = { status: { phase: 'Ready' }, spec: { size: 9 }, metadata: { labels: { a: '1' } } };
    expect(await patchStatus('two', patch)).to.equal('widget.widget.svc.app/two patched\n');
    const { metadata, spec, status: written } = await status('two');
    expect([metadata.generation, metadata.labels, spec.size, written]).to.deep.equal([
      1,
      undefined,
      3,
      { phase: 'Ready' },
    ]);
  });

  it('get --subresource=status prints a table of the kind', async () => {
    const lines = (await kubectl.ok(['get', 'widget', 'two', '--subresource=status'])).split('\n');
    expect(lines[0]).to.match(/^NAME\s+PHASE\s+AGE$/);
    expect(lines[1]).to.match(/^two\s+Ready\s/);
  });

  it('replace --subresource=status writes the status, and refuses a stale one', async () => {
    const old = await kubectl.json<Widget>(['get', 'widget', 'two']);
    const input = JSON.stringify({ ...old, spec: { title: 'Other', size: 1 }, status: { phase: 'Broken' } });
    await kubectl.ok(['replace', '--subresource=status', '-f', '-'], { input });
    const { spec, status: written } = await status('two');
    expect([spec, written]).to.deep.equal([old.spec, { phase: 'Broken' }]);
    const refused = await kubectl.fails(['replace', '--subresource=status', '-f', '-'], { input });
    expect(refused).to.contain('Error from server (Conflict)').and.contain('the object has been modified');
  });

  it('apply, patch and replace of the object keep the status', async () => {
    const input = manifest('two', { spec: { title: 'Lever', size: 5 }, status: { phase: 'Ready' } });
    await kubectl.ok(['apply', '-f', '-'], { input });
    await kubectl.ok(['patch', 'widget', 'two', '--type=merge', '-p', '{"status":{"phase":"Ready"}}']);
    await kubectl.ok(['replace', '-f', '-'], { input });
    const { metadata, spec, status: written } = await status('two');
    expect([metadata.generation, spec.size, written]).to.deep.equal([2, 5, { phase: 'Broken' }]);
  });

  it('wait returns when a patch writes the status', async () => {
    await kubectl.ok(['create', '-f', '-'], { input: manifest('three') });
    const waiting = kubectl.ok(['wait', 'widget/three', '--for=jsonpath={.status.phase}=Ready', '--timeout=30s']);
    await patchStatus('three', { status: { phase: 'Ready' } });
    expect(await waiting).to.equal('widget.widget.svc.app/three condition met\n');
  });

  it('names the invalid field of a status', async () => {
    const args = [
      'patch',
      'widget',
      'three',
      '--subresource=status',
      '--type=merge',
      '-p',
      '{"status":{"phase":"Odd"}}',
    ];
    expect(await kubectl.fails(args)).to.contain('The Widget "three" is invalid: status.phase: Invalid value');
  });

  it('explain describes the status', async () => {
    expect(await kubectl.ok(['explain', 'widget.status'])).to.match(/phase\t<string> -required-/);
    expect(await kubectl.ok(['explain', 'widget.status.phase'])).to.match(/ENUM:\s+Ready\s+Broken/);
  });

  it('reads and writes other subresources by their paths', async () => {
    const root = '/apis/widget.svc.app/v1beta1/namespaces/default/widgets/three';
    expect(JSON.parse(await kubectl.ok(['get', '--raw', `${root}/size`]))).to.deep.include({ spec: { size: 3 } });
    await kubectl.ok(['replace', '--raw', `${root}/size`, '-f', '-'], { input: '{"spec":{"size":8}}' });
    const copied = await kubectl.ok(['create', '--raw', `${root}/copies`, '-f', '-'], {
      input: '{"spec":{"name":"four"}}',
    });
    expect(JSON.parse(copied)).to.include({ kind: 'WidgetCopy' });
    expect((await kubectl.json<Widget>(['get', 'widget', 'four'])).spec.size).to.equal(8);
  });

  it('auth can-i reports the permission on a subresource', async () => {
    const mayI = (...args: readonly string[]) => kubectl.run(['auth', 'can-i', ...args]);
    expect((await mayI('update', 'widgets', '--subresource=status')).stdout).to.equal('yes\n');
    const viewer = ['--as=system:anonymous'];
    expect((await mayI('update', 'widgets', '--subresource=status', ...viewer)).stdout).to.match(/^no/);
  });

  it('get --subresource=status reads a namespace', async () => {
    const text = await kubectl.ok(['get', 'namespace', 'default', '--subresource=status']);
    expect(text).to.match(/^default\s+Active\s/m);
  });
});
