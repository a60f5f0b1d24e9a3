import { expect } from 'chai';
import {
  alreadyExists,
  badRequest,
  invalid,
  notFound,
  tooManyRequests,
  unauthorized,
} from '../../pkg/status/errors.js';
import { ApiError } from '../../pkg/status/status.js';
import { type ErrorRule, LegacyError, legacyErrorOf, plainFailure, renderLegacyError } from './errors.js';

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
    expect(body).to.include({
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
