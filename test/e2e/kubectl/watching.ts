import { expect } from 'chai';
import { create, type Setup } from './setup.js';

export function watching(setup: Setup): void {
  describe('watches', () => {
    it('get -w prints the existing objects and every change after', async () => {
      await create(setup, 'v1', { labels: { watch: 'a' } });
      const watch = await setup.kubectl.follow(['get', 'folders', '-l', 'watch=a', '-w', '-o', 'wide']);
      try {
        await watch.sees(/^v1 +v1 /);
        await create(setup, 'v2', { title: 'Second', labels: { watch: 'a' } });
        await watch.sees(/^v2 +Second /);
        await setup.kubectl.ok(['patch', 'folder', 'v2', '--type=merge', '-p', '{"spec":{"title":"Changed"}}']);
        await watch.sees(/^v2 +Changed /);
        expect(watch.stdout().match(/^NAME /gm)).to.have.length(1);
      } finally {
        await watch.stop();
      }
    });

    it('get -w distinguishes additions, changes and deletions, also by a change of labels', async () => {
      const watch = await setup.kubectl.follow([
        'get',
        'folders',
        '-l',
        'watch=b',
        '--watch-only',
        '--output-watch-events',
      ]);
      try {
        // There is no sign that the watch has started. After its first event, it gets all others.
        for (let i = 0; !watch.stdout().includes('ADDED'); i++) {
          expect(watch.exitCode()).to.equal(undefined);
          await create(setup, `v3-start-${i}`, { labels: { watch: 'b' } });
        }
        await create(setup, 'v3', { labels: { watch: 'b' } });
        await setup.kubectl.ok(['label', 'folder', 'v3', 'more=1']);
        await setup.kubectl.ok(['label', 'folder', 'v3', 'watch=gone', '--overwrite']);
        await setup.kubectl.ok(['label', 'folder', 'v3', 'watch=b', '--overwrite']);
        await setup.kubectl.ok(['delete', 'folder', 'v3']);
        await create(setup, 'v3-end', { labels: { watch: 'b' } });
        await watch.sees(/^ADDED +v3-end/);
        const types = watch
          .stdout()
          .split('\n')
          .map((line) => line.split(/\s+/))
          .filter(([, name]) => name === 'v3')
          .map(([type]) => type);
        expect(types).to.deep.equal(['ADDED', 'MODIFIED', 'DELETED', 'ADDED', 'DELETED']);
      } finally {
        await watch.stop();
      }
    });

    // Promise: contract 8
    it('wait --for=jsonpath returns when the field has the value', async () => {
      await create(setup, 'v4', { title: 'Not yet' });
      const waiting = await setup.kubectl.follow([
        'wait',
        'folder/v4',
        '--for=jsonpath={.spec.title}=Ready',
        '--timeout=60s',
      ]);
      await setup.kubectl.ok(['patch', 'folder', 'v4', '--type=merge', '-p', '{"spec":{"title":"Ready"}}']);
      expect(await waiting.ended).to.equal(0);
      expect(waiting.stdout()).to.equal('folder.folder.svc.app/v4 condition met\n');
    });

    // Promise: contract 8
    it('wait --for=delete returns when the object is deleted, and --for=create when it is created', async () => {
      await create(setup, 'v5');
      const gone = await setup.kubectl.follow(['wait', 'folder/v5', '--for=delete', '--timeout=60s']);
      await setup.kubectl.ok(['delete', 'folder', 'v5']);
      expect(await gone.ended).to.equal(0);
      const there = await setup.kubectl.follow(['wait', 'folder/v6', '--for=create', '--timeout=60s']);
      await create(setup, 'v6');
      expect(await there.ended).to.equal(0);
    });
  });
}
