import { expect } from 'chai';
import { addFolder, addPeople, addRole, bind, namesOf, person } from '../../access/people.js';
import { accepted, bodyOf, expectStatus } from '../../harness/resource.js';
import { objectOf, type Subject } from '../suite/subject.js';

/** Tests the permissions of a caller in one folder, and on one other object. */
export function permissions(subject: Subject): void {
  const { resource, server, examples } = subject;
  const user = person('norm');
  const create = async (name: string, folder?: string) => {
    const spec = { text: name, time: 1, ...(folder !== undefined && { folder }) };
    bodyOf(await resource.create({ ...objectOf(subject, examples.minimal, name), spec }), 201);
  };

  describe('permissions', () => {
    before(async () => {
      await addPeople(server());
      for (const folder of ['open', 'shut']) await addFolder(server(), folder);
      await addFolder(server(), 'inner', 'open');
      await addRole(server(), 'noter', [
        ...['read', 'create', 'write', 'delete'].map((verb) => ({
          action: `notes:${verb}`,
          scope: 'folders:uid:open',
        })),
        { action: 'notes:read', scope: 'notes:uid:p-single' },
      ]);
      await bind(server(), 'noter', { subject: ['User', 'norm'], role: ['Role', 'noter'] });
      for (const [name, folder] of [
        ['p-open', 'open'],
        ['p-inner', 'inner'],
        ['p-shut', 'shut'],
        ['p-single'],
      ] as const)
        await create(name, folder);
    });

    it('filter lists, pages and collections', async () => {
      expect(await namesOf(resource.list({ user }))).to.deep.equal(['p-inner', 'p-open', 'p-single']);
      const page = bodyOf(await resource.list({ user, query: { limit: 2 } }), 200);
      const query = { limit: 2, continue: page.metadata.continue ?? '' };
      expect(await namesOf(resource.list({ user, query }))).to.deep.equal(['p-single']);
      const dry = accepted(await resource.removeAll({ user, query: { dryRun: 'All' } }), 200).json();
      expect(dry.items.map(({ metadata }) => metadata.name)).to.deep.equal(['p-inner', 'p-open']);
    });

    it('filter watches', async () => {
      const frames = await resource.watch({}, { user });
      await create('p-shut-too', 'shut');
      await create('p-open-too', 'open');
      const events = await frames.take(4);
      await frames.close();
      expect(events.map(({ object }) => object.metadata.name)).to.deep.equal([
        'p-inner',
        'p-open',
        'p-single',
        'p-open-too',
      ]);
    });

    it('apply to single objects', async () => {
      accepted(await resource.get('p-inner', { user }), 200);
      accepted(await resource.get('p-single', { user }), 200);
      accepted(await resource.merge('p-inner', { spec: { text: 'x' } }, { user }), 200);
      expectStatus(await resource.get('p-shut', { user }), 403, 'Forbidden');
      expectStatus(await resource.get('p-none', { user }), 403, 'Forbidden');
      expectStatus(await resource.merge('p-single', { spec: { text: 'x' } }, { user }), 403, 'Forbidden');
      expectStatus(await resource.merge('p-inner', { spec: { folder: 'shut' } }, { user }), 403, 'Forbidden');
      expectStatus(await resource.remove('p-shut', { user }), 403, 'Forbidden');
      expectStatus(await resource.create(objectOf(subject, examples.minimal, 'p-new'), { user }), 403, 'Forbidden');
    });

    it('are returned by reviews', async () => {
      const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
      const may = async (name: string, verb: string) => {
        const resourceAttributes = { namespace: 'default', group: 'note.svc.app', resource: 'notes', name, verb };
        const body = {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectAccessReview',
          spec: { resourceAttributes },
        };
        const { status } = bodyOf(await server().call('POST', path, { user, body }), 201);
        return (status as unknown as { readonly allowed: boolean }).allowed;
      };
      expect(await may('p-inner', 'update')).to.equal(true);
      expect(await may('p-single', 'get')).to.equal(true);
      expect(await may('p-single', 'delete')).to.equal(false);
      expect(await may('p-shut', 'get')).to.equal(false);
    });
  });
}
