import { expect } from 'chai';
import { auditedResource } from './request-info.js';

const audited = (method: string, path: string, query = '', isOfResourceApi = true) =>
  auditedResource({ isOfResourceApi, method, path, query: new URLSearchParams(query) } as Parameters<
    typeof auditedResource
  >[0]);
const LAMPS = '/apis/house.svc.app/v1/namespaces/hall/lamps';

describe('what the audit log tells of a request', () => {
  it('is the object that the path names', () => {
    expect(audited('GET', `${LAMPS}/a/status`)).to.deep.equal({
      verb: 'get',
      object: {
        resource: 'lamps',
        namespace: 'hall',
        name: 'a',
        apiGroup: 'house.svc.app',
        apiVersion: 'v1',
        subresource: 'status',
      },
    });
    expect(audited('GET', '/api/v1/events')?.object).to.deep.equal({
      resource: 'events',
      namespace: undefined,
      name: undefined,
      apiGroup: undefined,
      apiVersion: 'v1',
      subresource: undefined,
    });
  });

  it('is the verb by the method, and by whether there is a name', () => {
    const verbs = (path: string) =>
      ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => audited(method, path)?.verb);
    expect(verbs(LAMPS)).to.deep.equal(['list', 'list', 'create', 'update', 'patch', 'deletecollection', 'options']);
    expect(verbs(`${LAMPS}/a`)).to.deep.equal(['get', 'get', 'create', 'update', 'patch', 'delete', 'options']);
  });

  it('is a watch if the query says so', () => {
    const verb = (query: string, method = 'GET') => audited(method, LAMPS, query)?.verb;
    for (const query of ['watch', 'watch=1', 'watch=true']) expect(verb(query), query).to.equal('watch');
    for (const query of ['', 'watch=0', 'watch=false', 'other=1']) expect(verb(query), query).to.equal('list');
    expect(audited('GET', `${LAMPS}/a`, 'watch=1')?.verb).to.equal('watch');
    expect(verb('watch=1', 'DELETE')).to.equal('deletecollection');
  });

  it('is nothing for paths of no resource', () => {
    expect(audited('GET', '/openapi/v2')).to.equal(undefined);
    expect(audited('GET', '/apis')).to.equal(undefined);
    expect(audited('GET', '/api/teams', '', false)).to.equal(undefined);
    expect(audited('POST', '/apis/authentication.k8s.io/v1/tokenreviews', '', false)?.object).to.include({
      resource: 'tokenreviews',
    });
  });
});
