import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { create, manifest, read, type Setup } from './setup.js';

export function writing(setup: Setup): void {
  describe('writes', () => {
    it('create creates an object once', async () => {
      expect(await setup.kubectl.ok(['create', '-f', '-'], { input: manifest('w1') })).to.equal(
        'folder.folder.svc.app/w1 created\n',
      );
      expect(await setup.kubectl.fails(['create', '-f', '-'], { input: manifest('w1') })).to.contain(
        'Error from server (AlreadyExists): error when creating "STDIN": folders.folder.svc.app "w1" already exists',
      );
    });

    it('create generates a name from generateName', async () => {
      const input = manifest('', { title: 'Made', metadata: { generateName: 'made-' } });
      expect(await setup.kubectl.ok(['create', '-f', '-', '-o', 'name'], { input })).to.match(
        /^folder\.folder\.svc\.app\/made-[a-z0-9]{5,}\n$/,
      );
    });

    it('create refuses unknown fields, or warns about them or ignores them with --validate', async () => {
      const input = manifest('w2', { spec: { colour: 'red' } });
      expect(await setup.kubectl.fails(['create', '-f', '-'], { input })).to.contain('unknown field "spec.colour"');
      const warned = await setup.kubectl.run(['create', '-f', '-', '--validate=warn'], { input });
      expect(warned.stderr).to.contain('Warning: unknown field "spec.colour"');
      expect(warned.code).to.equal(0);
      expect((await read(setup, 'w2')).spec).to.deep.equal({ title: 'w2' });
      const ignored = manifest('w2b', { spec: { colour: 'red' } });
      const { code, stderr } = await setup.kubectl.run(['create', '-f', '-', '--validate=ignore'], { input: ignored });
      expect([code, stderr]).to.deep.equal([0, '']);
    });

    // Promise: contract 6
    it('create names the field that is missing or wrong', async () => {
      const input = JSON.stringify({
        apiVersion: 'folder.svc.app/v1beta1',
        kind: 'Folder',
        metadata: { name: 'w3' },
        spec: {},
      });
      const message = await setup.kubectl.fails(['create', '-f', '-'], { input });
      expect(message).to.contain('The Folder "w3" is invalid: spec.title');
    });

    it('patch applies merge patches', async () => {
      await create(setup, 'w4', { spec: { description: 'Old' } });
      const patch = '{"spec":{"title":"New","description":null}}';
      expect(await setup.kubectl.ok(['patch', 'folder', 'w4', '--type=merge', '-p', patch])).to.equal(
        'folder.folder.svc.app/w4 patched\n',
      );
      const { spec, metadata } = await read(setup, 'w4');
      expect(spec).to.deep.equal({ title: 'New' });
      expect(metadata.generation).to.equal(2);
      expect(await setup.kubectl.ok(['patch', 'folder', 'w4', '--type=merge', '-p', patch])).to.contain(
        'patched (no change)',
      );
      expect((await read(setup, 'w4')).metadata.resourceVersion).to.equal(metadata.resourceVersion);
    });

    it('patch applies JSON patches, and refuses those that fail', async () => {
      await create(setup, 'w5');
      const patch = (operations: readonly unknown[]): string[] => [
        'patch',
        'folder',
        'w5',
        '--type=json',
        '-p',
        JSON.stringify(operations),
      ];
      await setup.kubectl.ok(
        patch([
          { op: 'test', path: '/spec/title', value: 'w5' },
          { op: 'replace', path: '/spec/title', value: 'By path' },
        ]),
      );
      expect((await read(setup, 'w5')).spec.title).to.equal('By path');
      await setup.kubectl.fails(
        patch([
          { op: 'test', path: '/spec/title', value: 'w5' },
          { op: 'remove', path: '/spec/title' },
        ]),
      );
      await setup.kubectl.fails(patch([{ op: 'remove', path: '/spec/absent' }]));
      expect((await read(setup, 'w5')).spec.title).to.equal('By path');
    });

    it('patch refuses strategic merge patches', async () => {
      await create(setup, 'w6');
      expect(await setup.kubectl.fails(['patch', 'folder', 'w6', '-p', '{"spec":{"title":"x"}}'])).to.contain(
        'application/strategic-merge-patch+json is not supported',
      );
    });

    it('replace replaces a whole object, unless its version is stale', async () => {
      await create(setup, 'w7');
      const folder = await read(setup, 'w7');
      const next = JSON.stringify({ ...folder, spec: { title: 'Replaced' } });
      expect(await setup.kubectl.ok(['replace', '-f', '-'], { input: next })).to.equal(
        'folder.folder.svc.app/w7 replaced\n',
      );
      const late = JSON.stringify({ ...folder, spec: { title: 'Late' } });
      expect(await setup.kubectl.fails(['replace', '-f', '-'], { input: late })).to.contain(
        'Error from server (Conflict)',
      );
      expect((await read(setup, 'w7')).spec.title).to.equal('Replaced');
      expect(await setup.kubectl.fails(['replace', '-f', '-'], { input: manifest('w7-absent') })).to.contain(
        'NotFound',
      );
    });

    it('replace --force deletes and creates', async () => {
      await create(setup, 'w8');
      const { uid } = (await read(setup, 'w8')).metadata;
      await setup.kubectl.ok(['replace', '--force', '-f', '-'], { input: manifest('w8', { title: 'Again' }) });
      const again = await read(setup, 'w8');
      expect(again.spec.title).to.equal('Again');
      expect(again.metadata.uid).to.not.equal(uid);
    });

    // Promise: contract 5.3
    it('edit opens an editor and saves the result', async () => {
      await create(setup, 'w9');
      const editor = join(setup.server.folder, 'editor.sh');
      await writeFile(editor, '#!/bin/sh\nsed -i "s/title: w9/title: Edited/" "$1"\n');
      await chmod(editor, 0o755);
      expect(await setup.kubectl.ok(['edit', 'folder', 'w9'], { env: { KUBE_EDITOR: editor } })).to.equal(
        'folder.folder.svc.app/w9 edited\n',
      );
      expect((await read(setup, 'w9')).spec.title).to.equal('Edited');
    });

    it('label sets, changes and removes labels', async () => {
      await create(setup, 'w10');
      await setup.kubectl.ok(['label', 'folder', 'w10', 'a=1', 'b=2']);
      expect((await read(setup, 'w10')).metadata.labels).to.include({ a: '1', b: '2' });
      await setup.kubectl.fails(['label', 'folder', 'w10', 'a=2']);
      await setup.kubectl.ok(['label', 'folder', 'w10', 'a=2', 'b-', '--overwrite']);
      const { labels, generation } = (await read(setup, 'w10')).metadata;
      expect(labels).to.include({ a: '2' }).and.not.have.property('b');
      expect(generation).to.equal(1);
      expect(await setup.kubectl.fails(['label', 'folder', 'w10', 'a=not/valid', '--overwrite'])).to.contain(
        'invalid label value',
      );
    });

    it('annotate sets and removes annotations', async () => {
      await create(setup, 'w11');
      await setup.kubectl.ok(['annotate', 'folder', 'w11', 'example.org/note=hello']);
      expect((await read(setup, 'w11')).metadata.annotations).to.include({ 'example.org/note': 'hello' });
      await setup.kubectl.ok(['annotate', 'folder', 'w11', 'example.org/note-']);
      expect((await read(setup, 'w11')).metadata.annotations).to.not.have.property('example.org/note');
    });

    // Promise: contract 5.6
    it('--dry-run=server checks everything and changes nothing', async () => {
      const dry = '--dry-run=server';
      expect(await setup.kubectl.ok(['create', dry, '-f', '-'], { input: manifest('w12') })).to.contain(
        'created (server dry run)',
      );
      expect(await setup.kubectl.fails(['get', 'folder', 'w12'])).to.contain('NotFound');
      expect(
        await setup.kubectl.fails(['create', dry, '-f', '-'], { input: manifest('w12', { title: ' ' }) }),
      ).to.contain('folder title cannot be empty');
      await create(setup, 'w12');
      await setup.kubectl.ok(['patch', dry, 'folder', 'w12', '--type=merge', '-p', '{"spec":{"title":"Dry"}}']);
      expect(await setup.kubectl.ok(['delete', dry, 'folder', 'w12'])).to.match(/deleted.* \(server dry run\)/);
      expect((await read(setup, 'w12')).spec.title).to.equal('w12');
    });
  });
}
