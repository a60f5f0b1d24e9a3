import { expect } from 'chai';
import { examplePath, readExample } from '../harness.js';
import { cells, type Folder, manifest, read, type Setup } from './setup.js';

export function applying(setup: Setup): void {
  describe('applies', () => {
    const lines = (text: string): readonly string[] => text.trimEnd().split('\n');
    const names = ['operations', 'operations-network', 'operations-network-edge', 'business'];
    const each = (outcome: string): readonly string[] =>
      names.map((name) => `folder.folder.svc.app/${name} ${outcome}`);

    // Promise: contract 1.4
    it('apply creates objects, leaves equal ones unchanged, and updates others', async () => {
      const file = examplePath('folders.yaml');
      expect(lines(await setup.kubectl.ok(['apply', '-f', file]))).to.deep.equal(each('created'));
      const { resourceVersion } = (await read(setup, 'operations')).metadata;
      expect(lines(await setup.kubectl.ok(['apply', '-f', file]))).to.deep.equal(each('unchanged'));
      expect((await read(setup, 'operations')).metadata.resourceVersion).to.equal(resourceVersion);
      const input = (await readExample('folders.yaml')).replace('title: Business', 'title: Business matters');
      expect(lines(await setup.kubectl.ok(['apply', '-f', '-'], { input }))).to.deep.equal([
        ...each('unchanged').slice(0, 3),
        'folder.folder.svc.app/business configured',
      ]);
      expect((await read(setup, 'business')).spec.title).to.equal('Business matters');
    });

    it('get shows the tree that was applied', async () => {
      const rows = cells(await setup.kubectl.ok(['get', 'folders', '-l', 'team=operations', '--no-headers']));
      expect(rows.map((row) => row.slice(0, -1))).to.have.deep.members([
        ['operations', 'Operations'],
        ['operations-network', 'Network', 'operations'],
        ['operations-network-edge', 'Edge routers', 'operations-network'],
      ]);
    });

    it('apply removes fields that the manifest no longer has, and keeps fields of others', async () => {
      const apply = (spec: Record<string, unknown>): Promise<string> =>
        setup.kubectl.ok(['apply', '-f', '-'], { input: manifest('ap1', { spec }) });
      await apply({ description: 'For now' });
      await setup.kubectl.ok(['label', 'folder', 'ap1', 'other=kept']);
      await apply({});
      const folder = await read(setup, 'ap1');
      expect(folder.spec).to.deep.equal({ title: 'ap1' });
      expect(folder.metadata.labels).to.include({ other: 'kept' });
    });

    // Promise: contract 5.3
    it('diff shows what apply would change, and changes nothing', async () => {
      await setup.kubectl.ok(['apply', '-f', '-'], { input: manifest('ap2', { title: 'Before' }) });
      const same = await setup.kubectl.run(['diff', '-f', '-'], { input: manifest('ap2', { title: 'Before' }) });
      expect(same).to.deep.include({ code: 0, stdout: '' });
      const changed = await setup.kubectl.run(['diff', '-f', '-'], { input: manifest('ap2', { title: 'After' }) });
      expect(changed.code).to.equal(1);
      expect(changed.stdout)
        .to.match(/^- {2}title: Before$/m)
        .and.match(/^\+ {2}title: After$/m);
      const added = await setup.kubectl.run(['diff', '-f', '-'], { input: manifest('ap3') });
      expect(added.code).to.equal(1);
      expect(added.stdout).to.match(/^\+ {2}title: ap3$/m);
      expect((await read(setup, 'ap2')).spec.title).to.equal('Before');
      expect(await setup.kubectl.fails(['get', 'folder', 'ap3'])).to.contain('NotFound');
    });

    // Promise: contract 5.3
    it('apply changes finalizers and owners of a kind that is compiled in, and keeps those of others', async () => {
      const { kubectl } = setup;
      await kubectl.ok(['create', 'configmap', 'owner']);
      const { uid } = (await kubectl.json<Folder>(['get', 'configmap', 'owner'])).metadata;
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid };
      const apply = async (...finalizers: readonly string[]): Promise<object> => {
        const metadata = { name: 'held', finalizers, ownerReferences: finalizers.length > 1 ? [owner] : [] };
        const input = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
        await kubectl.ok(['apply', '-f', '-'], { input });
        const held = (await kubectl.json<Folder>(['get', 'configmap', 'held'])).metadata;
        return { finalizers: held.finalizers, owners: held.ownerReferences };
      };
      const [one, two, other] = ['example.org/one', 'example.org/two', 'example.org/other'];
      expect(await apply(one)).to.deep.equal({ finalizers: [one], owners: undefined });
      await kubectl.ok(['patch', 'configmap', 'held', '-p', JSON.stringify({ metadata: { finalizers: [other] } })]);
      expect(await apply(one, two)).to.deep.equal({ finalizers: [other, one, two], owners: [owner] });
      expect(await apply(two)).to.deep.equal({ finalizers: [other, two], owners: undefined });
      await kubectl.ok(['patch', 'configmap', 'held', '-p', '{"metadata":{"finalizers":null}}']);
      await kubectl.ok(['delete', 'configmap', 'held', 'owner']);
    });

    // Promise: contract 5.6
    it('diff and --dry-run=server of a new tree show all of it, with a warning for what is not there yet', async () => {
      // Without the first line, older versions read the whole text as JSON.
      const input = `---\n${manifest('tree-top')}\n---\n${manifest('tree-leaf', { parent: 'tree-top' })}`;
      const { code, stdout, stderr } = await setup.kubectl.run(['diff', '-f', '-'], { input });
      expect(code, stderr).to.equal(1);
      expect(stdout).to.contain('+  name: tree-top').and.contain('+  name: tree-leaf');
      const dry = await setup.kubectl.run(['apply', '--dry-run=server', '-f', '-'], { input });
      expect(dry.code, dry.stderr).to.equal(0);
      expect(dry.stderr).to.contain('Warning: ').and.contain('there is no "tree-top" in folders.folder.svc.app');
      expect(await setup.kubectl.fails(['get', 'folder', 'tree-top'])).to.contain('NotFound');
    });

    for (const flags of [[], ['--server-side']]) {
      it(`${['apply', ...flags].join(' ')} takes a tree in the worst order in one run, and wait tells when it is complete`, async () => {
        const input = worstTree(`worst${flags.length}`);
        const applied = await setup.kubectl.run(['apply', ...flags, '-f', '-'], { input });
        expect(applied.code, applied.stderr).to.equal(0);
        expect(applied.stderr).to.contain('has no effect until you create what it names, or name something else');
        const waited = [`dashboard/worst${flags.length}`, `folder/worst${flags.length}-child`];
        const args = ['wait', '--for=condition=Ready', '--timeout=10s'];
        expect(await setup.kubectl.ok([...args, ...waited])).to.contain('condition met');
        expect((await setup.kubectl.run(['diff', ...flags, '-f', '-'], { input })).code, 'no difference').to.equal(0);
        await setup.kubectl.ok(['delete', '-f', '-'], { input });
      });
    }

    it('apply refuses unknown fields, a parent that can never exist and a move below itself', async () => {
      const apply = (input: string): Promise<string> => setup.kubectl.fails(['apply', '-f', '-'], { input });
      expect(await apply(manifest('ap4', { spec: { colour: 'red' } }))).to.contain('unknown field "spec.colour"');
      expect(await apply(manifest('ap4', { parent: 'no.where' }))).to.contain('no.where');
      expect(
        await apply(manifest('operations', { title: 'Operations', parent: 'operations-network-edge' })),
      ).to.not.equal('');
      expect((await read(setup, 'operations')).metadata.annotations).to.not.have.property('svc.app/folder');
    });

    it('delete -f deletes the applied objects', async () => {
      await setup.kubectl.ok(['delete', '--ignore-not-found', '-f', examplePath('folders.yaml')]);
      for (const name of names) expect(await setup.kubectl.fails(['get', 'folder', name])).to.contain('NotFound');
    });
  });
}

