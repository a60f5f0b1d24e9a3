import { expect } from 'chai';
import { FOLDERS_PATH, type Setup } from './setup.js';

export function discovery(setup: Setup): void {
  describe('discovery', () => {
    it('api-resources lists folders', async () => {
      const text = await setup.kubectl.ok(['api-resources', '--no-headers']);
      expect(text).to.match(/^folders\s+folder\.svc\.app\/v1beta1\s+true\s+Folder$/m);
    });

    // Promise: contract 1.2
    it('api-resources -o wide lists verbs and categories', async () => {
      const text = await setup.kubectl.ok([
        'api-resources',
        '--api-group=folder.svc.app',
        '-o',
        'wide',
        '--no-headers',
      ]);
      expect(text).to.match(/create,delete,deletecollection,get,list,patch,update,watch\s+all/);
    });

    // Promise: specification 9
    it('api-versions lists the group version', async () => {
      expect((await setup.kubectl.ok(['api-versions'])).split('\n')).to.include('folder.svc.app/v1beta1');
    });

    // Promise: contract 8
    it('cluster-info finds the server, and no services', async () => {
      expect(await setup.kubectl.ok(['cluster-info'])).to.match(/is running at .*https:\/\//);
    });

    it('version names a Kubernetes release', async () => {
      const { serverVersion } = await setup.kubectl.json<{ serverVersion: Record<string, string> }>(['version']);
      expect(serverVersion['gitVersion']).to.match(/^v1\.\d+\.\d+\+[0-9A-Za-z.-]+$/);
    });

    // Promise: contract 1.5
    it('explain describes a kind and each of its fields', async () => {
      const kind = await setup.kubectl.ok(['explain', 'folder']);
      expect(kind).to.match(/KIND:\s+Folder/);
      expect(kind).to.match(/spec\t<FolderSpec> -required-/);
      const field = await setup.kubectl.ok(['explain', 'folders.spec.title']);
      expect(field).to.match(/FIELD: title <string>/);
      expect(field).to.contain('Title shown to people.');
      expect(await setup.kubectl.ok(['explain', 'folder', '--recursive'])).to.contain(
        'ownerReferences\t<[]OwnerReference>',
      );
      expect(await setup.kubectl.fails(['explain', 'folder.spec.colour'])).to.contain('does not exist');
    });

    it('explain describes a kind whose spec may be absent', async () => {
      expect(await setup.kubectl.ok(['explain', 'lease'])).to.match(/spec\t<LeaseSpec>$/m);
      expect(await setup.kubectl.ok(['explain', 'lease.spec'])).to.contain('holderIdentity\t<string>');
      expect(await setup.kubectl.ok(['explain', 'lease.spec.holderIdentity'])).to.match(
        /FIELD: holderIdentity <string>/,
      );
      const v2 = ['explain', 'lease.spec', '--output=plaintext-openapiv2'];
      expect(await setup.kubectl.ok(v2)).to.contain('holderIdentity');
    });

    it('explain describes the reviews, which are not stored', async () => {
      for (const kind of ['TokenReview', 'SelfSubjectReview', 'SelfSubjectAccessReview', 'SelfSubjectRulesReview']) {
        expect(await setup.kubectl.ok(['explain', kind.toLowerCase()])).to.match(new RegExp(`KIND:\\s+${kind}$`, 'm'));
      }
      const spec = await setup.kubectl.ok(['explain', 'subjectaccessreview.spec', '--recursive']);
      for (const field of ['extra\t<map[string][]string>', 'groups\t<[]string>', 'resource\t<string>']) {
        expect(spec).to.contain(field);
      }
    });

    it('api-resources lists no subresources, and only the serviceaccounts that are stored', async () => {
      const text = await setup.kubectl.ok(['api-resources', '--no-headers']);
      expect(text).not.to.contain('/token');
      expect(text.match(/^serviceaccounts\s.*$/gm)?.map((line) => line.split(/\s+/)[2])).to.deep.equal([
        'iam.svc.app/v1beta1',
      ]);
    });

    it('get --raw reads any path', async () => {
      const list = JSON.parse(await setup.kubectl.ok(['get', '--raw', FOLDERS_PATH])) as Record<string, unknown>;
      expect(list['kind']).to.equal('FolderList');
      expect(list['items']).to.be.an('array');
      expect(await setup.kubectl.ok(['get', '--raw', '/healthz'])).to.equal('ok');
    });

    it('get reports an unknown resource type', async () => {
      expect(await setup.kubectl.fails(['get', 'pods'])).to.contain(`the server doesn't have a resource type "pods"`);
    });
  });
}
