import { expect } from 'chai';
import type { Setup } from './setup.js';

interface Lease {
  readonly spec: { readonly holderIdentity?: string; readonly leaseDurationSeconds?: number };
}

/**
 * kubectl has Lease compiled in, so it sends strategic merge patches of leases. It does not do so for kinds of this
 * server.
 */
export function leases(setup: Setup): void {
  describe('leases', () => {
    const manifest = (name: string, spec: Lease['spec']): string =>
      JSON.stringify({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec });
    const apply = (input: string): Promise<string> => setup.kubectl.ok(['apply', '-f', '-'], { input });
    const specOf = async (name: string): Promise<Lease['spec']> =>
      (await setup.kubectl.json<Lease>(['get', 'lease', name])).spec;

    // Promise: contract 5.3
    it('apply creates a lease, changes it, and removes what the manifest no longer has', async () => {
      const first = manifest('applied', { holderIdentity: 'one', leaseDurationSeconds: 15 });
      expect(await apply(first)).to.equal('lease.coordination.k8s.io/applied created\n');
      expect(await apply(first)).to.equal('lease.coordination.k8s.io/applied unchanged\n');
      expect(await apply(manifest('applied', { holderIdentity: 'two' }))).to.contain('applied configured');
      expect(await specOf('applied')).to.deep.equal({ holderIdentity: 'two' });
    });

    it('diff shows what apply would change, and changes nothing', async () => {
      await apply(manifest('compared', { holderIdentity: 'before' }));
      const input = manifest('compared', { holderIdentity: 'after' });
      const { code, stdout, stderr } = await setup.kubectl.run(['diff', '-f', '-'], { input });
      expect(code, stderr).to.equal(1);
      expect(stdout)
        .to.match(/^- {2}holderIdentity: before$/m)
        .and.match(/^\+ {2}holderIdentity: after$/m);
      expect(await specOf('compared')).to.deep.equal({ holderIdentity: 'before' });
    });

    it('edit, patch and label change a lease', async () => {
      await setup.kubectl.ok(['create', '-f', '-'], { input: manifest('edited', { holderIdentity: 'before' }) });
      const env = { KUBE_EDITOR: 'sed -i "s/holderIdentity: before/holderIdentity: edited/"' };
      expect(await setup.kubectl.ok(['edit', 'lease', 'edited'], { env })).to.contain('edited edited');
      expect(await specOf('edited')).to.deep.equal({ holderIdentity: 'edited' });
      await setup.kubectl.ok(['patch', 'lease', 'edited', '-p', '{"spec":{"leaseDurationSeconds":9}}']);
      await setup.kubectl.ok(['label', 'lease', 'edited', 'a=b']);
      expect(await specOf('edited')).to.deep.equal({ holderIdentity: 'edited', leaseDurationSeconds: 9 });
    });
  });
}
