import { expect } from 'chai';
import { FOLDERS, folderBody } from '../../access/people.js';
import { accepted, bodyOf, expectStatus, freshName } from '../../harness/resource.js';
import { until } from '../../identity/iam.js';
import { objectOf, type Subject } from '../suite/subject.js';

const IAM = 'iam.svc.app/v1beta1';

/** Tests deletions of objects on which other objects depend. */
export function dependents(subject: Subject): void {
  const { resource, server, examples, kind } = subject;
  const iamBody = (kindName: string, name: string, spec: object) => ({
    apiVersion: IAM,
    kind: kindName,
    metadata: { name },
    spec,
  });
  const post = async (path: string, body: unknown) => bodyOf(await server().call('POST', path, { body }), 201);

  describe('dependencies', () => {
    it('take the objects with them when they are deleted', async () => {
      const [folder, author, name] = [freshName('folder'), freshName('author'), subject.name()];
      await post(FOLDERS, folderBody(folder));
      await post(`/apis/${IAM}/users`, iamBody('User', author, { login: author }));
      const spec = { text: 'Goes', time: 1, folder, author };
      bodyOf(await resource.create({ ...objectOf(subject, examples.minimal, name), spec }), 201);
      accepted(await server().call('DELETE', `/apis/${IAM}/users/${author}`), 200);
      expectStatus(await resource.get(name), 404, 'NotFound');
      const other = { ...objectOf(subject, examples.minimal, name), spec: { text: 'Goes', time: 1, folder } };
      bodyOf(await resource.create(other), 201);
      accepted(await server().call('DELETE', `${FOLDERS}/${folder}`), 200);
      expectStatus(await resource.get(name), 404, 'NotFound');
    });

    it('can be owners: the objects are deleted later with them, and so are objects that they own themselves', async () => {
      const folder = await post(FOLDERS, folderBody(freshName('folder')));
      const { name: folderName, uid } = folder.metadata;
      const object = objectOf(subject, examples.minimal, subject.name());
      const owner = { apiVersion: folder.apiVersion, kind: folder.kind, name: folderName, uid };
      const metadata = { ...object.metadata, ownerReferences: [owner] };
      const note = bodyOf(await resource.create({ ...object, metadata }), 201);
      const { apiVersion, kind: kindName } = note;
      const owned = folderBody(freshName('folder')) as { readonly metadata: { readonly name: string } };
      const byNote = { apiVersion, kind: kindName, name: note.metadata.name, uid: note.metadata.uid };
      await post(FOLDERS, { ...owned, metadata: { ...owned.metadata, ownerReferences: [byNote] } });
      accepted(await server().call('DELETE', `${FOLDERS}/${folderName}`), 200);
      await until(async () => (await resource.get(note.metadata.name)).status === 404);
      await until(async () => (await server().call('GET', `${FOLDERS}/${owned.metadata.name}`)).status === 404);
    });

    it('include the organization, which is deleted with its objects, and waits for those with finalizers', async () => {
      const organization = freshName('organization');
      const path = `/apis/${kind.apiVersion}/namespaces/${organization}/${kind.resource}`;
      const home = `/apis/${IAM}/organizations`;
      await post(home, iamBody('Organization', organization, { title: organization }));
      const object = (name: string) => objectOf(subject, examples.minimal, name);
      await Promise.all(Array.from({ length: 150 }, (_, i) => post(path, object(`n-${i}`))));
      const held = object('held');
      await post(path, { ...held, metadata: { ...held.metadata, finalizers: ['example.com/hold'] } });
      accepted(await server().call('DELETE', `${home}/${organization}`), 200);
      expectStatus(await server().call('POST', path, { body: object('late') }), 403, 'Forbidden', 'being terminated');
      const left = async () => bodyOf(await server().call('GET', path), 200).items.map(({ metadata }) => metadata);
      await until(async () => (await left()).length === 1);
      expect((await left())[0]?.deletionTimestamp).to.be.a('string');
      const headers = { 'content-type': 'application/merge-patch+json' };
      const body = { metadata: { finalizers: null } };
      accepted(await server().call('PATCH', `${path}/held`, { body, headers }), 200);
      await until(async () => (await server().call('GET', `${home}/${organization}`)).status === 404);
      await post(home, iamBody('Organization', organization, { title: organization }));
      expect(await left()).to.deep.equal([]);
    });
  });
}
