import { expect } from 'chai';
import { bodyOf, changingNothing, expectStatus } from '../../harness/resource.js';
import type { Subject } from '../suite/subject.js';
import { created, size, VERSION } from './created.js';
import { refusingSubresources } from './subresource-refusals.js';

/**
 * Tests subresources. `size` has get, update and patch, `copies` has create, and `finalize` has bodies of the kind
 * itself.
 */
export function subresources(subject: Subject): void {
  reading(subject);
  updating(subject);
  patching(subject);
  creating(subject);
  ofItsOwnKind(subject);
  refusingSubresources(subject);
  atAnAlias(subject);
}

function reading(subject: Subject): void {
  const part = subject.resource.subresource('size');

  it('get returns the answer of the handler', async () => {
    const { metadata } = await created(subject);
    const { name, namespace, uid, resourceVersion } = metadata;
    expect(bodyOf(await part.get(name), 200)).to.deep.equal({
      kind: 'WidgetSize',
      apiVersion: VERSION,
      metadata: { name, namespace, uid, resourceVersion },
      spec: { size: 3 },
      status: { isLarge: false },
    });
  });
}

function updating(subject: Subject): void {
  const { resource, server } = subject;
  const part = resource.subresource('size');

  describe('update of a subresource', () => {
    it('changes the object in a commit, and a watch gets the change', async () => {
      const old = await created(subject);
      const { name, resourceVersion } = old.metadata;
      const frames = await resource.watch({ resourceVersion: resourceVersion ?? '' });
      const answer = bodyOf(await part.put(name, { apiVersion: VERSION, kind: 'WidgetSize', ...size(7) }), 200);
      expect(answer).to.deep.include({ kind: 'WidgetSize', spec: { size: 7 }, status: { isLarge: true } });
      const [event] = await frames.take(1);
      await frames.close();
      const object = bodyOf(await resource.get(name), 200);
      expect(event).to.deep.equal({ type: 'MODIFIED', object });
      expect(object.spec).to.deep.equal({ ...old.spec, size: 7 });
      expect(object.metadata).to.include({ generation: 2, resourceVersion: answer.metadata.resourceVersion });
    });

    it('accepts the answer of get, and a body without apiVersion and kind', async () => {
      const { metadata } = await created(subject);
      const answer = await part.get(metadata.name);
      await changingNothing(server(), async () => {
        for (const body of [answer.json(), size(3)]) {
          const again = await part.put(metadata.name, body, { query: { fieldValidation: 'Strict' } });
          expect(bodyOf(again, 200)).to.deep.equal(answer.json());
          expect(again.headers).to.not.have.property('warning');
        }
      });
    });

    it('writes nothing in a dry run, and returns the answer as it would be', async () => {
      const { metadata } = await created(subject);
      const dry = () => part.put(metadata.name, size(7), { query: { dryRun: 'All' } });
      expect(bodyOf(await changingNothing(server(), dry), 200).spec).to.deep.equal({ size: 7 });
    });

    it('uses a uid and a resourceVersion as preconditions', async () => {
      const { metadata } = await created(subject);
      const { name, uid, resourceVersion } = metadata;
      bodyOf(await part.put(name, { ...size(4), metadata: { uid, resourceVersion } }), 200);
      await changingNothing(server(), async () => {
        const stale = await part.put(name, { ...size(5), metadata: { resourceVersion } });
        expectStatus(stale, 409, 'Conflict', 'the object has been modified');
        const other = await part.put(name, { ...size(5), metadata: { uid: 'another' } });
        expectStatus(other, 409, 'Conflict', /UID in precondition: another/);
      });
    });

    it('does not change the status', async () => {
      const { metadata } = await created(subject);
      const { name } = metadata;
      bodyOf(await resource.subresource('status').merge(name, { status: { phase: 'Ready' } }), 200);
      bodyOf(await part.put(name, size(7)), 200);
      expect(bodyOf(await resource.get(name), 200)).to.deep.include({ status: { phase: 'Ready' } });
    });
  });
}

function patching(subject: Subject): void {
  const { resource, server } = subject;
  const part = resource.subresource('size');

  describe('patch of a subresource', () => {
    it('applies both patch types to the answer of get', async () => {
      const { metadata } = await created(subject);
      expect(bodyOf(await part.merge(metadata.name, size(6)), 200)).to.deep.include(size(6));
      const operations = [
        { op: 'test', path: '/status/isLarge', value: true },
        { op: 'replace', path: '/spec/size', value: 2 },
      ];
      expect(bodyOf(await part.jsonPatch(metadata.name, operations), 200)).to.deep.include(size(2));
      expect(bodyOf(await resource.get(metadata.name), 200).spec).to.include({ size: 2 });
    });

    it('writes nothing if nothing changes, in a dry run, and if it is refused', async () => {
      const { metadata } = await created(subject);
      const { name } = metadata;
      await changingNothing(server(), async () => {
        bodyOf(await part.merge(name, {}), 200);
        expect(bodyOf(await part.merge(name, size(9), { query: { dryRun: 'All' } }), 200)).to.deep.include(size(9));
        expectStatus(await part.merge(name, { ...size(9), metadata: { resourceVersion: '1' } }), 409, 'Conflict');
        expectStatus(await part.jsonPatch(name, [{ op: 'test', path: '/spec/size', value: 9 }]), 422, 'Invalid');
        const odd = await part.merge(name, { spec: { notKnown: 1 } }, { query: { fieldValidation: 'Strict' } });
        expectStatus(odd, 422, 'Invalid', 'unknown field "spec.notKnown"');
        expectStatus(await part.merge(name, size(9), { query: { force: true } }), 422, 'Invalid', 'force');
        const headers = { 'content-type': 'text/plain' };
        expectStatus(await part.merge(name, size(9), { headers }), 415, 'UnsupportedMediaType', 'merge-patch+json');
      });
    });
  });
}

