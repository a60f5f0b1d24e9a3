import { expect } from 'chai';
import { bodyOf, changingNothing, expectStatus } from '../../harness/resource.js';
import { objectOf, type Subject } from './subject.js';

export function fields(subject: Subject): void {
  const { resource, examples, kind, server } = subject;
  const { isOpen = false } = examples;
  /** A part of an object whose unknown members are dropped. An open spec keeps them. */
  const part = isOpen ? 'metadata' : 'spec';
  const odd = (name: string): Record<string, unknown> => {
    const object = objectOf(subject, examples.minimal, name);
    const metadata = { ...object.metadata, unknownToo: 1 };
    const sent = { ...object, metadata };
    return { ...sent, [part]: { ...(sent[part] as object), notKnown: 1 } };
  };

  describe('unknown and repeated fields', () => {
    // Promise: contract 5.7
    it('are refused with fieldValidation=Strict, and all of them are named', async () => {
      const strict = { query: { fieldValidation: 'Strict' } };
      const answer = await changingNothing(server(), () => resource.create(odd(subject.name()), strict));
      const { message } = expectStatus(
        answer,
        400,
        'BadRequest',
        `cannot be handled as a ${kind.kind}: strict decoding error: `,
      );
      expect(message).to.include(`unknown field "${part}.notKnown"`).and.include('unknown field "metadata.unknownToo"');
    });

    // Promise: contract 5.7
    it('are dropped by default, with warnings', async () => {
      for (const query of [{}, { fieldValidation: 'Warn' }]) {
        const name = subject.name();
        const answer = await resource.create(odd(name), { query });
        expect(bodyOf(answer, 201)[part]).to.not.have.property('notKnown');
        expect(answer.headers['warning']).to.include(`299 - "unknown field \\"${part}.notKnown\\""`);
      }
    });

    // Promise: contract 5.7
    it('are dropped without warning with Ignore', async () => {
      const answer = await resource.create(odd(subject.name()), { query: { fieldValidation: 'Ignore' } });
      expect(bodyOf(answer, 201)[part]).to.not.have.property('notKnown');
      expect(answer.headers).to.not.have.property('warning');
    });

    // Promise: contract 5.7
    it('in a patch are Invalid with Strict, and dropped otherwise', async () => {
      const { metadata } = bodyOf(await resource.create(objectOf(subject, examples.minimal, subject.name())), 201);
      const patch = { [part]: { notKnown: 1 } };
      await changingNothing(server(), async () => {
        const strict = await resource.merge(metadata.name, patch, { query: { fieldValidation: 'Strict' } });
        expectStatus(strict, 422, 'Invalid', `unknown field "${part}.notKnown"`);
        const warned = await resource.merge(metadata.name, patch);
        expect(bodyOf(warned, 200)[part]).to.not.have.property('notKnown');
        expect(warned.headers['warning']).to.have.lengthOf(1);
      });
    });

    if (isOpen)
      it('in the spec are kept, without a warning', async () => {
        const object = objectOf(subject, examples.minimal, subject.name());
        const spec = { ...(object.spec as object), notKnown: { any: ['thing', null] } };
        const answer = await resource.create({ ...object, spec }, { query: { fieldValidation: 'Strict' } });
        expect(bodyOf(answer, 201).spec).to.deep.equal(spec);
        expect(answer.headers).to.not.have.property('warning');
      });

    // Promise: contract 5.7
    it('that occur twice are refused, or reported by a warning', async () => {
      const text = JSON.stringify(objectOf(subject, examples.minimal, subject.name())).replace('{', '{"kind":"Other",');
      const strict = await changingNothing(server(), () =>
        resource.create(text, { query: { fieldValidation: 'Strict' } }),
      );
      expectStatus(strict, 400, 'BadRequest', 'duplicate field "kind"');
      const warned = await resource.create(text);
      bodyOf(warned, 201);
      expect(warned.headers['warning']).to.deep.equal(['299 - "duplicate field \\"kind\\""']);
    });

    // Promise: contract 5.7
    it('with another value of fieldValidation are Invalid', async () => {
      const query = { fieldValidation: 'Maybe' };
      const answer = await changingNothing(server(), () =>
        resource.create(objectOf(subject, examples.minimal, subject.name()), { query }),
      );
      expectStatus(answer, 422, 'Invalid', 'supported values: "", "Ignore", "Strict", "Warn"');
    });
  });
}
