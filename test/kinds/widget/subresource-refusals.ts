import { expect } from 'chai';
import { changingNothing, expectStatus } from '../../harness/resource.js';
import type { Subject } from '../suite/subject.js';
import { created, size, VERSION } from './created.js';

/** Tests requests to subresources that are refused. */
export function refusingSubresources(subject: Subject): void {
  const { resource, server } = subject;
  const part = resource.subresource('size');

  describe('a request to a subresource is refused', () => {
    it('with a body of another type, or with wrong or unknown fields', async () => {
      const { name } = (await created(subject)).metadata;
      const strict = { query: { fieldValidation: 'Strict' } };
      await changingNothing(server(), async () => {
        const other = await part.put(name, { apiVersion: VERSION, kind: 'Widget', ...size(3) });
        expectStatus(other, 400, 'BadRequest', 'does not match the expected kind (WidgetSize)');
        const version = await part.put(name, { apiVersion: 'v1', ...size(3) });
        expectStatus(version, 400, 'BadRequest', `expected API version (${VERSION})`);
        const mistyped = await part.put(name, size('three'));
        expectStatus(mistyped, 400, 'BadRequest', 'cannot be handled as a WidgetSize: spec.size');
        const { details } = expectStatus(await part.put(name, size(11)), 422, 'Invalid', 'spec.size');
        expect(details).to.include({ name, group: 'widget.svc.app', kind: 'WidgetSize' });
        expectStatus(await part.put(name, { spec: {} }), 422, 'Invalid', 'spec.size: Required value');
        const odd = { spec: { size: 3, notKnown: 1 } };
        expectStatus(await part.put(name, odd, strict), 400, 'BadRequest', 'unknown field "spec.notKnown"');
        const warned = await part.put(name, odd);
        expect([warned.status, warned.headers['warning']]).to.deep.equal([
          200,
          ['299 - "unknown field \\"spec.notKnown\\""'],
        ]);
        expectStatus(await part.put(name, undefined), 400, 'BadRequest', 'needs a body');
      });
    });

    it('with the name or namespace of another object', async () => {
      const { name } = (await created(subject)).metadata;
      await changingNothing(server(), async () => {
        const another = await part.put(name, { ...size(4), metadata: { name: 'another' } });
        expectStatus(another, 400, 'BadRequest', 'does not match the name on the URL');
        const elsewhere = await part.put(name, { ...size(4), metadata: { namespace: 'org-2' } });
        expectStatus(elsewhere, 400, 'BadRequest', 'the namespace of the provided object does not match');
      });
    });

    it('for an unknown object, subresource or method', async () => {
      const { name } = (await created(subject)).metadata;
      await changingNothing(server(), async () => {
        for (const answer of [await part.get('nobody'), await part.put('nobody', size(4))]) {
          expectStatus(answer, 404, 'NotFound', 'widgets.widget.svc.app "nobody" not found');
        }
        const soul = resource.subresource('soul');
        const outside = `/apis/${VERSION}/widgets/${name}/size`;
        for (const answer of [await soul.get(name), await soul.put(name, {}), await server().call('GET', outside)]) {
          expectStatus(answer, 404, 'NotFound', 'the server could not find the requested resource');
        }
        for (const answer of [await part.post(name, size(4)), await part.remove(name)]) {
          expectStatus(
            answer,
            405,
            'MethodNotAllowed',
            'the server does not allow this method on the requested resource',
          );
        }
      });
    });

    it('in a namespace that does not exist', async () => {
      const path = `/apis/${VERSION}/namespaces/nowhere/widgets/a/size`;
      expectStatus(await server().call('GET', path), 404, 'NotFound', 'namespaces "nowhere" not found');
    });
  });
}
