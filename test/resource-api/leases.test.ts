import { expect } from 'chai';
import { bytesField, int, text, varint } from '../../pkg/kube/protobuf/encode.js';
import { expectStatus } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';

const PATH = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const PROTOBUF = { 'content-type': 'application/vnd.kubernetes.protobuf' };

const nested = (number: number, ...fields: readonly Uint8Array[]) => bytesField(number, Buffer.concat(fields));
/** metav1.MicroTime. */
const time = (number: number, seconds: number, micros: number) =>
  nested(number, int(1)(seconds), Buffer.concat([Uint8Array.of(16), varint(micros * 1000)]));

/** A Lease as client-go's leader election writes it. */
function leaseOf(holder: string, resourceVersion = ''): Uint8Array {
  const metadata = nested(1, text(1)('manager'), text(3)('default'), text(6)(resourceVersion));
  const times = [time(3, 1_769_860_800, 0), time(4, 1_769_860_802, 500)];
  const spec = nested(2, text(1)(holder), int(2)(15), ...times, int(5)(0));
  const typeMeta = nested(1, text(1)('coordination.k8s.io/v1'), text(2)('Lease'));
  return Buffer.concat([Buffer.from('k8s\0'), typeMeta, nested(2, metadata, spec)]);
}

oneStore('leases', (server) => {
  // Promise: contract 1.6, contract 8
  it('are written in protobuf, and 409 tells the slower of two candidates', async () => {
    const created = await server().call('POST', PATH, { body: leaseOf('one'), headers: PROTOBUF });
    expect(created.status, created.text).to.equal(201);
    const { spec, metadata } = created.json();
    expect(spec).to.deep.equal({
      holderIdentity: 'one',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-31T12:00:00.000000Z',
      renewTime: '2026-01-31T12:00:02.000500Z',
      leaseTransitions: 0,
    });
    const put = (holder: string) =>
      server().call('PUT', `${PATH}/manager`, {
        body: leaseOf(holder, metadata.resourceVersion),
        headers: PROTOBUF,
      });
    expect((await put('two')).json().spec).to.include({ holderIdentity: 'two' });
    expectStatus(await put('three'), 409, 'Conflict');
    const again = await server().call('POST', PATH, { body: leaseOf('four'), headers: PROTOBUF });
    expectStatus(again, 409, 'AlreadyExists');
    expect((await put('')).status).to.equal(409);
  });

  it('and events say in OpenAPI that their times are times', async () => {
    for (const [group, name, field] of [
      ['coordination.k8s.io', 'LeaseSpec', 'renewTime'],
      ['events.k8s.io', 'Event', 'eventTime'],
    ] as const) {
      const { components } = JSON.parse((await server().call('GET', `/openapi/v3/apis/${group}/v1`)).text);
      const found = Object.entries<{ properties?: Record<string, object> }>(components.schemas);
      const [, schema] = found.find(([one]) => one.endsWith(`.${name}`)) ?? [];
      expect(schema?.properties?.[field], `${name}.${field}`).to.deep.include({ type: 'string', format: 'date-time' });
    }
  });

  it('may be made before anybody holds them', async () => {
    const created = await server().call('POST', PATH, { body: { metadata: { name: 'free' } } });
    expect(created.status, created.text).to.equal(201);
    expect(created.json().spec).to.deep.equal({});
  });

  // Promise: contract 5.1
  it('and events refuse days and hours that do not exist, and never move them', async () => {
    const events = '/api/v1/namespaces/default/events';
    const lease = { metadata: { name: 'dated' }, spec: { renewTime: '2026-01-31T12:00:00.000000Z' } };
    const event = { metadata: { name: 'dated' }, involvedObject: { kind: 'X', namespace: 'default', name: 'x' } };
    expect((await server().call('POST', PATH, { body: lease })).status).to.equal(201);
    const at = `${PATH}/dated`;
    for (const time of ['2026-02-30T00:00:00.000000Z', '2026-01-31T24:00:00.000000Z', '2025-02-29T12:00:00Z']) {
      const spec = { acquireTime: time };
      const patch = (type: string, body: object) =>
        server().call('PATCH', at, {
          body,
          headers: { 'content-type': `application/${type}` },
          query: { fieldManager: 'a' },
        });
      const answers = await Promise.all([
        server().call('POST', PATH, { body: { metadata: { name: 'other' }, spec } }),
        server().call('PUT', at, { body: { ...lease, spec } }),
        patch('merge-patch+json', { spec }),
        patch('strategic-merge-patch+json', { spec }),
        server().call('POST', events, { body: { ...event, firstTimestamp: time } }),
        server().call('POST', events, { body: { ...event, eventTime: time } }),
        server().call('POST', PATH, { body: { metadata: { name: 'other', creationTimestamp: time } } }),
      ]);
      const apply = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', ...lease, spec };
      for (const { status, text } of [...answers, await patch('apply-patch+yaml', apply)])
        expect(status, `${time} ${text}`).to.be.oneOf([400, 422]);
    }
    expect((await server().call('GET', at)).json().spec).to.deep.equal(lease.spec);
  });

  it('have a preferred holder only with a strategy, as in Kubernetes', async () => {
    const body = (spec: object) => ({ metadata: { name: 'preferred' }, spec });
    const refused = await server().call('POST', PATH, { body: body({ preferredHolder: 'b' }) });
    expectStatus(
      refused,
      422,
      'Invalid',
      'spec.preferredHolder: Forbidden: may only be specified if `strategy` is defined',
    );
    const spec = { preferredHolder: 'b', strategy: 'OldestEmulationVersion' };
    expect((await server().call('POST', PATH, { body: body(spec) })).status).to.equal(201);
    const put = await server().call('PUT', `${PATH}/preferred`, { body: body({ preferredHolder: 'b' }) });
    expect(put.status, put.text).to.equal(422);
  });

  // Promise: contract 5.3
  it('take strategic merge patches, which kubectl sends of them', async () => {
    await server().call('POST', PATH, { body: { metadata: { name: 'patched' }, spec: { holderIdentity: 'one' } } });
    const headers = { 'content-type': 'application/strategic-merge-patch+json' };
    const body = { spec: { holderIdentity: null, leaseDurationSeconds: 15 } };
    const patched = await server().call('PATCH', `${PATH}/patched`, { body, headers });
    expect(patched.status, patched.text).to.equal(200);
    expect(patched.json().spec).to.deep.equal({ leaseDurationSeconds: 15 });
  });

  it('need neither apiVersion nor kind, which typed clients leave out', async () => {
    const metadata = { name: 'bare' };
    const created = await server().call('POST', PATH, { body: { metadata, spec: { holderIdentity: 'one' } } });
    expect(created.status, created.text).to.equal(201);
    const put = await server().call('PUT', `${PATH}/bare`, { body: { metadata, spec: { holderIdentity: 'two' } } });
    expect(put.json()).to.deep.include({ kind: 'Lease', spec: { holderIdentity: 'two' } });
  });
});
