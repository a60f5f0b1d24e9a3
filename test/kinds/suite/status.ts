import { expect } from 'chai';
import type { StatusExamples } from '../../../apis/testing/kind-examples.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { Client } from '../../../registry/client/client.js';
import { accepted, bodyOf, changingNothing } from '../../harness/resource.js';
import { ADMIN } from '../../harness/server.js';
import { beside, created, statusOf, withStatus } from './status-objects.js';
import { refusingStatus } from './status-refusals.js';
import { objectOf, type Subject, servedKind, specOf } from './subject.js';

/** Tests kinds with a status. They behave like those of a CustomResourceDefinition with the status subresource. */
export function status(subject: Subject): void {
  const { kind, examples } = subject;
  it('has examples of its status, if clients write one', () => {
    expect(examples.status !== undefined).to.equal(kind.status !== undefined && kind.hasOwnStatus !== true);
  });
  if (examples.status === undefined) return;
  ignoring(subject, examples.status);
  writing(subject, examples.status);
  refusingStatus(subject, examples.status);
  describing(subject);
}

function ignoring(subject: Subject, { minimal, changed, invalid }: StatusExamples): void {
  const { resource, examples, server } = subject;

  describe('the status in writes of the object', () => {
    // Promise: contract 5.2
    it('is dropped by create', async () => {
      for (const value of [minimal, ...invalid.map((one) => one.status)]) {
        const object = objectOf(subject, examples.full, subject.name());
        expect(bodyOf(await resource.create({ ...object, status: value }), 201)).to.not.have.property('status');
      }
    });

    // Promise: contract 5.2
    it('is not changed by update, whatever the body contains', async () => {
      const old = await withStatus(subject, minimal);
      const { name } = old.metadata;
      for (const value of [changed, undefined, ...invalid.map((one) => one.status)]) {
        const same = await changingNothing(server(), () => resource.put(name, { ...old, status: value }));
        expect(bodyOf(same, 200)).to.deep.equal(old);
      }
      const body = bodyOf(
        await resource.put(name, { ...old, spec: specOf(examples.changed, name), status: changed }),
        200,
      );
      expect([statusOf(body), body.metadata.generation]).to.deep.equal([minimal, 2]);
    });

    it('is not changed by patches, whatever they contain', async () => {
      const old = await withStatus(subject, minimal);
      const { name } = old.metadata;
      await changingNothing(server(), async () => {
        expect(bodyOf(await resource.merge(name, { status: changed }), 200)).to.deep.equal(old);
        expect(bodyOf(await resource.merge(name, { status: null }), 200)).to.deep.equal(old);
        const operation = { op: 'replace', path: '/status', value: changed };
        expect(bodyOf(await resource.jsonPatch(name, [operation]), 200)).to.deep.equal(old);
      });
      const body = bodyOf(await resource.merge(name, { spec: specOf(examples.changed, name), status: changed }), 200);
      expect([statusOf(body), body.metadata.generation]).to.deep.equal([minimal, 2]);
    });
  });
}