function creating(subject: Subject): void {
  const { resource, server } = subject;
  const part = resource.subresource('copies');
  const named = (name: string): object => ({ spec: { name } });

  describe('create of a subresource', () => {
    it('answers 201, and stores the new object', async () => {
      const old = await created(subject);
      const name = subject.name();
      const before = await server().end();
      const answer = bodyOf(await part.post(old.metadata.name, named(name)), 201);
      expect(await server().end()).to.equal(before + 1);
      const copy = bodyOf(await resource.get(name), 200);
      expect(copy.spec).to.deep.equal(old.spec);
      expect(answer).to.include({ kind: 'WidgetCopy', apiVersion: VERSION });
      expect(answer.metadata).to.deep.equal({ name: old.metadata.name, namespace: 'default' });
      expect(answer.status).to.have.property('uid', copy.metadata.uid);
      expect((answer as unknown as { status: { at: number } }).status.at).to.be.closeTo(server().clock.now(), 60_000);
    });

    it('writes nothing in a dry run, or if it is refused', async () => {
      const { metadata } = await created(subject);
      await changingNothing(server(), async () => {
        bodyOf(await part.post(metadata.name, named(subject.name()), { query: { dryRun: 'All' } }), 201);
        const own = await part.post(metadata.name, named(metadata.name));
        expectStatus(own, 422, 'Invalid', 'it is its own name');
        const stale = await part.post(metadata.name, { ...named(subject.name()), metadata: { resourceVersion: '1' } });
        expectStatus(stale, 409, 'Conflict', 'the object has been modified');
      });
      const name = subject.name();
      bodyOf(await part.post(metadata.name, named(name)), 201);
      const again = await changingNothing(server(), () => part.post(metadata.name, named(name)));
      expectStatus(again, 409, 'AlreadyExists', `${JSON.stringify(name)} already exists`);
    });
  });
}

function ofItsOwnKind(subject: Subject): void {
  const { resource, server } = subject;
  const part = resource.subresource('finalize');

  describe('a subresource with bodies of the kind itself', () => {
    it('accepts and returns objects', async () => {
      const old = await created(subject, { finalizers: ['example.com/a', 'example.com/b'] });
      const { name } = old.metadata;
      const metadata = { ...old.metadata, finalizers: ['example.com/b'], labels: { a: '1' } };
      const body = bodyOf(await part.put(name, { ...old, metadata }), 200);
      expect(body.metadata).to.deep.include({ finalizers: ['example.com/b'], labels: old.metadata.labels });
      expect(bodyOf(await resource.get(name), 200)).to.deep.equal(body);
      const gone = bodyOf(await resource.remove(name), 200);
      bodyOf(await part.put(name, { ...gone, metadata: { name } }), 200);
      expectStatus(await resource.get(name), 404, 'NotFound');
    });

    it('answers with a Table if the client prefers it', async () => {
      const old = await created(subject);
      const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
      const table = bodyOf(await part.put(old.metadata.name, old, { headers }), 200);
      expect(table.columnDefinitions.map(({ name }) => name)).to.deep.equal(['Name', 'Phase', 'Age']);
    });

    it('refuses a body of another kind', async () => {
      const { metadata } = await created(subject);
      const answer = await changingNothing(server(), () => part.put(metadata.name, size(3)));
      expectStatus(answer, 400, 'BadRequest', 'does not match the expected kind (Widget)');
    });
  });
}

function atAnAlias(subject: Subject): void {
  const { server } = subject;
  const root = '/apis/tools.widget.svc.app/v1';

  describe('an alias of a subresource', () => {
    it('serves the subresource, and nothing else of the kind', async () => {
      const { name } = (await created(subject)).metadata;
      const objects = `${root}/namespaces/default/widgets`;
      const body = { spec: { name: subject.name() } };
      expect((await server().call('POST', `${objects}/${name}/copies`, { body })).status).to.equal(201);
      for (const path of [objects, `${objects}/${name}`, `${objects}/${name}/size`, `${objects}/${name}/status`]) {
        expectStatus(await server().call('GET', path), 404, 'NotFound', 'could not find the requested resource');
      }
    });

    it('is described in discovery and OpenAPI', async () => {
      const { resources } = bodyOf(await server().call('GET', root), 200) as unknown as { resources: unknown };
      expect(resources).to.deep.equal([
        {
          name: 'widgets/copies',
          singularName: '',
          namespaced: true,
          group: 'widget.svc.app',
          version: 'v1beta1',
          kind: 'WidgetCopy',
          verbs: ['create'],
        },
      ]);
      const { paths } = bodyOf(await server().call('GET', `/openapi/v3${root}`), 200) as unknown as { paths: object };
      expect(paths).to.have.keys([`${root}/namespaces/{namespace}/widgets/{name}/copies`]);
    });
  });
}
