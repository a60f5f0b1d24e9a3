import { expect } from 'chai';
import { decodeKubernetesProtobuf } from '../../pkg/kube/protobuf/decode.js';
import { encodeKubernetesProtobuf } from '../../pkg/kube/protobuf/encode-object.js';
import { typeNamed } from '../../pkg/kube/protobuf/types.js';
import { DEFINITIONS, definitionOf } from '../custom/definition.js';
import type { Body } from '../harness/body.js';
import { bodyOf, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const headers = { 'content-type': PROTOBUF };

const wire = (object: object): Buffer => {
  const bytes = encodeKubernetesProtobuf(object as Parameters<typeof encodeKubernetesProtobuf>[0]);
  if (bytes === undefined) throw new Error('the kind has no message');
  return bytes;
};

oneStore('protobuf', (server) => {
  /** The answer as bytes, to a client that prefers protobuf. */
  const raw = async (
    method: string,
    path: string,
    body?: string | Buffer,
    more: Readonly<Record<string, string>> = {},
  ) => {
    const { port, headers: own } = server().address();
    const sent = { accept: `${PROTOBUF},application/json`, ...own, ...more };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: sent,
      ...(body !== undefined && { body }),
    });
    const type = answer.headers.get('content-type');
    return { status: answer.status, type, body: Buffer.from(await answer.arrayBuffer()) };
  };

  // Promise: contract 1.6
  it('defines kinds, as the typed client of apiextensions does', async () => {
    const group = `${freshName('g')}.example.com`;
    const body = definitionOf({ group, plural: 'gadgets', kind: 'Gadget' });
    const made = bodyOf(await server().call('POST', DEFINITIONS, { body: wire(body), headers }), 201);
    expect(made['spec']).to.deep.include({ group, scope: 'Namespaced' });
    expect((made['spec'] as typeof body.spec).versions.map(({ schema }) => schema)).to.deep.equal(
      body.spec.versions.map(({ schema }) => schema),
    );
    const path = `${DEFINITIONS}/gadgets.${group}`;
    const labelled = { ...made, metadata: { ...made.metadata, labels: { team: 'ops' } } };
    const changed = bodyOf(await server().call('PUT', path, { body: wire(labelled), headers }), 200);
    expect(changed.metadata.labels).to.deep.equal({ team: 'ops' });
    const stale = await server().call('PUT', path, { body: wire(labelled), headers });
    expectStatus(stale, 409, 'Conflict');
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: made.metadata.uid } };
    bodyOf(await server().call('DELETE', path, { body: wire(options), headers }), 200);
  });

  it('is the form of answers to those who prefer it, for kinds of Kubernetes', async () => {
    const name = freshName('cm');
    const body = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { a: 'é' },
      binaryData: { b: 'AAE=' },
    };
    const made = await raw('POST', CONFIG_MAPS, JSON.stringify(body), { 'content-type': 'application/json' });
    expect([made.status, made.type]).to.deep.equal([201, PROTOBUF]);
    const { metadata } = (await server().call('GET', `${CONFIG_MAPS}/${name}`)).json();
    expect(decoded(made)).to.deep.equal({ ...body, metadata });
    expect(decoded(await raw('GET', `${CONFIG_MAPS}/${name}`))).to.deep.equal({ ...body, metadata });
    const missing = await raw('GET', `${CONFIG_MAPS}/${freshName('none')}`);
    expect([missing.status, missing.type]).to.deep.equal([404, PROTOBUF]);
    expect(decoded(missing)).to.include({ kind: 'Status', reason: 'NotFound', code: 404 });
    expect(decoded(await raw('DELETE', `${CONFIG_MAPS}/${name}`))).to.include({ kind: 'Status', status: 'Success' });
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { nonResourceAttributes: { path: '/', verb: 'get' } },
    };
    const reviewed = await raw('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', wire(review), headers);
    expect(decoded(reviewed)).to.deep.include({ status: { allowed: true } });
  });

  it('has metadata of every kind, and is refused for objects of other kinds', async () => {
    const as = `${PROTOBUF};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`;
    const list = await raw('GET', FOLDERS, undefined, { accept: as });
    expect(decoded(list)).to.include({ apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadataList' });
    expect((await raw('GET', FOLDERS, undefined, { accept: PROTOBUF })).status).to.equal(406);
    const table = `${PROTOBUF};as=Table;g=meta.k8s.io;v=v1,application/json;as=Table;g=meta.k8s.io;v=v1`;
    expect((await raw('GET', CONFIG_MAPS, undefined, { accept: table })).type).to.equal('application/json');
    const body = wire({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
    expect((await server().call('POST', FOLDERS, { body, headers })).status).to.equal(400);
  });

  it('is the form of lists, also of those that are sent in parts', async () => {
    const path = `/api/v1/namespaces/default/configmaps?labelSelector=set%3Dlarge`;
    const data = { text: 'x'.repeat(100_000) };
    for (let i = 0; i < 60; i++) {
      const metadata = { name: freshName('large'), labels: { set: 'large' } };
      bodyOf(
        await server().call('POST', CONFIG_MAPS, { body: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data } }),
        201,
      );
    }
    for (const limit of [0, 1, 20]) {
      const query = `${path}&limit=${limit}`;
      const plain = (await server().call('GET', query)).json() as unknown as List;
      const items = plain.items.map(({ apiVersion: _, kind: __, ...item }) => item);
      const { metadata, ...rest } = decoded(await raw('GET', query)) as unknown as List;
      expect(rest).to.deep.equal({ apiVersion: 'v1', kind: 'ConfigMapList', items });
      expect(metadata).to.include({ resourceVersion: plain.metadata['resourceVersion'] });
    }
  });

  it('is the form of watches, each event after its length', async () => {
    const query =
      '?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1';
    const name = freshName('lease');
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name },
      spec: { holderIdentity: 'a' },
    };
    bodyOf(await server().call('POST', LEASES, { body: lease }), 201);
    const watching = raw('GET', LEASES + query);
    const patched = { spec: { holderIdentity: 'b', renewTime: '2026-01-02T03:04:05.678901Z' } };
    const merge = { 'content-type': 'application/merge-patch+json' };
    bodyOf(await server().call('PATCH', `${LEASES}/${name}`, { body: patched, headers: merge }), 200);
    bodyOf(await server().call('DELETE', `${LEASES}/${name}`), 200);
    const { type, body } = await watching;
    expect(type).to.equal(`${PROTOBUF};stream=watch`);
    const events = eventsOf(body);
    const bookmark = events.find(({ type: one }) => one === 'BOOKMARK')?.object;
    const annotations = bookmark?.metadata.annotations ?? {};
    expect(annotations).to.include({ 'k8s.io/initial-events-end': 'true' });
    const blueprint = Buffer.from(annotations['kubernetes.io/initial-events-list-blueprint'] ?? '', 'base64');
    expect(decodeKubernetesProtobuf(blueprint)).to.include({ kind: 'LeaseList' });
    expect(events.map(({ type: one }) => one)).to.include.members(['ADDED', 'DELETED']);
    expect(events.at(-1)?.object).to.deep.include({ kind: 'Lease', spec: patched.spec });
  });
});

interface List {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

const decoded = ({ body }: { readonly body: Buffer }): Body => decodeKubernetesProtobuf(body) as Body;

/** The events of a stream: four bytes of length, and metav1.WatchEvent. */
function eventsOf(stream: Buffer): readonly { readonly type: string; readonly object: Body }[] {
  const events = [];
  for (let at = 0; at < stream.length; ) {
    const length = stream.readUInt32BE(at);
    const event = typeNamed('MetaV1WatchEvent').decode(stream.subarray(at + 4, at + 4 + length)) as unknown as {
      readonly type: string;
      readonly object: { readonly raw: Uint8Array };
    };
    events.push({ type: event.type, object: decodeKubernetesProtobuf(event.object.raw) as Body });
    at += 4 + length;
  }
  return events;
}
