import { expect } from 'chai';
import {
  alreadyExists,
  badRequest,
  invalid,
  notFound,
  tooManyRequests,
  unauthorized,
} from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { StorageError } from '../../storage/errors.js';
import { apiErrorOf } from '../signals/storage-errors.js';
import {
  badRequestData,
  type ErrorRule,
  LegacyError,
  legacyErrorOf,
  plainFailure,
  renderLegacyError,
  requireAction,
  structured,
} from './errors.js';

const TEAM = { group: 'iam.svc.app', resource: 'teams', kind: 'Team' };
const rendered = (error: ApiError): { readonly status: number; readonly type: unknown; readonly body: unknown } => {
  const { status, headers, body } = renderLegacyError(error);
  const text = Buffer.from(body as Uint8Array).toString('utf8');
  return { status, type: headers['content-type'], body: JSON.parse(text) };
};

describe('failures of the legacy API', () => {
  it('have a content type with a charset, and must not be cached', () => {
    const { headers } = renderLegacyError(plainFailure(404, 'Team not found'));
    expect(headers).to.include({ 'content-type': 'application/json; charset=UTF-8', 'cache-control': 'no-store' });
  });

  it('have the body that callers expect for missing credentials', () => {
    const { status, body } = rendered(unauthorized());
    expect(status).to.equal(401);
    const expected = {
      statusCode: 401,
      messageId: 'auth.unauthorized',
      message: 'Unauthorized',
      extra: null,
      traceID: '',
    };
    expect(body).to.deep.equal(expected);
  });

  it('name the reason why a credential is invalid by an identifier', () => {
    const { body } = rendered(unauthorized('Expired API key', 'api-key.expired'));
    expect(body).to.include({ statusCode: 401, messageId: 'api-key.expired', message: 'Expired API key' });
  });

  it('name the missing permissions', () => {
    const causes = ['users:read', 'users:write'].map((message) => ({ reason: 'MissingPermission', message }));
    const { status, body } = rendered(
      new ApiError({ code: 403, reason: 'Forbidden', message: 'no', details: { causes } }),
    );
    expect(status).to.equal(403);
    expect(body).to.deep.include({
      details: { causes },
      title: 'Access denied',
      message: "You'll need additional permissions to perform this action. Permissions needed: users:read, users:write",
    });
    expect((body as { accessErrorId: string }).accessErrorId).to.match(/^ACE\d{10}$/);
  });

  it('answer 400 with the invalid field and its problem', () => {
    const causes = [{ reason: 'FieldValueInvalid', message: 'Invalid value: must not be empty', field: 'spec.title' }];
    expect(rendered(invalid(TEAM, 'x', causes))).to.deep.include({
      status: 400,
      body: { message: 'title: must not be empty' },
    });
    expect(rendered(badRequest('no JSON'))).to.deep.include({ status: 400, body: { message: 'no JSON' } });
  });

  it('contain no internals of the server', () => {
    const error = new ApiError({ code: 500, reason: 'InternalError', message: 'Internal error occurred: /var/lib' });
    expect(rendered(error).body).to.deep.equal({ message: 'Internal Server Error' });
  });

  it('have Retry-After if nothing was written', () => {
    expect(renderLegacyError(tooManyRequests(7)).headers['retry-after']).to.equal('7');
    const retry = (code: 'unavailable' | 'unknown') =>
      renderLegacyError(apiErrorOf(new StorageError(code, '')) as ApiError).headers['retry-after'];
    expect([retry('unavailable'), retry('unknown')]).to.deep.equal(['2', undefined]);
  });

  it('have the message of a failure that has no words of its own', () => {
    const failure = (code: number, message: string) => new ApiError({ code, reason: 'Timeout', message });
    expect(rendered(failure(404, 'teams "x" not found')).body).to.deep.equal({ message: 'Not found' });
    expect(rendered(failure(409, 'taken'))).to.deep.include({ status: 409, body: { message: 'taken' } });
    expect(rendered(failure(503, 'no store'))).to.deep.include({ status: 503, body: { message: 'no store' } });
    for (const code of [400, 422])
      expect(rendered(failure(code, 'all of it'))).to.deep.include({ status: 400, body: { message: 'all of it' } });
  });

  it('show the first cause without the prefix of Kubernetes, and its field if the message does not name it', () => {
    const shown = (message: string, field?: string) =>
      rendered(invalid(TEAM, 'x', [{ reason: 'FieldValueInvalid', message, ...(field !== undefined && { field }) }]))
        .body;
    for (const prefix of ['Invalid value', 'Required value', 'Not found', 'Forbidden'])
      expect(shown(`${prefix}: is wrong`, 'spec.title')).to.deep.equal({ message: 'title: is wrong' });
    expect(shown('Duplicate value: is wrong')).to.deep.equal({ message: 'Duplicate value: is wrong' });
    expect(shown('a Not found: here')).to.deep.equal({ message: 'a Not found: here' });
    expect(shown('the Title is wrong', 'spec.title')).to.deep.equal({ message: 'the Title is wrong' });
    expect(shown('is wrong', 'spec.items[2]')).to.deep.equal({ message: 'items[2]: is wrong' });
    expect(shown('is wrong', 'spec.items[12][0]')).to.deep.equal({ message: 'items[12][0]: is wrong' });
    expect(shown('is wrong', 'spec.a_1')).to.deep.equal({ message: 'a_1: is wrong' });
    expect(shown('is wrong', '')).to.deep.equal({ message: 'is wrong' });
    expect(rendered(invalid(TEAM, 'x', [])).body)
      .to.have.property('message')
      .that.is.a('string')
      .and.not.equal('');
  });

  it('have an identifier only if the failure has one', () => {
    const withUid = (code: number, uid: string) =>
      rendered(new ApiError({ code, reason: 'Forbidden', message: 'no', details: { uid } })).body;
    expect(withUid(403, 'user.not-allowed')).to.deep.equal({
      statusCode: 403,
      messageId: 'user.not-allowed',
      message: 'no',
      extra: null,
      traceID: '',
    });
    for (const uid of ['a2b0-11', 'Upper.case', 'nodot', 'a.b c', '-a.b', 'x a.b', 'a.'])
      expect(withUid(409, uid), uid).to.deep.equal({ message: 'no' });
    expect(withUid(401, 'a2b0-11')).to.include({ messageId: 'auth.unauthorized' });
    expect(structured(404, 'a.b', 'text')).to.deep.equal({
      statusCode: 404,
      messageId: 'a.b',
      message: 'text',
      extra: null,
    });
  });

  it('have the reason of their code, for the audit log and for metrics', () => {
    const reasons = [400, 401, 403, 404, 409, 412, 413, 418, 429, 500, 502, 503, 504].map(
      (code) => plainFailure(code, '').reason,
    );
    expect(reasons).to.deep.equal([
      'BadRequest',
      'Unauthorized',
      'Forbidden',
      'NotFound',
      'Conflict',
      'Conflict',
      'RequestEntityTooLarge',
      'BadRequest',
      'TooManyRequests',
      'InternalError',
      'InternalError',
      'ServiceUnavailable',
      'Timeout',
    ]);
    const cause = new Error('why');
    expect(plainFailure(400, 'x', cause)).to.include({ name: 'LegacyError', message: 'x', cause });
    expect(badRequestData(cause)).to.deep.include({ code: 400, body: { message: 'bad request data' }, cause });
  });

  it('refuse callers who lack an action', () => {
    const may = (action: string, object?: { readonly kind: string }) => action === 'read' && object?.kind === 'Own';
    const own = { kind: 'Own', apiVersion: 'v1', metadata: { name: 'x' } };
    expect(() => requireAction({ may }, 'read', own)).to.not.throw();
    for (const work of [() => requireAction({ may }, 'write', own), () => requireAction({ may }, 'read')])
      expect(work)
        .to.throw(LegacyError, /^You'll need additional permissions.*: (read|write)$/)
        .with.property('code', 403);
  });

  describe('with the rules of an adapter', () => {
    const rules: readonly ErrorRule[] = [
      { reason: 'NotFound', status: 404, body: { message: 'Team not found' } },
      { field: 'spec.title', cause: 'FieldValueDuplicate', status: 409, body: { message: 'Team name taken' } },
      { field: 'spec.title', says: /^too/, status: 400, body: { message: 'bad title' } },
    ];
    const statusAndMessage = (error: unknown): unknown => {
      const result = legacyErrorOf(error, rules);
      return result instanceof LegacyError ? [result.code, result.body.message] : undefined;
    };
    const titled = (reason: string, message: string) => invalid(TEAM, 'x', [{ reason, message, field: 'spec.title' }]);

    it('use the first rule that matches', () => {
      expect(statusAndMessage(notFound(TEAM, 'x'))).to.deep.equal([404, 'Team not found']);
      expect(statusAndMessage(titled('FieldValueDuplicate', 'too'))).to.deep.equal([409, 'Team name taken']);
      expect(statusAndMessage(titled('FieldValueInvalid', 'too long'))).to.deep.equal([400, 'bad title']);
    });

    it('match a rule only if the code, the reason and the message do', () => {
      const rule = (more: Partial<ErrorRule>): boolean => {
        const failure = legacyErrorOf(badRequest('the name is bad'), [{ ...more, status: 418, body: { message: '' } }]);
        return failure instanceof LegacyError;
      };
      expect([rule({}), rule({ code: 400 }), rule({ code: 404 })]).to.deep.equal([true, true, false]);
      expect([rule({ reason: 'BadRequest' }), rule({ reason: 'NotFound' })]).to.deep.equal([true, false]);
      expect([rule({ message: /name/ }), rule({ message: /title/ })]).to.deep.equal([true, false]);
      expect([rule({ field: 'x' }), rule({ cause: 'x' }), rule({ says: /name/ })]).to.deep.equal([false, false, false]);
    });

    it('match a rule about a cause by its field, its reason or its message', () => {
      const error = titled('FieldValueInvalid', 'too long');
      const rule = (more: Partial<ErrorRule>): boolean =>
        legacyErrorOf(error, [{ ...more, status: 418, body: { message: '' } }]) instanceof LegacyError;
      expect([rule({ field: 'spec.title' }), rule({ field: 'spec.other' })]).to.deep.equal([true, false]);
      expect([rule({ cause: 'FieldValueInvalid' }), rule({ cause: 'other' })]).to.deep.equal([true, false]);
      expect([rule({ says: /long/ }), rule({ says: /short/ })]).to.deep.equal([true, false]);
      expect([rule({ field: 'spec.title', says: /short/ }), rule({ cause: 'other', says: /long/ })]).to.deep.equal([
        false,
        false,
      ]);
    });

    it('keep what the registry said as their cause', () => {
      const error = notFound(TEAM, 'x');
      expect(legacyErrorOf(error, rules)).to.have.property('cause', error);
    });

    it('match a rule only if one cause matches all of its conditions on causes', () => {
      const causes = [
        { reason: 'FieldValueInvalid', message: 'other', field: 'spec.title' },
        { reason: 'FieldValueDuplicate', message: 'other', field: 'spec.email' },
      ];
      expect(statusAndMessage(invalid(TEAM, 'x', causes))).to.equal(undefined);
    });

    it('stay the same if no rule matches, or if they are already legacy failures', () => {
      const [other, own] = [alreadyExists(TEAM, 'x'), plainFailure(404, 'nothing')];
      expect(legacyErrorOf(other, rules)).to.equal(other);
      expect(legacyErrorOf(own, rules)).to.equal(own);
      const fault = new TypeError('a defect');
      expect(legacyErrorOf(fault, rules)).to.equal(fault);
    });
  });
});
