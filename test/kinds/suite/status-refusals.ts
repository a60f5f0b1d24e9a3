import { expect } from 'chai';
import type { StatusExamples } from '../../../apis/testing/kind-examples.js';
import { accepted, bodyOf, changingNothing, expectStatus, withMetadata } from '../../harness/resource.js';
import { created, statusOf, withStatus } from './status-objects.js';
import { type Subject, specOf } from './subject.js';

/** Tests writes of a status that are refused. */
export function refusingStatus(subject: Subject, { minimal, changed, invalid }: StatusExamples): void {
  const { resource, examples, server, answers } = subject;
  const part = resource.subresource('status');

  describe('a write of the status is refused', () => {
    it('with a stale resourceVersion or the uid of another object', async () => {
      const old = await withStatus(subject, minimal);
      const { name, resourceVersion } = old.metadata;
      bodyOf(await part.put(name, { ...old, status: changed }), 200);
      const uid = '11111111-1111-4111-8111-111111111111';
      await changingNothing(server(), async () => {
        const put = await part.put(name, { ...old, status: minimal });
        expectStatus(put, answers.stale, 'Conflict', 'the object has been modified');
        const patch = { metadata: { resourceVersion }, status: minimal };
        expectStatus(await part.merge(name, patch), 409, 'Conflict', 'the object has been modified');
        const { resourceVersion: _, ...metadata } = old.metadata;
        const other = withMetadata({ ...old, metadata }, { uid });
        expectStatus(await part.put(name, other), 409, 'Conflict', /UID in precondition/);
        expectStatus(await part.merge(name, { metadata: { uid }, status: minimal }), 409, 'Conflict', /UID in/);
      });
    });

    for (const { why, status: value, field } of invalid) {
      it(`with ${why}`, async () => {
        const old = await withStatus(subject, minimal);
        const { name } = old.metadata;
        await changingNothing(server(), async () => {
          const pointer = [{ op: 'replace', path: '/status', value }];
          for (const answer of [await part.put(name, { ...old, status: value }), await part.jsonPatch(name, pointer)]) {
            const { details } = expectStatus(answer, answers.invalid, 'Invalid');
            expect(details.causes?.map((cause) => cause.field)).to.include(field);
          }
        });
      });
    }

    it('with unknown fields in Strict validation; otherwise they are dropped with warnings', async () => {
      const old = await withStatus(subject, minimal);
      const { name } = old.metadata;
      const odd = { ...old, status: { ...minimal, notKnown: 1 }, spec: { ...old.spec, notKnown: 1 } };
      await changingNothing(server(), async () => {
        const query = { fieldValidation: 'Strict' };
        const { message } = expectStatus(await part.put(name, odd, { query }), 400, 'BadRequest', 'strict decoding');
        expect(message).to.include('unknown field "status.notKnown"').and.include('unknown field "spec.notKnown"');
        const strict = await part.merge(name, { status: { notKnown: 1 } }, { query });
        expectStatus(strict, 422, 'Invalid', 'unknown field "status.notKnown"');
        const warned = await part.put(name, odd);
        expect(bodyOf(warned, 200)).to.deep.equal(old);
        expect(warned.headers['warning']).to.have.lengthOf(2);
        const ignored = await part.put(name, odd, { query: { fieldValidation: 'Ignore' } });
        expect(bodyOf(ignored, 200)).to.deep.equal(old);
        expect(ignored.headers).to.not.have.property('warning');
      });
    });

    it('of an object that does not exist, or with another name in the body', async () => {
      const old = await created(subject);
      const name = subject.name();
      await changingNothing(server(), async () => {
        expectStatus(await part.put(name, { ...old, metadata: { name }, status: minimal }), 404, 'NotFound');
        expectStatus(await part.merge(name, { status: minimal }), 404, 'NotFound');
        expectStatus(await part.get(name), 404, 'NotFound', JSON.stringify(name));
        expectStatus(
          await part.put(old.metadata.name, { ...old, metadata: { name } }),
          400,
          'BadRequest',
          'on the URL',
        );
      });
    });

    it('by methods and paths that it does not have', async () => {
      const { metadata } = await created(subject);
      await changingNothing(server(), async () => {
        for (const answer of [await part.post(metadata.name, {}), await part.remove(metadata.name)]) {
          expectStatus(answer, 405, 'MethodNotAllowed', 'does not allow this method on the requested resource');
        }
        const below = await server().call('GET', `${resource.path(metadata.name)}/status/phase`);
        expectStatus(below, 404, 'NotFound', 'could not find the requested resource');
      });
    });

    it('in an update of the object with unknown fields, and an update of the object does not change it', async () => {
      const old = await withStatus(subject, minimal);
      const { name } = old.metadata;
      const unknown = { ...old, status: { ...minimal, notKnown: 1 } };
      const answer = await resource.put(name, unknown, { query: { fieldValidation: 'Strict' } });
      expectStatus(answer, 400, 'BadRequest', 'unknown field "status.notKnown"');
      accepted(await resource.put(name, { ...old, spec: specOf(examples.changed, name) }), 200);
      expect(statusOf(bodyOf(await resource.get(name), 200))).to.deep.equal(minimal);
    });
  });
}
