import { expect } from 'chai';
import { FOLDERS_PATH, type Setup } from './setup.js';

interface Namespace {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec: object;
}

const ORGANIZATION = 'iam.svc.app/v1beta1';

/** kubectl has Namespace compiled in, and handles it in its own ways. */
export function namespaces(setup: Setup): void {
  describe('namespaces', () => {
    const ok = (...args: readonly string[]): Promise<string> => setup.kubectl.ok(args);
    const manifest = (name: string, labels: object = {}): string =>
      JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
    const organization = (name: string, title: string, labels: object = {}): string =>
      JSON.stringify({ apiVersion: ORGANIZATION, kind: 'Organization', metadata: { name, labels }, spec: { title } });
    const apply = (input: string, ...args: readonly string[]): Promise<string> =>
      setup.kubectl.ok(['apply', ...args, '-f', '-'], { input });
    const organizationOf = (name: string): Promise<Namespace> => setup.kubectl.json(['get', 'organization', name]);

    // Promise: contract 8
    it('create makes an organization, delete waits until it is gone, and neither does anything in a dry run', async () => {
      expect(await ok('create', 'namespace', 'made', '--dry-run=server')).to.contain('made created (server dry run)');
      expect(await ok('create', 'namespace', 'made')).to.equal('namespace/made created\n');
      expect((await organizationOf('made')).spec).to.deep.equal({ title: 'made' });
      expect(await ok('get', 'ns', 'made', '--no-headers')).to.match(/^made\s+Active\s+\d+s\n$/);
      expect(await ok('describe', 'ns', 'made'))
        .to.match(/^Name:\s+made$/m)
        .and.match(/^Status:\s+Active$/m);
      const { stderr } = await setup.kubectl.run(['create', 'namespace', 'made']);
      expect(stderr).to.contain('namespaces "made" already exists');
      expect(await ok('delete', 'ns', 'made', '--dry-run=server')).to.contain('deleted (server dry run)');
      expect(await ok('delete', 'ns', 'made', '--cascade=foreground')).to.contain('namespace "made" deleted');
      expect((await setup.kubectl.run(['get', 'organization', 'made'])).code).to.equal(1);
    });

    // Promise: contract 8
    it('apply, diff, edit, label, annotate and patch change it, and keep the title of the organization', async () => {
      await setup.kubectl.ok(['create', '-f', '-'], { input: organization('adopted', 'Adopted') });
      expect(await apply(manifest('adopted', { a: '1' }))).to.contain('namespace/adopted configured');
      expect(await apply(manifest('adopted', { a: '1' }))).to.equal('namespace/adopted unchanged\n');
      const same = await setup.kubectl.run(['diff', '-f', '-'], { input: manifest('adopted', { a: '1' }) });
      expect([same.code, same.stdout]).to.deep.equal([0, '']);
      const other = await setup.kubectl.run(['diff', '-f', '-'], { input: manifest('adopted', { a: '2' }) });
      expect(other.code, other.stderr).to.equal(1);
      const env = { KUBE_EDITOR: 'sed -i "s/a: \\"1\\"/a: \\"3\\"/"' };
      await setup.kubectl.ok(['edit', 'ns', 'adopted'], { env });
      await ok('label', 'ns', 'adopted', 'b=2');
      await ok('annotate', 'ns', 'adopted', 'c=3');
      await ok('patch', 'ns', 'adopted', '-p', '{"metadata":{"labels":{"d":"4"}}}');
      await ok('patch', 'ns', 'adopted', '--type=json', '-p', '[{"op":"add","path":"/metadata/labels/e","value":"5"}]');
      const { spec, metadata } = await organizationOf('adopted');
      expect(spec).to.deep.equal({ title: 'Adopted' });
      expect(metadata.labels).to.include({ a: '3', b: '2', d: '4', e: '5' });
    });

    // Promise: contract 8
    it('is applied in turns with its organization, by the client and by the server', async () => {
      for (const how of [[], ['--server-side'], [], ['--server-side']]) {
        await apply(manifest('turns', { a: 'ns' }), ...how);
        await apply(organization('turns', 'Turns', { a: 'org' }), ...how);
        await apply(manifest('turns', { a: 'ns' }), ...how);
        const { spec, metadata } = await organizationOf('turns');
        expect(spec).to.deep.equal({ title: 'Turns' });
        expect(metadata.labels).to.include({ a: 'ns' }).and.not.have.property('kubernetes.io/metadata.name');
      }
      const diff = await setup.kubectl.run(['diff', '--server-side', '-f', '-'], {
        input: manifest('turns', { a: 'ns' }),
      });
      expect([diff.code, diff.stdout], diff.stderr).to.deep.equal([0, '']);
    });

    it('is made before what lies in it by a list, and takes that with it', async () => {
      const [namespace, folder] = [manifest('whole'), { name: 'inside', namespace: 'whole' }];
      const items = [
        JSON.parse(namespace),
        { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', metadata: folder, spec: { title: 'Inside' } },
      ];
      const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
      expect(await apply(input)).to.equal('namespace/whole created\nfolder.folder.svc.app/inside created\n');
      await ok('delete', 'organization', 'whole', '--wait=false');
      await ok('wait', '--for=delete', 'ns/whole', '--timeout=30s');
      expect(await ok('get', '--raw', FOLDERS_PATH.replace('default', 'whole'))).to.contain('"items":[]');
    });

    it('is refused like in Kubernetes if it is the first one', async () => {
      const { code, stderr } = await setup.kubectl.run(['delete', 'ns', 'default']);
      expect([code, stderr.split(': ').slice(0, 2)]).to.deep.equal([
        1,
        ['Error from server (Forbidden)', 'namespaces "default" is forbidden'],
      ]);
    });
  });
}
