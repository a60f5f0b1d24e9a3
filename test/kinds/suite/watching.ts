import { expect } from 'chai';
import { bodyOf, freshName, withMetadata } from '../../harness/resource.js';
import { objectOf, type Subject, specOf } from './subject.js';

export function watching(subject: Subject): void {
  const { resource, examples } = subject;
  const labelled = (name: string, labels: Readonly<Record<string, string>>) =>
    withMetadata(objectOf(subject, examples.minimal, name) as never, { labels });

  describe('watch', () => {
    // Promise: contract 3.1, contract 4.2, specification 6
    it('sends every change once, in order, with the object at that time', async () => {
      const name = subject.name();
      const start = bodyOf(await resource.list(), 200).metadata.resourceVersion ?? '';
      const frames = await resource.watch({ resourceVersion: start });
      const created = bodyOf(await resource.create(objectOf(subject, examples.minimal, name)), 201);
      const updated = bodyOf(await resource.merge(name, { spec: specOf(examples.changed, name) }), 200);
      bodyOf(await resource.merge(name, {}), 200);
      bodyOf(await resource.remove(name), 200);
      const events = await frames.take(3);
      await frames.close();
      expect(events.map(({ type }) => type)).to.deep.equal(['ADDED', 'MODIFIED', 'DELETED']);
      expect(events[0]?.object).to.deep.equal(created);
      expect(events[1]?.object).to.deep.equal(updated);
      expect(events[2]?.object.spec).to.deep.equal(updated.spec);
      expect(events[2]?.object.metadata.uid).to.equal(created.metadata.uid);
      expect(Number(events[2]?.object.metadata.resourceVersion)).to.be.greaterThan(
        Number(updated.metadata.resourceVersion),
      );
    });

    it('starts with the existing objects if no revision is given', async () => {
      const label = freshName('group');
      const one = bodyOf(await resource.create(labelled(subject.name(), { group: label })), 201);
      const frames = await resource.watch({ labelSelector: `group=${label}` });
      const two = bodyOf(await resource.create(labelled(subject.name(), { group: label })), 201);
      const events = await frames.take(2);
      await frames.close();
      expect(events).to.deep.equal([
        { type: 'ADDED', object: one },
        { type: 'ADDED', object: two },
      ]);
    });

    // Promise: contract 4.9
    it('sends an object that enters or leaves the selection as added or deleted', async () => {
      const name = subject.name();
      const label = freshName('group');
      const frames = await resource.watch({ labelSelector: `group=${label}` });
      bodyOf(await resource.create(labelled(name, { group: 'other' })), 201);
      bodyOf(await resource.merge(name, { metadata: { labels: { group: label } } }), 200);
      bodyOf(await resource.merge(name, { spec: specOf(examples.changed, name) }), 200);
      const left = bodyOf(await resource.merge(name, { metadata: { labels: { group: null } } }), 200);
      const events = await frames.take(3);
      await frames.close();
      expect(events.map(({ type }) => type)).to.deep.equal(['ADDED', 'MODIFIED', 'DELETED']);
      expect(events[2]?.object.metadata.labels).to.include({ group: label });
      expect(events[2]?.object.metadata.resourceVersion).to.equal(left.metadata.resourceVersion);
    });
  });
}
