import { z } from 'zod';
import type { ApiRequest, Handler } from '../../pkg/http/exchange.js';
import { jsonResponse } from '../../pkg/http/json.js';
import { invalid, methodNotAllowed, notFound } from '../../pkg/status/errors.js';
import { entryAttributes } from '../../registry/authorization/authorizer.js';
import type { Kind } from '../../registry/kind.js';
import { awaitCaller } from '../../registry/rest/freshness.js';
import { parseRequestPath, type RequestInfo } from '../../registry/rest/request-info.js';
import { isDryRun } from '../../registry/rest/write-options.js';
import { timestamp } from '../../registry/write/metadata.js';
import { reviewBody } from '../authorization/review-body.js';
import { CORE_SERVICE_ACCOUNTS, TokenRequestSpec } from '../iam/serviceaccount/token-subresource.js';
import type { IdentityServices } from './services.js';
import { REQUESTED_TOKEN, type ServiceAccountTokens } from './tokens.js';

const API_VERSION = 'authentication.k8s.io/v1';
/** The limits of Kubernetes, in seconds. */
const LEAST_SECONDS = 600;
const MOST_SECONDS = 2 ** 32;
const DEFAULT_SECONDS = 3600;

const TokenRequest = z.object({
  apiVersion: z.literal(API_VERSION).optional(),
  kind: z.literal('TokenRequest').optional(),
  spec: TokenRequestSpec.default({}),
});

/** Whether a path is the token subresource of a service account, in this API group or in the core group, where Kubernetes clients look for it. */
export function isTokenRequestPath(path: string, { group, version }: Kind): boolean {
  if (!path.endsWith('/token') || !path.includes('/serviceaccounts/')) return false;
  const info = parseRequestPath(path);
  const isOurs = [CORE_SERVICE_ACCOUNTS, { group, version }].some(
    (one) => one.group === info.group && one.version === info.version,
  );
  return isOurs && info.namespace !== '' && info.resource === 'serviceaccounts' && info.subresource === 'token';
}

/** Issues a token of a service account (`kubectl create token`), by default for an hour. */
export function tokenRequestHandler(services: IdentityServices, tokens: ServiceAccountTokens): Handler {
  const { registry } = services;
  const kind = services.kind('serviceaccounts');
  return async (request) => {
    const info = parseRequestPath(request.path);
    if (request.method !== 'POST') throw methodNotAllowed(request.method);
    await awaitCaller(registry.cacher, request);
    authorize(request, info);
    const { spec } = reviewBody(request, 'TokenRequest', TokenRequest);
    check(info.name, spec);
    const seconds = spec.expirationSeconds ?? DEFAULT_SECONDS;
    const answer = (token: string) => jsonResponse(request, 201, requested(info, token, seconds, services.now()));
    if (isDryRun(request.query.getAll('dryRun'), 'CreateOptions')) return answer('');
    const expires = services.now() + seconds * 1000;
    const name = `${REQUESTED_TOKEN}${services.newName()}`;
    const { namespace, name: account } = info;
    const { text } = await tokens.issue({ namespace, account, name, title: name, expires }, request);
    return answer(text);
  };

  function authorize({ user }: ApiRequest, { namespace, name }: RequestInfo): void {
    const { reader, authorizer } = registry;
    const entry = reader.entry(kind.qualified, namespace, name);
    const object = entry && { object: entryAttributes(entry) };
    authorizer.authorize({ user, verb: 'create', kind, namespace, name, subresource: 'token', ...object }, reader);
    if (entry === undefined) throw notFound(kind, name);
  }
}

type Spec = z.infer<typeof TokenRequestSpec>;

function check(name: string, { audiences, expirationSeconds, boundObjectRef }: Spec): void {
  const causes = [];
  if ((audiences ?? []).length > 0) {
    causes.push(forbiddenField('spec.audiences', 'tokens are for this server alone'));
  }
  if (boundObjectRef != null) {
    causes.push(
      forbiddenField('spec.boundObjectRef', 'tokens cannot be bound to an object other than their service account'),
    );
  }
  const seconds = expirationSeconds ?? DEFAULT_SECONDS;
  if (seconds < LEAST_SECONDS || seconds > MOST_SECONDS) {
    const message = `Invalid value: ${seconds}: may not specify a duration ${seconds < LEAST_SECONDS ? 'less than 10 minutes' : 'larger than 2^32 seconds'}`;
    causes.push({ reason: 'FieldValueInvalid', message, field: 'spec.expirationSeconds' });
  }
  if (causes.length > 0) throw invalid({ group: 'authentication.k8s.io', kind: 'TokenRequest' }, name, causes);
}

const forbiddenField = (field: string, why: string) => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${why}`,
  field,
});

function requested({ namespace, name }: RequestInfo, token: string, seconds: number, now: number): unknown {
  return {
    kind: 'TokenRequest',
    apiVersion: API_VERSION,
    metadata: { name, namespace, creationTimestamp: timestamp(now) },
    spec: { audiences: [], expirationSeconds: seconds, boundObjectRef: null },
    status: { token, expirationTimestamp: timestamp(now + seconds * 1000) },
  };
}
