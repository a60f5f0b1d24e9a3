import { expect } from 'chai';
import { bodyOf, changingNothing, withMetadata } from '../../harness/resource.js';
import { annotationsOf, objectOf, type Subject, specOf } from './subject.js';

export function serverOwned(subject: Subject): void {
  const { resource, examples, kind, server } = subject;
  const { domain } = kind;
  const stamps = [`${domain}/createdBy`, `${domain}/updatedBy`, `${domain}/updatedTimestamp`];
  const stamped = (value: unknown) => ({
    ...annotationsOf(subject),
    ...Object.fromEntries(stamps.map((key) => [key, value])),
  });
  /** Objects of Kubernetes' own kinds do not name their authors. */
  const author = (name: string): string | undefined => (kind.namesAuthors ? name : undefined);
  const created = async () => bodyOf(await resource.create(objectOf(subject, examples.minimal, subject.name())), 201);

  describe('metadata of the server', () => {
    // Promise: contract 5.1
    it('is ignored when a client sends it at creation', async () => {
      const object = objectOf(subject, examples.minimal, subject.name());
      const sent = withMetadata(object as never, {
        uid: 'mine',
        generation: 77,
        creationTimestamp: '2001-01-01T00:00:00Z',
        deletionTimestamp: '2001-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 30,
        selfLink: '/mine',
        managedFields: [{ manager: 'mine', operation: 'Update' }],
        annotations: stamped('mine'),
        labels: { [`${domain}/deprecatedInternalID`]: '4711' },
      });
      const { metadata } = bodyOf(await resource.create(sent), 201);
      expect(JSON.stringify(metadata)).to.not.match(/mine|2001-01-01|selfLink|deletion/);
      expect(metadata.generation).to.equal(1);
      expect(metadata.labels?.[`${domain}/deprecatedInternalID`]).to.not.equal('4711');
      expect(metadata.annotations?.[`${domain}/createdBy`]).to.equal(author('user:uid-admin'));
    });

    // Promise: contract 5.2
    it('is kept when a client changes it or leaves it out', async () => {
      const old = await created();
      const { name } = old.metadata;
      await changingNothing(server(), async () => {
        const less = objectOf(subject, examples.minimal, name);
        expect(bodyOf(await resource.put(name, less), 200)).to.deep.equal(old);
        const other = withMetadata(old, {
          generation: 9,
          creationTimestamp: '2001-01-01T00:00:00Z',
          annotations: stamped('mine'),
          labels: { [`${domain}/deprecatedInternalID`]: '4711' },
        });
        expect(bodyOf(await resource.put(name, other), 200)).to.deep.equal(old);
        const annotations = examples.minimal.metadata?.annotations === undefined ? null : stamped(null);
        const none = { metadata: { annotations, labels: null, generation: null, uid: null } };
        expect(bodyOf(await resource.merge(name, none), 200)).to.deep.equal(old);
      });
    });

    it('contains the last writer of the object, and the time', async () => {
      const old = await created();
      const user = { name: 'bob', uid: 'uid-bob', groups: ['system:masters'], extra: {} };
      const { metadata } = bodyOf(
        await resource.merge(old.metadata.name, { spec: specOf(examples.changed, old.metadata.name) }, { user }),
        200,
      );
      expect(metadata.annotations?.[`${domain}/createdBy`]).to.equal(author('user:uid-admin'));
      expect(metadata.annotations?.[`${domain}/updatedBy`]).to.equal(author('user:uid-bob'));
      const time = metadata.annotations?.[`${domain}/updatedTimestamp`];
      if (kind.namesAuthors) expect(time).to.match(/^\d{4}-.*Z$/);
      else expect(time).to.equal(undefined);
    });

    it('distinguishes service accounts from users', async () => {
      const user = { name: 'system:serviceaccount:default:robot', uid: 'u', groups: ['system:masters'], extra: {} };
      const { metadata } = bodyOf(
        await resource.create(objectOf(subject, examples.minimal, subject.name()), { user }),
        201,
      );
      expect(metadata.annotations?.[`${domain}/createdBy`]).to.equal(author('service-account:robot'));
    });

    if (kind.internalId === true) {
      // Promise: specification 2.1
      it('has the ids 1, 2, 3 …, and a failure or a dry run consumes no id', async () => {
        const label = `${domain}/deprecatedInternalID`;
        const first = Number((await created()).metadata.labels?.[label]);
        const taken = objectOf(subject, examples.minimal, subject.name());
        bodyOf(await resource.create(taken), 201);
        bodyOf(await resource.create(taken), 409);
        bodyOf(
          await resource.create(objectOf(subject, examples.minimal, subject.name()), { query: { dryRun: 'All' } }),
          201,
        );
        expect(Number((await created()).metadata.labels?.[label])).to.equal(first + 2);
      });
    }
  });
}
