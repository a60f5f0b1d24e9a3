import { expect } from 'chai';
import { accepted, bodyOf, changingNothing, expectStatus, withMetadata } from '../../harness/resource.js';
import { annotationsOf, objectOf, type Subject, specOf } from './subject.js';

export function updating(subject: Subject): void {
  const { resource, examples, kind, server, answers } = subject;
  const { minimal, full, changed, invalid } = examples;
  const created = async (example = minimal) =>
    bodyOf(await resource.create(objectOf(subject, example, subject.name())), 201);

  describe('update', () => {
    // Promise: contract 5.2
    it('replaces the object, and increments the generation when spec changes', async () => {
      const old = await created();
      const { name } = old.metadata;
      const body = bodyOf(await resource.put(name, { ...old, spec: specOf(changed, name) }), 200);
      expect(body.spec).to.deep.include(specOf(changed, name));
      expect(body.metadata).to.include({ name, uid: old.metadata.uid, generation: 2 });
      expect(body.metadata.creationTimestamp).to.equal(old.metadata.creationTimestamp);
      expect(Number(body.metadata.resourceVersion)).to.be.greaterThan(Number(old.metadata.resourceVersion));
      expect(bodyOf(await resource.get(name), 200)).to.deep.equal(body);
    });

    // Promise: contract 5.2
    it('does not increment the generation when only metadata changes', async () => {
      const old = await created();
      const labelled = withMetadata(old, { labels: { ...old.metadata.labels, colour: 'red' } });
      const { metadata } = bodyOf(await resource.put(old.metadata.name, labelled), 200);
      expect(metadata.generation).to.equal(1);
      expect(metadata.labels).to.include({ colour: 'red' });
    });

    it('removes labels and fields that the new object does not have', async () => {
      const old = await created(full);
      const { name } = old.metadata;
      const body = bodyOf(await resource.put(name, objectOf(subject, minimal, name)), 200);
      const before = old.spec as Readonly<Record<string, unknown>>;
      const kept = Object.fromEntries((examples.kept ?? []).map((member) => [member, before[member]]));
      expect(body.spec).to.deep.equal({ ...(kind.spec?.parse(specOf(minimal, name)) as object), ...kept });
      for (const label of Object.keys(full.metadata?.labels ?? {}))
        expect(body.metadata.labels ?? {}).to.not.have.property(label);
    });

    // Promise: contract 5.2
    it('writes nothing when nothing changes', async () => {
      const old = await created(full);
      const again = await changingNothing(server(), () => resource.put(old.metadata.name, old));
      expect(bodyOf(again, 200)).to.deep.equal(old);
    });

    it('writes nothing when absent maps and lists are sent as empty ones', async () => {
      const { metadata } = await created();
      const { name } = metadata;
      const object = objectOf(subject, minimal, name);
      const empty = {
        ...object,
        metadata: { name, labels: {}, annotations: annotationsOf(subject), finalizers: [], ownerReferences: null },
      };
      const again = await changingNothing(server(), () => resource.put(name, empty));
      expect(bodyOf(again, 200).metadata).to.deep.equal(metadata);
    });

    // Promise: contract 5.6
    it('writes nothing in a dry run, and returns the object that would be stored', async () => {
      const old = await created();
      const dry = await changingNothing(server(), () =>
        resource.put(
          old.metadata.name,
          { ...old, spec: specOf(changed, old.metadata.name) },
          { query: { dryRun: 'All' } },
        ),
      );
      const body = bodyOf(dry, 200);
      expect(body.spec).to.deep.include(specOf(changed, old.metadata.name));
      expect(body.metadata).to.include({ resourceVersion: old.metadata.resourceVersion, generation: 2 });
      expect(bodyOf(await resource.get(old.metadata.name), 200)).to.deep.equal(old);
    });

    // Promise: contract 5.2
    it('refuses a stale resourceVersion', async () => {
      const old = await created();
      bodyOf(await resource.put(old.metadata.name, { ...old, spec: specOf(changed, old.metadata.name) }), 200);
      const stale = await changingNothing(server(), () => resource.put(old.metadata.name, old));
      expectStatus(stale, answers.stale, 'Conflict', 'the object has been modified');
    });

    // Promise: contract 5.2
    it('refuses the uid of another object', async () => {
      const old = await created();
      const body = withMetadata(old, { uid: '11111111-1111-4111-8111-111111111111' });
      const answer = await changingNothing(server(), () => resource.put(old.metadata.name, body));
      expectStatus(answer, 409, 'Conflict', /UID in precondition: 1111.*UID in object meta/);
    });

    // Promise: contract 5.2
    it('answers 404 for an object that does not exist', async () => {
      const name = subject.name();
      const answer = await changingNothing(server(), () => resource.put(name, objectOf(subject, minimal, name)));
      expectStatus(answer, 404, 'NotFound', `${JSON.stringify(name)} not found`);
    });

    // Promise: contract 5.2
    it('refuses a name that differs from the name in the path', async () => {
      const old = await created();
      const answer = await changingNothing(server(), () =>
        resource.put(old.metadata.name, objectOf(subject, minimal, 'another')),
      );
      expectStatus(answer, 400, 'BadRequest', 'does not match the name on the URL');
    });

    for (const { why, body, field } of invalid) {
      it(`refuses ${why}`, async () => {
        const { metadata } = await created();
        const answer = await changingNothing(server(), () =>
          resource.put(metadata.name, objectOf(subject, body, metadata.name)),
        );
        const { details } = expectStatus(answer, answers.invalid, 'Invalid');
        expect(details.causes?.map((cause) => cause.field)).to.include(field);
      });
    }

    it('does not change the object if it is refused', async () => {
      const old = await created(full);
      accepted(await resource.put(old.metadata.name, { ...old, spec: 'rubbish' }), answers.invalid);
      expect(bodyOf(await resource.get(old.metadata.name), 200)).to.deep.equal(old);
    });
  });
}
