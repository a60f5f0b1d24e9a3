import { expect } from 'chai';
import { bodyOf, changingNothing, expectStatus } from '../../harness/resource.js';
import { objectOf, type Subject } from './subject.js';

const FINALIZERS = ['example.com/first', 'example.com/second'];

export function finalizing(subject: Subject): void {
  const { resource, examples, server, answers } = subject;
  const created = async () => {
    const object = objectOf(subject, examples.minimal, subject.name());
    const body = { ...object, metadata: { ...object.metadata, finalizers: FINALIZERS } };
    return bodyOf(await resource.create(body), 201);
  };
  const terminating = async () => {
    const { metadata } = await created();
    return bodyOf(await resource.remove(metadata.name), 200);
  };

  describe('finalizers', () => {
    // Promise: contract 5.8
    it('hold a deleted object, which is then terminating', async () => {
      const old = await created();
      const { metadata } = bodyOf(await resource.remove(old.metadata.name), 200);
      expect(metadata).to.include({ uid: old.metadata.uid, deletionGracePeriodSeconds: 0, generation: 2 });
      expect(metadata.deletionTimestamp).to.be.a('string');
      expect(metadata.finalizers).to.deep.equal(FINALIZERS);
      expect(bodyOf(await resource.get(old.metadata.name), 200).metadata).to.deep.equal(metadata);
    });

    // Promise: contract 5.8
    it('release the object in the commit that removes the last of them', async () => {
      const { metadata } = await terminating();
      const { name } = metadata;
      const one = bodyOf(await resource.merge(name, { metadata: { finalizers: FINALIZERS.slice(1) } }), 200);
      expect(one.metadata.deletionTimestamp).to.equal(metadata.deletionTimestamp);
      const last = bodyOf(await resource.merge(name, { metadata: { finalizers: null } }), 200);
      expect(last.metadata).to.not.have.property('finalizers');
      expectStatus(await resource.get(name), 404, 'NotFound');
    });

    // Promise: contract 5.2
    it('cannot be added while the object is terminating', async () => {
      const { metadata } = await terminating();
      const more = { metadata: { finalizers: [...FINALIZERS, 'example.com/third'] } };
      const answer = await changingNothing(server(), () => resource.merge(metadata.name, more));
      expectStatus(answer, answers.invalid, 'Invalid', 'no new finalizers can be added');
    });

    it('hold the object unchanged at a second delete', async () => {
      const { metadata } = await terminating();
      const again = await changingNothing(server(), () => resource.remove(metadata.name));
      expect(bodyOf(again, 200).metadata).to.deep.equal(metadata);
    });

    it('hold the object terminating, whatever deletionTimestamp a client sends', async () => {
      const old = await terminating();
      const { deletionTimestamp: _, ...metadata } = old.metadata;
      const body = { ...old, metadata: { ...metadata, resourceVersion: '', labels: { ...metadata.labels, a: '1' } } };
      const updated = bodyOf(await resource.put(metadata.name, body), 200).metadata;
      expect(updated.deletionTimestamp).to.equal(old.metadata.deletionTimestamp);
      expect(updated.labels).to.include({ a: '1' });
    });

    it('must be qualified names', async () => {
      const object = objectOf(subject, examples.minimal, subject.name());
      const body = { ...object, metadata: { ...object.metadata, finalizers: ['not a name'] } };
      expectStatus(await resource.create(body), answers.invalid, 'Invalid', 'metadata.finalizers');
    });
  });
}