/** A dashboard, its folder, a binding of a user on the folder above, and at last the folder above and the user. */
function worstTree(name: string): string {
  const object = (kind: string, group: string, own: string, spec: object, folder?: string): string =>
    JSON.stringify({
      apiVersion: `${group}.svc.app/v1beta1`,
      kind,
      metadata: { name: own, ...(folder !== undefined && { annotations: { 'svc.app/folder': folder } }) },
      spec,
    });
  const [child, parent] = [`${name}-child`, `${name}-parent`];
  const subject = { kind: 'User', name };
  const objects = [
    object('Dashboard', 'dashboard', name, { title: name }, child),
    object('Folder', 'folder', child, { title: 'Child' }, parent),
    object('RoleBinding', 'iam', name, {
      subject,
      roleRef: { kind: 'BuiltIn', name: 'Edit' },
      scope: { folder: parent },
    }),
    object('TeamBinding', 'iam', name, { teamRef: { name }, userRef: { name } }),
    object('OrganizationBinding', 'iam', name, { userRef: { name }, role: 'Viewer' }),
    object('Team', 'iam', name, { title: name }),
    object('Folder', 'folder', parent, { title: 'Parent' }),
    object('User', 'iam', name, { login: name, email: `${name}@example.com` }),
  ];
  // Without the first line, older versions take all of it for JSON.
  return objects.map((one) => `---\n${one}\n`).join('');
}
