import { expect } from 'chai';
import type { ApiRequest } from '../../pkg/http/handler.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { renderLegacyError } from './errors.js';
import { isServiceAccount, type Organization, type Organizations, organizationOf } from './organization.js';

const ALL: readonly Organization[] = [
  { id: 1, namespace: 'default' },
  { id: 2, namespace: 'org-2' },
];
const organizations: Organizations = {
  byId: (id) => ALL.find((one) => one.id === id),
  byNamespace: (namespace) => ALL.find((one) => one.namespace === namespace),
  activeOf: () => ALL[1],
  mayKnow: ({ name }) => name !== STRANGER,
};

const PERSON = 'someone';
const STRANGER = 'stranger';
const ACCOUNT = 'system:serviceaccount:default:robot';

/** The namespace, or why there is none. */
function found(name: string, header?: string, query = ''): string | ApiError {
  const request: ApiRequest = {
    method: 'GET',
    path: '/api/folders',
    query: new URLSearchParams(query),
    headers: header === undefined ? {} : { 'x-grafana-org-id': header },
    rawHeaders: [],
    body: new Uint8Array(0),
    user: { name, uid: 'u', groups: [], extra: {} },
    auditId: 'a',
    signal: new AbortController().signal,
  };
  try {
    return organizationOf(request, organizations).namespace;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error;
  }
}

function ask(name: string, header?: string, query?: string): string {
  const answer = found(name, header, query);
  return typeof answer === 'string' ? answer : `${answer.code} ${answer.message}`;
}

describe('the organization of a legacy request', () => {
  it('is the active organization of a person, and the own organization of a service account', () => {
    expect(ask(PERSON)).to.equal('org-2');
    expect(ask(ACCOUNT)).to.equal('default');
  });

  it('is named by the header, or else by the query', () => {
    expect(ask(PERSON, '1')).to.equal('default');
    expect(ask(PERSON, undefined, 'orgId=1')).to.equal('default');
    expect(ask(PERSON, '2', 'orgId=2')).to.equal('org-2');
    expect(ask(PERSON, '0')).to.equal('org-2');
    expect(ask(PERSON, '0', 'orgId=1')).to.equal('default');
  });

  // Promise: specification 4.11
  it('is refused if the header and the query name two', () => {
    const two = '400 X-Grafana-Org-Id and orgId name two organizations: send one of them';
    for (const [header, query] of [
      ['2', 'orgId=1'],
      ['1', 'orgId=7'],
    ] as const)
      expect(ask(PERSON, header, query)).to.equal(two);
  });

  it('must exist, and must be named by an integer', () => {
    expect(ask(PERSON, '3')).to.equal('404 Organization not found');
    for (const wrong of ['one', '-1', '1e1', '1 OR 1=1', '9'.repeat(16)])
      expect(ask(PERSON, wrong), wrong).to.equal('400 orgId is invalid');
  });

  it('is unknown to a caller who may not learn that it exists', () => {
    for (const id of ['2', '3']) expect(ask(STRANGER, id), id).to.equal('404 Organization not found');
  });

  it('is always its own for a service account', () => {
    expect(ask(ACCOUNT, '1')).to.equal('default');
    for (const other of ['2', '3'])
      expect(ask(ACCOUNT, other)).to.equal('401 API key does not belong to the requested organization');
  });

  it('is refused to a service account with the body of an invalid credential', () => {
    const { status, body } = renderLegacyError(found(ACCOUNT, '2') as ApiError);
    expect(status).to.equal(401);
    expect(JSON.parse(Buffer.from(body as Uint8Array).toString('utf8'))).to.deep.equal({
      statusCode: 401,
      messageId: 'api-key.organization-mismatch',
      message: 'API key does not belong to the requested organization',
      extra: null,
      traceID: '',
    });
  });

  it('recognizes service accounts by their names', () => {
    expect(isServiceAccount({ name: ACCOUNT, uid: '', groups: [], extra: {} })).to.equal(true);
    expect(isServiceAccount({ name: 'serviceaccount', uid: '', groups: [], extra: {} })).to.equal(false);
  });
});
