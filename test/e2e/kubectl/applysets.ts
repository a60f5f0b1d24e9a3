import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { cells, create, manifest, namesOf, type Setup } from './setup.js';

const APPLYSETS = { env: { KUBECTL_APPLYSET: 'true' } };
const PART_OF = 'applyset.kubernetes.io/part-of';

export function applySets(setup: Setup): void {
  describe('prunes', () => {
    /** A folder with these manifests, one for each file. */
    const directory = async (name: string, files: Readonly<Record<string, string>>): Promise<string> => {
      const path = join(setup.server.folder, name);
      await mkdir(path, { recursive: true });
      for (const [file, text] of Object.entries(files)) await writeFile(join(path, file), text);
      return path;
    };
    const tree = (...names: readonly string[]): string =>
      names.map((name, i) => `---\n${manifest(name, { ...(i > 0 && { parent: names[0] ?? '' }) })}\n`).join('');
    const apply = (path: string, ...args: readonly string[]): Promise<string> =>
      setup.kubectl.ok(['apply', '--prune', '-n', 'default', '-f', path, ...args], APPLYSETS);

    for (const [resource, parent] of [
      ['secret', 'set-one'],
      ['configmap', 'configmaps/set-two'],
    ] as const) {
      // Promise: contract 8
      it(`apply --prune --applyset keeps a set with a ${resource} as its parent, and prunes a tree that left it`, async () => {
        const [stays, goes] = [`${resource}-stays`, `${resource}-goes`];
        const path = await directory(resource, { 'a.json': tree(stays), 'b.json': tree(goes, `${goes}-in`) });
        await apply(path, `--applyset=${parent}`);
        const { metadata } = await setup.kubectl.json<{ metadata: { labels: Record<string, string> } }>([
          'get',
          resource,
          parent.split('/').at(-1) ?? '',
        ]);
        const members = await namesOf(setup, '-l', `${PART_OF}=${metadata.labels['applyset.kubernetes.io/id']}`);
        expect(members).to.have.members([stays, goes, `${goes}-in`]);
        await writeFile(join(path, 'b.json'), '');
        const said = await apply(path, `--applyset=${parent}`);
        expect(said).to.contain(`${goes} pruned`).and.contain(`${goes}-in pruned`).and.contain(`${stays} unchanged`);
        expect(await namesOf(setup, '-l', PART_OF))
          .to.include(stays)
          .and.not.include(goes);
      });
    }

    // Promise: contract 8
    it('apply --prune --prune-allowlist deletes what has the label and is in no file any more', async () => {
      await create(setup, 'other', { labels: { app: 'other' } });
      const labelled = (name: string): string => manifest(name, { labels: { app: 'pruned' } });
      const path = await directory('allowlist', { 'a.json': labelled('pa'), 'b.json': labelled('pb') });
      const args = ['-l', 'app=pruned', '--prune-allowlist=folder.svc.app/v1beta1/Folder'];
      await apply(path, ...args);
      await writeFile(join(path, 'b.json'), '');
      expect(await apply(path, ...args)).to.contain('folder.folder.svc.app/pb pruned');
      expect(await namesOf(setup, '-l', 'app'))
        .to.include.members(['pa', 'other'])
        .and.not.include('pb');
    });

    // Promise: contract 8
    it('diff -k and apply -k show and apply what kustomize builds', async () => {
      const kustomization = 'resources: [tree.json]\nnamePrefix: kust-\nlabels: [{pairs: {app: kust}}]\n';
      const path = await directory('kust', { 'kustomization.yaml': kustomization, 'tree.json': tree('one') });
      const diff = await setup.kubectl.run(['diff', '-k', path]);
      expect([diff.code, diff.stdout.includes('+  name: kust-one')], diff.stderr).to.deep.equal([1, true]);
      expect(await setup.kubectl.ok(['apply', '-k', path])).to.equal('folder.folder.svc.app/kust-one created\n');
      expect((await setup.kubectl.run(['diff', '-k', path])).code).to.equal(0);
      const [, row] = cells(await setup.kubectl.ok(['get', 'folders', '-l', 'app=kust', '-L', 'app']));
      expect([row?.[0], row?.at(-1)]).to.deep.equal(['kust-one', 'kust']);
    });

    it('create, edit, apply and get Secrets and ConfigMaps with data', async () => {
      await setup.kubectl.ok(['create', 'configmap', 'edited', '--from-literal=color=red']);
      const env = { KUBE_EDITOR: 'sed -i "s/color: red/color: blue/"' };
      expect(await setup.kubectl.ok(['edit', 'configmap', 'edited'], { env })).to.contain('edited');
      expect(await setup.kubectl.ok(['get', 'cm', 'edited', '-o', 'jsonpath={.data.color}'])).to.equal('blue');
      await setup.kubectl.ok(['create', 'secret', 'generic', 'held', '--from-literal=a=hidden']);
      expect(await setup.kubectl.ok(['get', 'secret', 'held', '-o', 'jsonpath={.data.a}'])).to.equal('aGlkZGVu');
      expect(await setup.kubectl.ok(['describe', 'secret', 'held']))
        .to.contain('6 bytes')
        .and.not.contain('hidden');
      const [, row] = cells(await setup.kubectl.ok(['get', 'secret', 'held']));
      expect(row?.slice(0, 3)).to.deep.equal(['held', 'Opaque', '1']);
      const input = 'apiVersion: v1\nkind: Secret\nmetadata: {name: held}\nstringData: {b: more}\n';
      expect(await setup.kubectl.ok(['apply', '-f', '-'], { input })).to.contain('configured');
      expect(await setup.kubectl.ok(['get', 'secret', 'held', '-o', 'jsonpath={.data}'])).to.contain('"b":"bW9yZQ=="');
      expect(await setup.kubectl.fails(['create', 'secret', 'tls', 'x', '--cert=none', '--key=none'])).to.not.equal('');
      expect(await setup.kubectl.ok(['delete', 'secret/held', 'configmap/edited'])).to.contain('deleted');
    });
  });
}
