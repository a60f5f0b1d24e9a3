import { expect } from 'chai';
import { bodyOf, changingNothing, expectStatus } from '../../harness/resource.js';
import { objectOf, type Subject, specOf } from './subject.js';

export function patching(subject: Subject): void {
  const { resource, kind, examples, server, answers } = subject;
  const { minimal, changed } = examples;
  const created = async () => bodyOf(await resource.create(objectOf(subject, minimal, subject.name())), 201);

  describe('patch', () => {
    // Promise: contract 5.3
    it('merges (RFC 7386), and null removes a member', async () => {
      const { metadata } = await created();
      const added = { metadata: { labels: { a: '1', b: '2' } } };
      expect(bodyOf(await resource.merge(metadata.name, added), 200).metadata.labels).to.include({ a: '1', b: '2' });
      const removed = { metadata: { labels: { a: null } } };
      const { labels } = bodyOf(await resource.merge(metadata.name, removed), 200).metadata;
      expect(labels).to.include({ b: '2' }).and.not.have.property('a');
    });

    it('increments the generation only when it changes spec', async () => {
      const { metadata } = await created();
      const labelled = bodyOf(await resource.merge(metadata.name, { metadata: { labels: { a: '1' } } }), 200);
      expect(labelled.metadata.generation).to.equal(1);
      const body = bodyOf(await resource.merge(metadata.name, { spec: specOf(changed, metadata.name) }), 200);
      expect(body.metadata.generation).to.equal(2);
      expect(body.spec).to.deep.include(specOf(changed, metadata.name));
    });

    // Promise: contract 5.3
    it('applies JSON patches (RFC 6902) in order', async () => {
      const { metadata } = await created();
      const body = bodyOf(
        await resource.jsonPatch(metadata.name, [
          { op: 'test', path: '/metadata/name', value: metadata.name },
          { op: 'replace', path: '/spec', value: specOf(changed, metadata.name) },
          { op: 'add', path: '/metadata/ownerReferences', value: [] },
          { op: 'remove', path: '/metadata/ownerReferences' },
        ]),
        200,
      );
      expect(body.spec).to.deep.include(specOf(changed, metadata.name));
      expect(body.metadata).to.not.have.property('ownerReferences');
    });

    it('writes nothing when nothing changes, or in a dry run', async () => {
      const old = await created();
      const { name } = old.metadata;
      await changingNothing(server(), async () => {
        expect(bodyOf(await resource.merge(name, {}), 200)).to.deep.equal(old);
        expect(bodyOf(await resource.merge(name, { spec: specOf(minimal, name) }), 200)).to.deep.equal(old);
        expect(bodyOf(await resource.jsonPatch(name, []), 200)).to.deep.equal(old);
        const dry = await resource.merge(name, { spec: specOf(changed, name) }, { query: { dryRun: 'All' } });
        expect(bodyOf(dry, 200).spec).to.deep.include(specOf(changed, name));
      });
    });

    // Promise: contract 5.3
    it('uses a resourceVersion in the patch as optimistic lock', async () => {
      const old = await created();
      const { name, resourceVersion } = old.metadata;
      const locked = { metadata: { resourceVersion, labels: { a: '1' } } };
      bodyOf(await resource.merge(name, locked), 200);
      const stale = await changingNothing(server(), () =>
        resource.merge(name, { ...locked, spec: specOf(changed, name) }),
      );
      expectStatus(stale, 409, 'Conflict', 'the object has been modified');
    });

    it('refuses the uid of another object', async () => {
      const { metadata } = await created();
      const answer = await changingNothing(server(), () =>
        resource.merge(metadata.name, { metadata: { uid: '11111111-1111-4111-8111-111111111111' } }),
      );
      expectStatus(answer, 409, 'Conflict', 'Precondition failed: UID');
    });

    // Promise: contract 5.3
    it('answers 422 for a test that fails, and for a path that does not exist', async () => {
      const { metadata } = await created();
      const patches = [
        { op: 'test', path: '/metadata/name', value: 'another' },
        { op: 'remove', path: '/spec/nowhere' },
        { op: 'replace', path: '/nowhere/at/all', value: 1 },
        { op: 'move', from: '/nowhere', path: '/spec' },
      ];
      for (const operation of patches) {
        const answer = await changingNothing(server(), () => resource.jsonPatch(metadata.name, [operation]));
        expectStatus(answer, 422, 'Invalid');
      }
    });

    it('refuses a patch that makes the object invalid', async () => {
      const { metadata } = await created();
      const answer = await changingNothing(server(), () => resource.merge(metadata.name, { spec: [] }));
      expectStatus(answer, answers.invalid, 'Invalid', 'spec');
    });

    it('refuses to change the name', async () => {
      const { metadata } = await created();
      const answer = await changingNothing(server(), () =>
        resource.merge(metadata.name, { metadata: { name: 'another' } }),
      );
      expectStatus(answer, 400, 'BadRequest', 'must not change metadata.name');
    });

    it('answers 404 for an object that does not exist', async () => {
      const name = subject.name();
      expectStatus(await resource.merge(name, { spec: specOf(changed, name) }), 404, 'NotFound');
    });

    // Promise: contract 5.3
    it('answers 415 for other patch types, and lists the accepted ones', async () => {
      const { metadata } = await created();
      const strategic = kind.acceptsStrategicMerge ? [] : ['application/strategic-merge-patch+json'];
      for (const type of [...strategic, 'application/json', 'text/plain']) {
        const headers = { 'content-type': type };
        const answer = await changingNothing(server(), () => resource.merge(metadata.name, {}, { headers }));
        expectStatus(answer, 415, 'UnsupportedMediaType', 'application/merge-patch+json');
      }
    });
  });
}
