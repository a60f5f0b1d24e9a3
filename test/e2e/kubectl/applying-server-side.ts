import { expect } from 'chai';
import { manifest, read, type Setup } from './setup.js';

interface Managed {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly managedFields?: readonly { readonly manager: string; readonly operation: string }[];
  };
  readonly spec: { readonly title: string };
}

export function applyingServerSide(setup: Setup): void {
  describe('applies on the server', () => {
    const apply = (input: string, ...args: readonly string[]): Promise<string> =>
      setup.kubectl.ok(['apply', '--server-side', '-f', '-', ...args], { input });
    const managed = (name: string): Promise<Managed> =>
      setup.kubectl.json(['get', 'folder', name, '--show-managed-fields']);
    const managersOf = async (name: string): Promise<readonly string[]> =>
      ((await managed(name)).metadata.managedFields ?? []).map(({ manager, operation }) => `${manager} ${operation}`);

    it('apply --server-side creates an object, and writes nothing if it is applied again', async () => {
      expect(await apply(manifest('ss1'))).to.equal('folder.folder.svc.app/ss1 serverside-applied\n');
      const { resourceVersion } = (await read(setup, 'ss1')).metadata;
      await apply(manifest('ss1'));
      expect((await read(setup, 'ss1')).metadata.resourceVersion).to.equal(resourceVersion);
      expect(await managersOf('ss1')).to.deep.equal(['kubectl Apply']);
    });

    // Promise: contract 5.4
    it('apply --server-side names conflicts, and --force-conflicts takes the fields over', async () => {
      await apply(manifest('ss2', { title: 'Before' }), '--field-manager=first');
      const refused = await setup.kubectl.run(['apply', '--server-side', '-f', '-'], {
        input: manifest('ss2', { title: 'After' }),
      });
      expect(refused.code).to.equal(1);
      expect(refused.stderr).to.contain('Apply failed with 1 conflict: conflict with "first": .spec.title');
      await apply(manifest('ss2', { title: 'After' }), '--force-conflicts');
      expect((await read(setup, 'ss2')).spec.title).to.equal('After');
      expect(await managersOf('ss2')).to.deep.equal(['kubectl Apply']);
    });

    // Promise: contract 5.4
    it('apply --server-side takes over what apply without it has written', async () => {
      const labels = { team: 'a', other: 'b' };
      await setup.kubectl.ok(['apply', '-f', '-'], { input: manifest('ss3', { labels }) });
      expect(await managersOf('ss3')).to.deep.equal(['kubectl-client-side-apply Update']);
      await apply(manifest('ss3', { title: 'Changed', labels: { team: 'a' } }));
      expect((await managersOf('ss3')).toSorted()).to.deep.equal(['kubectl Apply', 'kubectl-last-applied Apply']);
      const { spec, metadata } = await read(setup, 'ss3');
      expect(spec.title).to.equal('Changed');
      expect(metadata.labels).to.include({ team: 'a' });
      await setup.kubectl.ok(['apply', '-f', '-'], {
        input: manifest('ss3', { title: 'Back', labels: { team: 'a' } }),
      });
      expect((await read(setup, 'ss3')).spec.title).to.equal('Back');
    });

    // Promise: contract 5.4
    it('diff --server-side shows what apply would change, and changes nothing', async () => {
      await apply(manifest('ss4', { title: 'Before' }));
      const diff = (input: string) => setup.kubectl.run(['diff', '--server-side', '-f', '-'], { input });
      expect((await diff(manifest('ss4', { title: 'Before' }))).code).to.equal(0);
      const changed = await diff(manifest('ss4', { title: 'After' }));
      expect(changed.code, changed.stderr).to.equal(1);
      expect(changed.stdout)
        .to.match(/^- {2}title: Before$/m)
        .and.match(/^\+ {2}title: After$/m);
      expect((await read(setup, 'ss4')).spec.title).to.equal('Before');
    });
  });
}
