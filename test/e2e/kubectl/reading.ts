import { expect } from 'chai';
import { cells, create, FOLDERS_PATH, namesOf, read, type Setup } from './setup.js';

const PICK = ['-l', 'suite=reading'];

export function reading(setup: Setup): void {
  describe('reads', () => {
    before(async () => {
      const labels = (n: number): Record<string, string> => ({
        suite: 'reading',
        n: String(n),
        ...(n % 2 === 0 ? { even: '' } : {}),
      });
      await create(setup, 'r1', { title: 'First of all', labels: labels(1) });
      for (const n of [2, 3, 4, 5])
        await create(setup, `r${n}`, { title: `Number ${n}`, parent: 'r1', labels: labels(n) });
    });

    it('get prints a table of names, columns and ages', async () => {
      const [header, first, second] = cells(await setup.kubectl.ok(['get', 'folders', ...PICK]));
      expect(header).to.deep.equal(['NAME', 'TITLE', 'PARENT', 'AGE']);
      expect(first?.slice(0, 2)).to.deep.equal(['r1', 'First of all']);
      expect(first?.at(-1)).to.match(/^\d+[sm]/);
      expect(second?.slice(0, 3)).to.deep.equal(['r2', 'Number 2', 'r1']);
    });

    it('get prints one object, by every name of the resource', async () => {
      for (const resource of ['folder', 'folders', 'folders.folder.svc.app', 'folders.v1beta1.folder.svc.app']) {
        expect(await setup.kubectl.ok(['get', `${resource}/r1`, '--no-headers'])).to.match(/^r1 +First of all/);
      }
    });

    it('get prints namespaces, labels and the wide form', async () => {
      const all = cells(await setup.kubectl.ok(['get', 'folders', '-A', ...PICK]));
      expect(all[0]?.[0]).to.equal('NAMESPACE');
      expect(all[1]?.slice(0, 2)).to.deep.equal(['default', 'r1']);
      expect(await setup.kubectl.ok(['get', 'folder', 'r2', '--show-labels'])).to.contain('even=,n=2,suite=reading');
      expect(cells(await setup.kubectl.ok(['get', 'folder', 'r2', '-L', 'n']))[1]?.at(-1)).to.equal('2');
      expect(cells(await setup.kubectl.ok(['get', 'folders', '-o', 'wide', ...PICK]))[0]).to.include.members([
        'NAME',
        'TITLE',
        'AGE',
      ]);
    });

    it("get prints JSON, YAML, names, paths and columns of one's own", async () => {
      const folder = await read(setup, 'r2');
      expect(folder).to.deep.include({
        apiVersion: 'folder.svc.app/v1beta1',
        kind: 'Folder',
        spec: { title: 'Number 2' },
      });
      expect(folder.metadata.uid).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
      expect(folder.metadata.annotations?.['svc.app/folder']).to.equal('r1');
      expect(await setup.kubectl.ok(['get', 'folder', 'r2', '-o', 'yaml'])).to.match(/^spec:\n {2}title: Number 2$/m);
      expect(await setup.kubectl.ok(['get', 'folder', 'r2', '-o', 'name'])).to.equal('folder.folder.svc.app/r2\n');
      expect(await setup.kubectl.ok(['get', 'folder', 'r2', '-o', 'jsonpath={.spec.title}'])).to.equal('Number 2');
      const columns = 'custom-columns=N:.metadata.name,T:.spec.title';
      expect(cells(await setup.kubectl.ok(['get', 'folder', 'r2', '-o', columns]))).to.deep.equal([
        ['N', 'T'],
        ['r2', 'Number 2'],
      ]);
    });

    it('get sorts by a field that is not in the table', async () => {
      const text = await setup.kubectl.ok(['get', 'folders', ...PICK, '--sort-by=.metadata.labels.n', '--no-headers']);
      expect(cells(text).map(([name]) => name)).to.deep.equal(['r1', 'r2', 'r3', 'r4', 'r5']);
      const byTitle = await setup.kubectl.ok(['get', 'folders', ...PICK, '--sort-by=.spec.title', '--no-headers']);
      expect(cells(byTitle)[0]?.[0]).to.equal('r1');
    });

    it('get selects by labels', async () => {
      const picked = (selector: string): Promise<readonly string[]> =>
        namesOf(setup, '-l', `suite=reading,${selector}`);
      expect(await picked('n in (2,3)')).to.have.members(['r2', 'r3']);
      expect(await picked('n notin (2,3)')).to.have.members(['r1', 'r4', 'r5']);
      expect(await picked('even')).to.have.members(['r2', 'r4']);
      expect(await picked('!even')).to.have.members(['r1', 'r3', 'r5']);
      expect(await picked('n!=1')).to.have.members(['r2', 'r3', 'r4', 'r5']);
      expect(await setup.kubectl.fails(['get', 'folders', '-l', 'a in b'])).to.not.equal('');
    });

    it('get selects by fields, and refuses unknown fields', async () => {
      expect(await namesOf(setup, '--field-selector', 'metadata.name=r3')).to.deep.equal(['r3']);
      const others = await namesOf(setup, ...PICK, '--field-selector', 'metadata.name!=r3,metadata.namespace=default');
      expect(others).to.have.members(['r1', 'r2', 'r4', 'r5']);
      expect(await setup.kubectl.fails(['get', 'folders', '--field-selector', 'spec.colour=red'])).to.match(
        /Error from server \(BadRequest\): .*field label not supported: spec\.colour/,
      );
    });

    // Promise: contract 3.3
    it('get reads a list in chunks', async () => {
      const text = await setup.kubectl.ok(['get', 'folders', ...PICK, '--chunk-size=2', '--no-headers']);
      expect(cells(text).map(([name]) => name)).to.deep.equal(['r1', 'r2', 'r3', 'r4', 'r5']);
      const path = `${FOLDERS_PATH}?limit=2&labelSelector=suite%3Dreading`;
      const page = JSON.parse(await setup.kubectl.ok(['get', '--raw', path])) as {
        metadata: Record<string, string>;
        items: unknown[];
      };
      expect(page.items).to.have.length(2);
      expect(page.metadata['continue']).to.be.a('string').that.is.not.equal('');
    });

    it('get all includes folders', async () => {
      expect(await setup.kubectl.ok(['get', 'all', '-o', 'name', ...PICK])).to.contain('folder.folder.svc.app/r1');
    });

    it('get reports objects that do not exist', async () => {
      expect(await setup.kubectl.fails(['get', 'folder', 'nowhere'])).to.equal(
        'Error from server (NotFound): folders.folder.svc.app "nowhere" not found\n',
      );
      expect(await setup.kubectl.ok(['get', 'folder', 'nowhere', '--ignore-not-found'])).to.equal('');
      const { code, stderr } = await setup.kubectl.run(['get', 'folders', '-l', 'suite=none']);
      expect([code, stderr]).to.deep.equal([0, 'No resources found in default namespace.\n']);
    });

    it('describe prints metadata and spec', async () => {
      const text = await setup.kubectl.ok(['describe', 'folder', 'r2']);
      expect(text).to.match(/^Name:\s+r2$/m);
      expect(text).to.match(/^\s+Title:\s+Number 2$/m);
    });

    it('describe of a folder prints what is in it, and who has access to it', async () => {
      const text = await setup.kubectl.ok(['describe', 'folder', 'r1']);
      expect(text).to.match(/ Contents .* directly in it: folders: 4$/m);
      expect(text).to.match(/ Access .* these have access: administrators \(Admin\), BasicRole\/Editor \(Edit\), /);
    });
  });
}
