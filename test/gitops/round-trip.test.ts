import { expect } from 'chai';
import fc from 'fast-check';
import { bodyOf, changingNothing, freshName } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { gitOps } from './harness.js';

const FOLDER = 'folder.svc.app/v1beta1';
const DASHBOARD = 'dashboard.svc.app/v1beta1';
const IAM = 'iam.svc.app/v1beta1';

const json = fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes('__proto__'));
const object = fc.record({
  kind: fc.constantFrom('Folder', 'Dashboard', 'Team', 'ServiceAccount'),
  inParent: fc.boolean(),
  labels: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.constantFrom('', 'yes', '1.0', 'a-b')),
  note: fc.string({ unit: 'binary', maxLength: 50 }),
  more: json,
});
type Random = typeof object extends fc.Arbitrary<infer T> ? T : never;

eachStore('export and then sync', (server) => {
  const git = gitOps(server);
  const make = async (apiVersion: string, resource: string, body: object): Promise<void> => {
    const path = `/apis/${apiVersion}/namespaces/default/${resource}`;
    bodyOf(await server().call('POST', path, { body: { apiVersion, ...body } }), 201);
  };
  const makeRandom = async ({ kind, inParent, labels, note, more }: Random, parent: string): Promise<void> => {
    const name = freshName();
    const isContained = inParent && (kind === 'Folder' || kind === 'Dashboard');
    const annotations = { 'example.org/note': note, ...(isContained && { 'svc.app/folder': parent }) };
    const metadata = { name, labels, annotations };
    if (kind === 'Folder') return make(FOLDER, 'folders', { kind, metadata, spec: { title: name, description: note } });
    if (kind === 'Dashboard') return make(DASHBOARD, 'dashboards', { kind, metadata, spec: { title: name, more } });
    if (kind === 'Team') return make(IAM, 'teams', { kind, metadata, spec: { title: name } });
    return make(IAM, 'serviceaccounts', { kind, metadata, spec: { title: name, role: 'Viewer' } });
  };

  it('changes nothing, whatever is there: --check exits with 0, and a second sync writes no revision', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(object, { minLength: 1, maxLength: 8 }), async (objects) => {
        const parent = freshName();
        await make(FOLDER, 'folders', { kind: 'Folder', metadata: { name: parent }, spec: { title: parent } });
        for (const one of objects) await makeRandom(one, parent);
        await git.export();
        const before = await git.files();
        const check = await changingNothing(server(), () => git.sync({ check: true }));
        expect(check.code, check.out).to.equal(0);
        expect((await git.sync()).code).to.equal(0);
        const again = await changingNothing(server(), () => git.sync({ prune: true }));
        expect(again.out).to.match(/^created 0, configured 0, unchanged \d+, pruned 0, conflicts 0\n$/);
        await git.export();
        expect(await git.files()).to.deep.equal(before);
      }),
      { numRuns: 5 },
    );
  });
});
