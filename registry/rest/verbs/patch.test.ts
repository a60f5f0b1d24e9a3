import { expect } from 'chai';
import type { Kind } from '../../kinds/kind.js';
import { create, LAMP, LEAF, LIGHT, MEMO, pathTo, ROOM } from '../../testing/house.js';
import type { Received, Sent, Served } from '../../testing/served.js';
import { useHall } from '../testing/house.js';

const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

describe('PATCH', () => {
  const served = useHall('suite');

  const patchOf =
    (kind: Kind, name: string) =>
    (type: string, body: unknown, { query = '', headers = {} }: Sent = {}, part = ''): Promise<Received> =>
      served().send('PATCH', pathTo(kind, name) + part, { body, query, headers: { 'content-type': type, ...headers } });
  const refusal = async (answer: Promise<Received>): Promise<readonly unknown[]> => {
    const { status, body } = await answer;
    return [status, body.message];
  };

  describe('a patch of an object', () => {
    const patch = patchOf(LAMP, 'desk');
    const lamp = async () => (await served().send('GET', pathTo(LAMP, 'desk'))).body;
    before(() => create(served(), LAMP, 'desk', { watts: 5 }, { labels: { a: 'b' } }));
    beforeEach(() => patch(JSON_PATCH, [{ op: 'add', path: '/spec', value: { watts: 5 } }]));

    it('merges members, or makes the changes of a list of operations, and answers with the object', async () => {
      const merged = await patch(MERGE, { spec: { colour: 'red' } });
      expect(merged.status).to.equal(200);
      expect(merged.body.spec).to.deep.equal({ watts: 5, colour: 'red' });
      const changed = await patch(JSON_PATCH, [{ op: 'replace', path: '/spec/watts', value: 7 }]);
      expect(changed.body.spec).to.deep.equal({ watts: 7, colour: 'red' });
      expect(await lamp()).to.deep.equal(changed.body);
    });

    it('is shown to the audit log', async () => {
      const audit = { body: undefined as unknown, changed: () => undefined };
      const request = {
        method: 'PATCH',
        path: pathTo(LAMP, 'desk'),
        query: new URLSearchParams(),
        headers: { 'content-type': MERGE },
        body: Buffer.from('{"spec":{"watts":6}}'),
        user: { name: 'root', uid: '', groups: ['system:masters'], extra: {} },
        audit,
      };
      await served().handler(request as unknown as Parameters<Served['handler']>[0]);
      expect(audit.body).to.deep.equal({ spec: { watts: 6 } });
    });

    it('changes nothing in a dry run, but answers as if it did', async () => {
      const before = await lamp();
      expect((await patch(MERGE, { spec: { watts: 9 } }, { query: 'dryRun=All' })).body.spec).to.include({ watts: 9 });
      expect(await lamp()).to.deep.equal(before);
    });

    it('is refused if its type is none that objects take, and the refusal lists them', async () => {
      const types = 'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml';
      for (const type of ['application/json', STRATEGIC]) {
        const [status, message] = await refusal(patch(type, {}));
        expect(status).to.equal(415);
        expect(message).to.include(types);
      }
    });

    it('is refused if it cannot be parsed, or is no patch', async () => {
      for (const [type, body] of [
        [MERGE, '{'],
        [MERGE, '[]'],
        [MERGE, 'null'],
        [MERGE, '"text"'],
        [JSON_PATCH, '{}'],
        [JSON_PATCH, '[{"op":"none","path":""}]'],
      ] as const)
        expect((await refusal(patch(type, body)))[0], `${type} ${body}`).to.equal(400);
      for (const body of ['[]', 'null', '"text"'])
        expect(await refusal(patch(MERGE, body)), body).to.deep.equal([400, 'a merge patch must be a JSON object']);
    });

    it('may have as many values as any body, whatever its type', async () => {
      const items = Array.from({ length: 44_900 }, (_, i) => [`k${i}`, 1]);
      const spec = Object.fromEntries(items);
      for (const status of [200, 413]) {
        expect((await patch(MERGE, { spec })).status).to.equal(status);
        expect((await patch(JSON_PATCH, [{ op: 'test', path: '/spec/none', value: spec }])).status).to.equal(
          status === 200 ? 422 : 413,
        );
        for (let i = 0; i < 200; i++) spec[`more ${i}`] = 1;
      }
      const operations = Array.from({ length: 9000 }, () => ({ op: 'test', path: '/spec/watts', value: 5 }));
      expect((await patch(JSON_PATCH, operations)).status).to.equal(200);
    });

    it('must not make the object invalid', async () => {
      const answer = await patch(MERGE, { spec: { watts: 1000 } });
      expect([answer.status, answer.body.details.causes?.[0]?.field]).to.deep.equal([422, 'spec.watts']);
      expect((await lamp()).spec).to.deep.equal({ watts: 5 });
    });

    it('must not change the name or the namespace', async () => {
      const moved = [400, 'a patch must not change metadata.name or metadata.namespace'];
      expect(await refusal(patch(MERGE, { metadata: { name: 'other' } }))).to.deep.equal(moved);
      expect(await refusal(patch(MERGE, { metadata: { namespace: 'other' } }))).to.deep.equal(moved);
      for (const namespace of ['hall', null]) {
        const { status, body } = await patch(MERGE, { metadata: { name: 'desk', namespace } });
        expect([status, body.metadata.namespace]).to.deep.equal([200, 'hall']);
      }
    });

    it('of an object without a namespace does not give it one, as in Kubernetes', async () => {
      const { status, body } = await patchOf(ROOM, 'hall')(MERGE, { metadata: { namespace: 'hall' } });
      expect([status, body.metadata.namespace]).to.deep.equal([200, undefined]);
      expect((await patchOf(ROOM, 'hall')(MERGE, { metadata: { labels: { a: 'b' } } })).status).to.equal(200);
    });

    it('with a uid or a version applies only to the object that has them', async () => {
      const { uid, resourceVersion } = (await lamp()).metadata;
      for (const metadata of [{ uid: 'other' }, { resourceVersion: '1' }])
        expect((await patch(MERGE, { metadata, spec: { watts: 8 } })).status).to.equal(409);
      expect((await patch(MERGE, { metadata: { uid, resourceVersion }, spec: { watts: 8 } })).status).to.equal(200);
      expect((await patch(MERGE, { metadata: { uid: null, resourceVersion: null }, spec: {} })).status).to.equal(200);
      expect((await patch(MERGE, { metadata: { resourceVersion: '' }, spec: {} })).status).to.equal(200);
    });

    it('cannot be forced, because only an apply takes fields over', async () => {
      for (const query of ['force=true', 'force=false']) {
        const { status, body } = await patch(MERGE, {}, { query });
        expect([status, body.reason]).to.deep.equal([422, 'Invalid']);
        expect(body.details.causes).to.deep.equal([
          {
            reason: 'FieldValueForbidden',
            message: 'Forbidden: may not be specified for non-apply patch',
            field: 'force',
          },
        ]);
      }
    });

    it('answers 404 if there is no object', async () => {
      expect((await patchOf(LAMP, 'none')(MERGE, {})).status).to.equal(404);
    });

    it('also changes objects that are not in memory', async () => {
      await create(served(), LEAF, 'green', { tree: 'oak', size: 1 });
      expect((await patchOf(LEAF, 'green')(MERGE, { spec: { size: 2 } })).body.spec).to.deep.equal({
        tree: 'oak',
        size: 2,
      });
    });

    it('that applies creates the object if there is none', async () => {
      const applied = { apiVersion: LAMP.apiVersion, kind: 'Lamp', metadata: { name: 'new' }, spec: { watts: 3 } };
      const query = 'fieldManager=me';
      expect((await patchOf(LAMP, 'new')(APPLY, applied, { query })).status).to.equal(201);
      expect((await patchOf(LAMP, 'new')(APPLY, applied, { query })).status).to.equal(200);
    });
  });

  describe('a field of a patch that the kind does not have', () => {
    const patch = patchOf(LAMP, 'wall');
    before(() => create(served(), LAMP, 'wall', { watts: 5 }));
    const body = { spec: { colour: 'red', extra: 1 } };

    it('is dropped with a warning', async () => {
      for (const query of ['', 'fieldValidation=Warn']) {
        const { status, headers, body: object } = await patch(MERGE, body, { query });
        expect([status, headers['warning']]).to.deep.equal([200, ['299 - "unknown field \\"spec.extra\\""']]);
        expect(object.spec).to.deep.equal({ watts: 5, colour: 'red' });
      }
    });

    it('is dropped without one if the client does not care', async () => {
      const { status, headers } = await patch(MERGE, body, { query: 'fieldValidation=Ignore' });
      expect([status, headers['warning']]).to.deep.equal([200, undefined]);
    });

    it('is invalid if the client is strict, and so is a field that is there twice', async () => {
      for (const [sent, problem] of [
        [JSON.stringify(body), 'unknown field "spec.extra"'],
        ['{"spec":{"watts":5,"watts":6}}', 'duplicate field "spec.watts"'],
      ] as const) {
        const answer = await patch(MERGE, sent, { query: 'fieldValidation=Strict' });
        expect(answer.status).to.equal(422);
        expect(answer.body.details).to.deep.include({ name: 'wall', kind: 'Lamp' });
        expect(answer.body.details.causes).to.deep.equal([
          { reason: 'FieldValueInvalid', message: `Invalid value: strict decoding error: ${problem}`, field: 'patch' },
        ]);
      }
      const whole = await patch(MERGE, { spec: { watts: 6 } }, { query: 'fieldValidation=Strict' });
      expect(whole.status).to.equal(200);
    });

    it('comes with the advice about the object', async () => {
      const metadata = { annotations: { 'svc.app/none': 'x' } };
      const { headers } = await patch(MERGE, { ...body, metadata });
      expect(headers['warning']).to.have.length(2);
      expect(headers['warning']?.[1]).to.include('svc.app/none');
      expect((await patch(MERGE, { metadata: { annotations: null } })).headers['warning']).to.equal(undefined);
    });
  });

  describe('a strategic merge patch', () => {
    const patch = patchOf(MEMO, 'list');
    before(() => create(served(), MEMO, 'list', { text: 'milk' }));

    it('is a merge patch of all but the lists of the metadata, for kinds of Kubernetes', async () => {
      const answer = await patch(STRATEGIC, { text: 'bread', more: { $: 1 } });
      expect(answer.status).to.equal(400);
      expect((await patch(STRATEGIC, { text: 'bread' })).body).to.include({ text: 'bread' });
      expect((await patch(MERGE, { text: 'tea', more: { $patch: 'x' } })).body).to.deep.include({ text: 'tea' });
    });

    it('merges finalizers, as kubectl apply asks for', async () => {
      const finalizers = ['example.org/one', 'example.org/other'];
      await patch(MERGE, { metadata: { finalizers } });
      const metadata = {
        finalizers: ['example.org/two'],
        '$setElementOrder/finalizers': ['example.org/two'],
        '$deleteFromPrimitiveList/finalizers': ['example.org/one'],
      };
      const { status, body } = await patch(STRATEGIC, { metadata });
      expect([status, body.metadata.finalizers]).to.deep.equal([200, ['example.org/two', 'example.org/other']]);
      const none = await patch(STRATEGIC, { metadata: { finalizers: null } });
      expect(none.body.metadata).to.not.have.property('finalizers');
    });

    it('must have no other directives, at any depth', async () => {
      for (const body of [{ $patch: 'replace' }, { more: { list: [{ a: null }, { $patch: 'delete' }] } }])
        expect(await refusal(patch(STRATEGIC, body))).to.deep.equal([
          400,
          'the directive $patch of strategic merge patches is not supported',
        ]);
      expect((await patch(STRATEGIC, { more: { list: [null, { a: '$patch' }] } })).status).to.equal(200);
      const [, message] = await refusal(patch(STRATEGIC, { [`$${'x'.repeat(1000)}`]: 1 }));
      expect(message).to.have.length.below(200);
    });
  });

  describe('a patch of the status', () => {
    const patch = patchOf(LAMP, 'hall-lamp');
    before(() => create(served(), LAMP, 'hall-lamp', { watts: 5 }));

    it('changes only the status', async () => {
      const changed = await patch(MERGE, { status: { isLit: true }, spec: { watts: 9 } }, {}, '/status');
      expect(changed.body).to.deep.include({ status: { isLit: true }, spec: { watts: 5 } });
      const kept = await patch(MERGE, { status: { isLit: false }, spec: { watts: 9 } });
      expect(kept.body).to.deep.include({ status: { isLit: true }, spec: { watts: 9 } });
    });

    it('gets no advice about the object', async () => {
      const metadata = { annotations: { 'svc.app/none': 'x' } };
      expect((await patch(MERGE, { metadata, status: { isLit: true } }, {}, '/status')).headers['warning']).to.equal(
        undefined,
      );
    });
  });

  describe('a patch of an object that is stored as another one', () => {
    before(() => create(served(), LAMP, 'ceiling', { watts: 5, colour: 'red' }));

    it('is made on the object as it is served(), and stored as the other', async () => {
      const { status, body } = await patchOf(LIGHT, 'ceiling')(MERGE, { spec: { power: 6 } });
      expect([status, body.kind, body.spec]).to.deep.equal([200, 'Light', { power: 6 }]);
      expect((await served().send('GET', pathTo(LAMP, 'ceiling'))).body.spec).to.deep.equal({ watts: 6 });
    });
  });
});
