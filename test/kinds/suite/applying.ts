import { expect } from 'chai';
import type { Fields } from '../../../pkg/kube/fieldmanager/fields.js';
import { bodyOf, changingNothing } from '../../harness/resource.js';
import { applyAt, managersOf } from '../../resource-api/apply.js';
import { objectOf, type Subject } from './subject.js';

export function applying(subject: Subject): void {
  const { resource, examples, server } = subject;
  const apply = applyAt(server, resource.path());
  const configOf = (name: string) => objectOf(subject, examples.minimal, name);

  describe('server-side apply', () => {
    // Promise: contract 5.3
    it('creates an object, and of the same configuration writes nothing', async () => {
      const name = subject.name();
      const body = bodyOf(await apply(name, configOf(name)), 201);
      expect(managersOf(body)).to.have.all.keys('one Apply');
      await changingNothing(server(), async () => {
        expect(bodyOf(await apply(name, configOf(name)), 200)).to.deep.equal(body);
      });
    });

    it('adds the fields of another manager, and removes them again', async () => {
      const name = subject.name();
      const body = bodyOf(await resource.create(configOf(name), { query: { fieldManager: 'maker' } }), 201);
      const { annotations, ...rest } = body.metadata;
      const config = { ...configOf(name), metadata: { name, labels: { team: 'two' } }, spec: undefined };
      const labelled = bodyOf(await apply(name, config), 200);
      expect(labelled).to.deep.include({ spec: body.spec });
      expect(labelled.metadata.labels).to.include({ team: 'two' });
      const owned: Fields = { 'f:metadata': { 'f:labels': { 'f:team': {} } } };
      expect(managersOf(labelled))
        .to.have.all.keys('one Apply', 'maker Update')
        .and.deep.include({ 'one Apply': owned });
      const without = { ...config, metadata: { name } };
      const removed = bodyOf(await apply(name, without), 200);
      expect([removed.spec, removed.metadata.labels]).to.deep.equal([body.spec, rest.labels]);
      expect(Object.keys(annotations ?? {})).to.include.members(Object.keys(removed.metadata.annotations ?? {}));
      expect(managersOf(removed)).to.have.all.keys('maker Update');
    });

    const { status } = examples;
    if (status === undefined) return;
    // Promise: contract 5.4
    it('of the status changes nothing else, and is managed by itself', async () => {
      const name = subject.name();
      const body = bodyOf(await resource.create(configOf(name), { query: { fieldManager: 'maker' } }), 201);
      const applyStatus = (value: unknown) =>
        server().call('PATCH', `${resource.path(name)}/status`, {
          body: { ...configOf(name), spec: undefined, status: value },
          headers: { 'content-type': 'application/apply-patch+yaml' },
          query: { fieldManager: 'controller' },
        });
      const changed = bodyOf(await applyStatus(status.minimal), 200);
      expect(changed).to.deep.include({ spec: body.spec, status: status.minimal });
      expect(changed.metadata.generation).to.equal(body.metadata.generation);
      expect(managersOf(changed)).to.have.all.keys('maker Update', 'controller Apply status');
    });
  });
}
