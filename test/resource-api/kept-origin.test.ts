import { expect } from 'chai';
import { MASTERS_GROUP } from '../../pkg/identity/authn/user.js';
import type { ObjectMeta } from '../../pkg/kube/meta/types.js';
import type { Body } from '../harness/body.js';
import { bodyOf, expectStatus, FOLDERS, freshName, resourceOf } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';

const KEEPING = { keepOrigin: true };
const ID = 'svc.app/deprecatedInternalID';
const ORIGIN = {
  creationTimestamp: '2019-03-04T05:06:07Z',
  generation: 12,
  annotations: {
    'svc.app/createdBy': 'user:somebody',
    'svc.app/updatedBy': 'service-account:robot',
    'svc.app/updatedTimestamp': '2020-01-02T03:04:05Z',
  },
};

const RESTORE = { apiVersion: 'history.svc.app/v1beta1', kind: 'Restore', spec: {} };

eachStore('what an object keeps of another server', (server) => {
  const folders = resourceOf(server, FOLDERS);
  const folder = (metadata: Partial<ObjectMeta>, name = freshName()) => ({
    apiVersion: FOLDERS.apiVersion,
    kind: 'Folder',
    metadata: { name, ...metadata },
    spec: { title: name },
  });
  const made = async (metadata: Partial<ObjectMeta>, query: object = KEEPING) =>
    bodyOf(await folders.create(folder(metadata), { query: { ...query } }), 201);
  const idOf = ({ metadata }: Body) => Number(metadata.labels?.[ID]);

  it('are its times, its authors, its generation and its integer id', async () => {
    const { metadata } = await made({ ...ORIGIN, labels: { [ID]: '5000' } });
    const { creationTimestamp, generation, annotations, labels } = metadata;
    expect({ creationTimestamp, generation, annotations }).to.deep.equal(ORIGIN);
    expect(labels?.[ID]).to.equal('5000');
    expect(idOf(await made({}, {})), 'the next id').to.equal(5001);
    const found = await server().call('GET', '/api/folders/id/5000');
    expect(bodyOf(found, 200)).to.include({ uid: metadata.name, version: 12, created: ORIGIN.creationTimestamp });
  });

  it('is nothing unless it is asked for', async () => {
    const plain = await made({ ...ORIGIN, labels: { [ID]: '700000' } }, {});
    expect([plain.metadata.generation, idOf(plain) < 700_000]).to.deep.equal([1, true]);
    expect(plain.metadata.annotations?.['svc.app/createdBy']).to.equal('user:uid-admin');
    expect(plain.metadata.creationTimestamp).to.not.equal(ORIGIN.creationTimestamp);
  });

  it('is not an id that another object has, and the author is told', async () => {
    const first = await made({ labels: { [ID]: '6000' } });
    const second = await folders.create(folder({ labels: { [ID]: '6000' } }), { query: KEEPING });
    expect(idOf(bodyOf(second, 201))).to.equal(6001);
    expect(String(second.headers['warning'])).to.contain('cannot be kept, because another object has it');
    const lower = await made({ labels: { [ID]: '5500' } });
    expect([idOf(first), idOf(lower), idOf(await made({}))]).to.deep.equal([6000, 5500, 6002]);
  });

  it('is stored with an update, too, except what is about the creation', async () => {
    const { metadata } = await made({ ...ORIGIN, labels: { [ID]: '7000' } });
    const later = { 'svc.app/updatedBy': 'user:other', 'svc.app/updatedTimestamp': '2021-01-01T00:00:00Z' };
    const changed = {
      ...folder({ generation: 15, annotations: { ...later, 'svc.app/createdBy': 'user:x' } }, metadata.name),
      spec: { title: 'changed' },
    };
    const after = bodyOf(await folders.put(metadata.name, changed, { query: KEEPING }), 200);
    const { generation, annotations, creationTimestamp } = after.metadata;
    expect([generation, creationTimestamp]).to.deep.equal([15, ORIGIN.creationTimestamp]);
    expect(annotations).to.deep.equal({ 'svc.app/createdBy': 'user:somebody', ...later });
    const same = bodyOf(await folders.put(metadata.name, changed, { query: KEEPING }), 200);
    expect(same.metadata.resourceVersion).to.equal(after.metadata.resourceVersion);
  });

  it('may be what the server answered, also of an operator who is no stored user', async () => {
    const user = { name: 'system:operator', uid: '', groups: [MASTERS_GROUP], extra: {} };
    const before = bodyOf(await folders.create(folder({}), { user, query: KEEPING }), 201);
    expect(before.metadata.annotations?.['svc.app/createdBy']).to.equal('user:system:operator');
    const body = { ...before, spec: { title: 'changed' } };
    bodyOf(await folders.put(before.metadata.name, body, { query: KEEPING }), 200);
    const annotations = { ...before.metadata.annotations, 'svc.app/updatedBy': 'user:system:other' };
    const wrong = { ...folder({ annotations }, before.metadata.name), spec: { title: 'again' } };
    expectStatus(await folders.put(before.metadata.name, wrong, { query: KEEPING }), 400, 'Invalid');
  });

  it('is refused if it cannot be true', async () => {
    for (const [metadata, field] of [
      [{ creationTimestamp: '2999-01-01T00:00:00Z' }, 'metadata.creationTimestamp'],
      [{ creationTimestamp: '2019-02-30T00:00:00Z' }, 'metadata.creationTimestamp'],
      [{ annotations: { 'svc.app/updatedTimestamp': '2019-03-04T05:06:07+01:00' } }, 'svc.app/updatedTimestamp'],
      [{ annotations: { 'svc.app/createdBy': 'me' } }, 'svc.app/createdBy'],
      [{ generation: 2 ** 31 }, 'metadata.generation'],
    ] as const) {
      const answer = await folders.create(folder(metadata), { query: KEEPING });
      expect(bodyOf(answer, 400).message).to.contain(field);
    }
    for (const id of ['0', '-1', '1e3', '2147483648', '4503599627370496', 'x']) {
      const answer = await folders.create(folder({ labels: { [ID]: id } }), { query: KEEPING });
      expect([answer.status, String(answer.headers['warning']).includes('cannot be kept')], id).to.deep.equal([
        201,
        true,
      ]);
    }
  });

  it('may be said by administrators of the server only, and of whole objects', async () => {
    const user = { name: 'ed', uid: 'uid-ed', groups: [], extra: {} };
    const created = await folders.create(folder(ORIGIN), { query: KEEPING, user });
    expectStatus(created, 403, 'Forbidden');
    const { metadata } = await made({});
    expectStatus(
      await folders.put(metadata.name, folder({}, metadata.name), { query: KEEPING, user }),
      403,
      'Forbidden',
    );
    expectStatus(await folders.create(folder({}), { query: { keepOrigin: 'yes' } }), 400, 'BadRequest');
  });

  it('does not give two objects one id when a deleted one comes back', async () => {
    const { metadata } = await made({ labels: { [ID]: '8000' } });
    await folders.remove(metadata.name);
    const other = await made({ labels: { [ID]: '8000' } });
    expect(idOf(other)).to.equal(8000);
    bodyOf(await folders.subresource('restore').post(metadata.name, RESTORE), 201);
    const back = bodyOf(await folders.get(metadata.name), 200);
    expect(idOf(back)).to.be.greaterThan(8000);
  });
});
