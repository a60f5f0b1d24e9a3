import { expect } from 'chai';
import type { Body } from '../../harness/body.js';
import { bodyOf, changingNothing, expectStatus, freshName } from '../../harness/resource.js';
import { objectOf, type Subject } from './subject.js';

export function deleting(subject: Subject): void {
  const { resource, examples, server, kind, answers } = subject;
  const created = async (labels: Readonly<Record<string, string>> = {}) => {
    const object = objectOf(subject, examples.minimal, subject.name());
    return bodyOf(await resource.create({ ...object, metadata: { ...object.metadata, labels } }), 201);
  };
  const expectDeleted = (body: Body, { name, uid }: Body['metadata']) => {
    if (answers.deletion === 'object') {
      expect(body).to.deep.include({ kind: kind.kind, apiVersion: kind.apiVersion });
      expect(body.metadata).to.deep.include({ name, uid }).and.to.not.have.property('deletionTimestamp');
      return;
    }
    const details = { name, uid, group: kind.group, kind: kind.resource };
    expect(body).to.deep.equal({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
  };

  describe('delete', () => {
    // Promise: contract 5.8
    it(`answers 200 with ${answers.deletion === 'object' ? 'the object' : 'a Status'}, and removes the object`, async () => {
      const { metadata } = await created();
      expectDeleted(bodyOf(await resource.remove(metadata.name), 200), metadata);
      expectStatus(await resource.get(metadata.name), 404, 'NotFound');
      expectStatus(await resource.remove(metadata.name), 404, 'NotFound');
    });

    it('makes the name available for another object', async () => {
      const old = await created();
      bodyOf(await resource.remove(old.metadata.name), 200);
      const { metadata } = bodyOf(await resource.create(objectOf(subject, examples.minimal, old.metadata.name)), 201);
      expect(metadata.uid).to.not.equal(old.metadata.uid);
      expect(metadata.generation).to.equal(1);
    });

    it('keeps the object in a dry run, by query or by body', async () => {
      const { metadata } = await created();
      await changingNothing(server(), async () => {
        for (const options of [{ query: { dryRun: 'All' } }, { body: { dryRun: ['All'] } }]) {
          expectDeleted(bodyOf(await resource.remove(metadata.name, options), 200), metadata);
        }
      });
      bodyOf(await resource.get(metadata.name), 200);
    });

    // Promise: contract 5.8
    it('checks the preconditions uid and resourceVersion', async () => {
      const { metadata } = await created();
      const { name, uid, resourceVersion } = metadata;
      const wrong = [
        { uid: '11111111-1111-4111-8111-111111111111' },
        { resourceVersion: '1' },
        { uid, resourceVersion: '0' },
      ];
      for (const preconditions of wrong) {
        const answer = await changingNothing(server(), () => resource.remove(name, { body: { preconditions } }));
        expectStatus(answer, 409, 'Conflict');
      }
      bodyOf(await resource.remove(name, { body: { preconditions: { uid, resourceVersion } } }), 200);
    });

    // Promise: contract 5.8
    it('accepts the body that kubectl sends', async () => {
      for (const propagationPolicy of ['Background', 'Foreground']) {
        const { metadata } = await created();
        const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy, gracePeriodSeconds: 0 };
        bodyOf(await resource.remove(metadata.name, { body }), 200);
        expectStatus(await resource.get(metadata.name), 404, 'NotFound');
      }
    });
  });

  if (!kind.verbs.includes('deletecollection')) return;

  describe('deletecollection', () => {
    // Promise: contract 5.8
    it('deletes the selected objects, and returns them as a list', async () => {
      const label = freshName('group');
      const selected = [await created({ group: label }), await created({ group: label })];
      const kept = await created({ group: 'other' });
      const query = { labelSelector: `group=${label}` };
      const list = bodyOf(await resource.removeAll({ query }), 200);
      expect(list.items.map(({ metadata }) => metadata.name)).to.have.members(
        selected.map(({ metadata }) => metadata.name),
      );
      expect(bodyOf(await resource.list({ query }), 200).items).to.deep.equal([]);
      bodyOf(await resource.get(kept.metadata.name), 200);
    });

    // Promise: contract 5.8
    it('deletes a page at a time, and only what is selected, if the request has a limit', async () => {
      const label = freshName('pages');
      const names = new Set<string>();
      for (let i = 0; i < 3; i++) names.add((await created({ group: label })).metadata.name);
      const query = { labelSelector: `group=${label}`, limit: 2 };
      const first = bodyOf(await resource.removeAll({ query }), 200);
      expect(first.items).to.have.lengthOf(2);
      for (const { metadata } of first.items) expect(names.delete(metadata.name)).to.equal(true);
      const left = bodyOf(await resource.list({ query: { labelSelector: query.labelSelector } }), 200).items;
      expect(left.map(({ metadata }) => metadata.name)).to.deep.equal([...names]);
      const rest = { ...query, continue: first.metadata.continue ?? '' };
      const second = bodyOf(await resource.removeAll({ query: rest }), 200);
      expect(second.items.map(({ metadata }) => metadata.name)).to.deep.equal([...names]);
      expect(second.metadata.continue).to.equal(undefined);
    });

    it('deletes nothing in a dry run', async () => {
      const { metadata } = await created();
      await changingNothing(server(), async () => {
        const query = { dryRun: 'All', fieldSelector: `metadata.name=${metadata.name}` };
        expect(bodyOf(await resource.removeAll({ query }), 200).items).to.have.lengthOf(1);
      });
    });
  });
}
