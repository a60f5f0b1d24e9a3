import { expect } from 'chai';
import { operationTable, type RequestInfo } from './request-info.js';

const info = (more: Partial<RequestInfo> = {}): RequestInfo => {
  const all = {
    group: 'house.svc.app',
    version: 'v1',
    namespace: 'hall',
    resource: 'lamps',
    name: '',
    subresource: '',
    ...more,
  };
  return { ...all, type: `${all.group}/${all.version}/${all.resource}` };
};

describe('the operations of the resource API, for metrics', () => {
  const operationOf = operationTable();

  it('have the verb as Kubernetes writes it, and what the path names', () => {
    expect(operationOf('list', info())).to.deep.equal({
      verb: 'LIST',
      group: 'house.svc.app',
      version: 'v1',
      resource: 'lamps',
      subresource: '',
      scope: 'namespace',
      route: '',
    });
    const verbs = ['create', 'update', 'patch', 'delete', 'deletecollection', 'watch', 'apply'];
    expect(verbs.map((verb) => operationOf(verb, info()).verb)).to.deep.equal([
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'DELETECOLLECTION',
      'WATCH',
      'APPLY',
    ]);
    expect(operationOf('get', info({ name: 'a', subresource: 'status' }))).to.include({ subresource: 'status' });
  });

  it('are about an object, a namespace or the cluster', () => {
    const scopes = [info({ name: 'a' }), info({ name: 'a', namespace: '' }), info(), info({ namespace: '' })];
    expect(scopes.map((one) => operationOf('get', one).scope)).to.deep.equal([
      'resource',
      'resource',
      'namespace',
      'cluster',
    ]);
  });

  it('are made once, and are others for other verbs, scopes and paths', () => {
    const one = operationOf('get', info({ name: 'a' }));
    expect(operationOf('get', info({ name: 'b', namespace: 'attic' }))).to.equal(one);
    const others = [
      operationOf('patch', info({ name: 'a' })),
      operationOf('get', info()),
      ...['group', 'version', 'resource', 'subresource'].map((part) =>
        operationOf('get', info({ name: 'a', [part]: 'x' })),
      ),
    ];
    for (const other of others) expect(other).to.not.equal(one);
  });
});
