import { expect } from 'chai';
import { accepted, bodyOf, changingNothing, expectStatus } from '../../harness/resource.js';
import { objectOf, type Subject, specOf } from './subject.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

export function creating(subject: Subject): void {
  const { resource, examples, kind, server, answers } = subject;
  const { minimal, full, invalid } = examples;

  describe('create', () => {
    // Promise: contract 5.1
    it('answers 201 with the stored object, which has its system fields', async () => {
      const name = subject.name();
      const created = await resource.create(objectOf(subject, full, name));
      const body = bodyOf(created, 201);
      expect(body).to.include({ apiVersion: kind.apiVersion, kind: kind.kind });
      expect(body.metadata).to.include({ name, generation: 1 });
      expect(body.metadata.uid).to.match(UUID);
      expect(body.metadata.creationTimestamp).to.match(SECONDS);
      expect(body.metadata.resourceVersion).to.match(/^[1-9][0-9]*$/);
      expect(body.metadata.namespace).to.equal(kind.scope === 'Namespaced' ? 'default' : undefined);
      expect(body.spec).to.deep.include(specOf(full, name));
      expect(accepted(await resource.get(name), 200).text).to.equal(created.text);
    });

    // Promise: contract 5.1, contract 6
    it('refuses a name that is taken with AlreadyExists', async () => {
      const name = subject.name();
      bodyOf(await resource.create(objectOf(subject, minimal, name)), 201);
      await changingNothing(server(), async () => {
        const again = await resource.create(objectOf(subject, full, name));
        const { details } = expectStatus(again, 409, 'AlreadyExists', `${JSON.stringify(name)} already exists`);
        expect(details).to.include({ name, group: kind.group, kind: kind.resource });
      });
    });

    if (examples.nameOf === undefined) generating(subject);
    waiting(subject);

    // Promise: contract 5.6
    it('stores nothing in a dry run, and returns an object with uid and time but without resourceVersion', async () => {
      const name = subject.name();
      await changingNothing(server(), async () => {
        const { metadata } = bodyOf(
          await resource.create(objectOf(subject, minimal, name), { query: { dryRun: 'All' } }),
          201,
        );
        expect(metadata).to.not.have.property('resourceVersion');
        expect(metadata.uid).to.match(UUID);
        expect(metadata.creationTimestamp).to.match(SECONDS);
      });
      expectStatus(await resource.get(name), 404, 'NotFound');
    });

    // Promise: contract 5.6
    it('reports conflicts in a dry run', async () => {
      const name = subject.name();
      bodyOf(await resource.create(objectOf(subject, minimal, name)), 201);
      const again = await resource.create(objectOf(subject, minimal, name), { query: { dryRun: 'All' } });
      expectStatus(again, 409, 'AlreadyExists');
    });

    // Promise: contract 5.1
    it('refuses a resourceVersion', async () => {
      const object = objectOf(subject, minimal, subject.name());
      const body = { ...object, metadata: { ...object.metadata, resourceVersion: '5' } };
      await changingNothing(server(), async () => {
        expectStatus(await resource.create(body), 400, 'BadRequest', 'resourceVersion should not be set');
      });
    });

    for (const { why, body, field } of invalid) {
      // Promise: contract 6
      it(`refuses ${why}, naming ${field}`, async () => {
        await changingNothing(server(), async () => {
          const answer = await resource.create(objectOf(subject, body, subject.name()));
          const { details } = expectStatus(answer, answers.invalid, 'Invalid');
          expect(details.kind).to.equal(kind.kind);
          expect(details.causes?.map((cause) => cause.field)).to.include(field);
        });
      });
    }
  });
}

function waiting(subject: Subject): void {
  const { resource, examples, kind, name: newName } = subject;
  it('says whether its objects wait for what does not exist', () => {
    expect(examples.waiting !== undefined).to.equal(kind.waits);
  });
  const { waiting: example } = examples;
  if (example === undefined) return;

  it(`stores an object that names what does not exist in ${example.field}, with a warning and a condition`, async () => {
    const answer = await resource.create(objectOf(subject, example.body, example.name ?? newName()));
    const { status } = bodyOf(answer, 201) as unknown as {
      readonly status: { readonly conditions: readonly object[] };
    };
    expect(String(answer.headers['warning'])).to.contain(example.field);
    const [condition] = status.conditions;
    expect(condition).to.include({ type: 'Ready', status: 'False', reason: 'ReferenceNotFound' });
    expect(JSON.stringify(condition)).to.contain(example.field);
  });
}

function generating(subject: Subject): void {
  const { resource, examples, kind } = subject;
  const body = (generateName: string) => ({
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    spec: specOf(examples.minimal, subject.name()),
    metadata: { ...examples.minimal.metadata, generateName },
  });

  // Promise: contract 5.1
  it('generates names from generateName', async () => {
    const made = bodyOf(await resource.create(body('made-')), 201).metadata;
    const other = bodyOf(await resource.create(body('made-')), 201).metadata;
    expect(made.name).to.match(/^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(other.name).to.not.equal(made.name);
    expect(made.generateName).to.equal('made-');
  });

  // Promise: contract 5.1
  it('cuts a long generateName so that the name is not too long', async () => {
    const longest = kind.names?.maxLength ?? 63;
    const { name } = bodyOf(await resource.create(body('g'.repeat(longest))), 201).metadata;
    expect(name).to.have.lengthOf(longest).and.match(/^g+/);
  });
}