function writing(subject: Subject, { minimal, changed }: StatusExamples): void {
  const { resource, examples, server } = subject;
  const part = resource.subresource('status');

  describe('the subresource status', () => {
    it('returns the object, in every representation', async () => {
      const object = await withStatus(subject, minimal);
      const { name } = object.metadata;
      const [own, whole] = [await part.get(name), await resource.get(name)];
      expect(bodyOf(own, 200)).to.deep.equal(object);
      expect([own.text, own.headers['etag']]).to.deep.equal([whole.text, whole.headers['etag']]);
      const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
      expect(bodyOf(await part.get(name, { headers }), 200).rows[0]?.object.metadata).to.deep.equal(object.metadata);
    });

    // Promise: contract 5.2
    it('updates only the status, and keeps spec, metadata and generation', async () => {
      const old = await created(subject, { finalizers: ['example.com/kept'] });
      const { name, uid, resourceVersion } = old.metadata;
      const sent = {
        ...old,
        metadata: { name, uid, resourceVersion, labels: { a: '1' }, annotations: { a: '1' }, finalizers: ['a.com/b'] },
        spec: specOf(examples.changed, name),
        status: minimal,
      };
      const body = bodyOf(await part.put(name, sent), 200);
      expect(statusOf(body)).to.deep.equal(minimal);
      expect(beside(body)).to.deep.equal(beside(old));
      expect(Number(body.metadata.resourceVersion)).to.be.greaterThan(Number(resourceVersion));
      expect(bodyOf(await resource.get(name), 200)).to.deep.equal(body);
      bodyOf(await resource.merge(name, { metadata: { finalizers: null } }), 200);
    });

    it('needs no spec in the body, and ignores an invalid one', async () => {
      const { apiVersion, kind, metadata } = await created(subject);
      for (const spec of [undefined, null, 'wrong', { wrong: true }]) {
        const body = { apiVersion, kind, metadata: { name: metadata.name }, spec, status: minimal };
        expect(statusOf(bodyOf(await part.put(metadata.name, body), 200))).to.deep.equal(minimal);
      }
    });

    // Promise: contract 5.2
    it('patches only the status, with both patch types', async () => {
      const old = await withStatus(subject, minimal);
      const { name } = old.metadata;
      const patch = { status: changed, spec: specOf(examples.changed, name), metadata: { labels: { a: '1' } } };
      const merged = bodyOf(await part.merge(name, patch), 200);
      expect(statusOf(merged)).to.deep.equal({ ...minimal, ...changed });
      expect(beside(merged)).to.deep.equal(beside(old));
      const operations = [
        { op: 'test', path: '/status', value: statusOf(merged) },
        { op: 'replace', path: '/status', value: minimal },
        { op: 'remove', path: '/spec' },
      ];
      const patched = bodyOf(await part.jsonPatch(name, operations), 200);
      expect(statusOf(patched)).to.deep.equal(minimal);
      expect(beside(patched)).to.deep.equal(beside(old));
    });

    it('removes the status in an update without it', async () => {
      const { status: _, ...rest } = await withStatus(subject, minimal);
      expect(bodyOf(await part.put(rest.metadata.name, rest), 200)).to.not.have.property('status');
    });

    it('accepts writes while the object is terminating', async () => {
      const { metadata } = await created(subject, { finalizers: ['example.com/kept'] });
      const terminating = bodyOf(await resource.remove(metadata.name), 200);
      const body = bodyOf(await part.merge(metadata.name, { status: minimal }), 200);
      expect(statusOf(body)).to.deep.equal(minimal);
      expect(beside(body)).to.deep.equal(beside(terminating));
      bodyOf(await resource.merge(metadata.name, { metadata: { finalizers: null } }), 200);
    });

    it('writes nothing if nothing changes', async () => {
      const old = await withStatus(subject, minimal);
      const { name } = old.metadata;
      await changingNothing(server(), async () => {
        expect(bodyOf(await part.put(name, { ...old, spec: specOf(examples.changed, name) }), 200)).to.deep.equal(old);
        expect(bodyOf(await part.merge(name, { status: minimal }), 200)).to.deep.equal(old);
        expect(bodyOf(await part.jsonPatch(name, []), 200)).to.deep.equal(old);
      });
    });

    it('writes nothing in a dry run, and returns the object as it would be', async () => {
      const old = await withStatus(subject, minimal);
      const { name, resourceVersion } = old.metadata;
      const query = { dryRun: 'All' };
      for (const write of [
        () => part.put(name, { ...old, status: changed }, { query }),
        () => part.merge(name, { status: changed }, { query }),
      ]) {
        const body = bodyOf(await changingNothing(server(), write), 200);
        expect(statusOf(body)).to.deep.equal({ ...minimal, ...changed });
        expect(body.metadata.resourceVersion).to.equal(resourceVersion);
      }
    });

    it('is also used by code of the server, which changes only the status', async () => {
      const old = await created(subject);
      const { name, namespace } = old.metadata;
      const client = new Client(server().api.registry, { user: ADMIN });
      const change = (value: object) => (object: KubeObject) => ({ ...object, spec: 'ignored', status: value });
      const one = await client.objects(servedKind(subject), namespace).updateStatus(name, change(minimal));
      expect([one.status, one.spec]).to.deep.equal([minimal, old.spec]);
      const two = await client.transact((transaction) =>
        transaction.objects(servedKind(subject), namespace).updateStatus(name, change(changed)),
      );
      expect([two.status, two.spec]).to.deep.equal([changed, old.spec]);
      expect(bodyOf(await resource.get(name), 200)).to.deep.equal(two);
    });

    it('sends one MODIFIED event to a watch for each write', async () => {
      const old = await withStatus(subject, minimal);
      const frames = await resource.watch({ resourceVersion: old.metadata.resourceVersion ?? '' });
      bodyOf(await part.merge(old.metadata.name, {}), 200);
      const body = bodyOf(await part.merge(old.metadata.name, { status: changed }), 200);
      const [event] = await frames.take(1);
      await frames.close();
      expect(event).to.deep.equal({ type: 'MODIFIED', object: body });
    });
  });
}

function describing(subject: Subject): void {
  const { kind, server } = subject;
  const document = async (path: string, accept?: string) =>
    accepted(await server().call('GET', path, accept === undefined ? {} : { headers: { accept } }), 200).json();

  it('the status is described in discovery and OpenAPI', async () => {
    const { resources } = (await document(`/apis/${kind.apiVersion}`)) as unknown as { resources: readonly object[] };
    const namespaced = kind.scope === 'Namespaced';
    const verbs = ['get', 'patch', 'update'];
    expect(resources).to.deep.include({
      name: `${kind.resource}/status`,
      singularName: '',
      namespaced,
      kind: kind.kind,
      verbs,
    });
    const aggregated = await document('/apis', 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList');
    const responseKind = { group: kind.group, version: kind.version, kind: kind.kind };
    expect(JSON.stringify(aggregated)).to.include(JSON.stringify({ subresource: 'status', responseKind, verbs }));
    const { paths } = (await document(`/openapi/v3/apis/${kind.apiVersion}`)) as unknown as {
      paths: Readonly<Record<string, object>>;
    };
    const below = namespaced ? 'namespaces/{namespace}/' : '';
    expect(paths[`/apis/${kind.apiVersion}/${below}${kind.resource}/{name}/status`]).to.have.keys([
      'get',
      'put',
      'patch',
      'parameters',
    ]);
  });
}
