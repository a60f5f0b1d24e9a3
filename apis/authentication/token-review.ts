import { z } from 'zod';
import type { ApiRequest, Handler } from '../../pkg/http/handler.js';
import { jsonResponse } from '../../pkg/http/json.js';
import { inAcceptedForm } from '../../pkg/http/negotiation/forms.js';
import { addRoute, createRouter, type Endpoints, routerEndpoints } from '../../pkg/http/router.js';
import type { Authenticate } from '../../pkg/identity/authn/chain.js';
import { MASTERS_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import { arrayOf } from '../../pkg/kube/meta/bounded.js';
import { forbidden, methodNotAllowed } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import type { DescribedResource } from '../../registry/openapi/schemas.js';
import { reviewBody } from '../authorization/review-body.js';
import { ReviewedUser } from '../authorization/review-schema.js';

const TokenReviewSpec = z
  .object({
    token: z.string().max(8_192).default('').describe('The token that is asked about.'),
    audiences: arrayOf(z.string(), 100).optional().describe('Not supported: tokens are for this server alone.'),
  })
  .meta({ id: 'TokenReviewSpec', description: 'Which token is asked about.' });

export const TokenReviewStatus = z
  .strictObject({
    authenticated: z.boolean().describe('Whether the token is good.'),
    user: ReviewedUser.optional().describe('Whose token it is.'),
    error: z.string().optional().describe('Why it is not good, for people.'),
  })
  .meta({ id: 'TokenReviewStatus', description: 'Whose token it is.' });

const GROUP = 'authentication.k8s.io';
const API_VERSION = `${GROUP}/v1`;
/** The description of TokenReview for discovery and OpenAPI. */
export const TOKEN_REVIEW: DescribedResource = {
  group: GROUP,
  version: 'v1',
  kind: 'TokenReview',
  resource: 'tokenreviews',
  singular: 'tokenreview',
  scope: 'Cluster',
  verbs: ['create'],
  description: 'TokenReview asks whose token it is. For administrators.',
  spec: TokenReviewSpec,
  status: TokenReviewStatus,
};
const PATH = `/apis/${API_VERSION}/tokenreviews`;

const TokenReview = z.object({
  apiVersion: z.literal(API_VERSION).optional(),
  kind: z.literal('TokenReview').optional(),
  metadata: z.looseObject({}).nullish(),
  spec: TokenReviewSpec.default({ token: '' }),
});

export function tokenReviewEndpoints(authenticate: Authenticate): Endpoints {
  const router = createRouter();
  addRoute(router, 'ANY', PATH, tokenReviewHandler(authenticate));
  return routerEndpoints(router, [{ prefix: PATH }]);
}

/**
 * Tells servers that rely on this one which user a token belongs to. Only server administrators may ask, because an
 * answer tells whether a guessed token is valid.
 */
function tokenReviewHandler(authenticate: Authenticate): Handler {
  return async (request) => {
    if (request.method !== 'POST') throw methodNotAllowed();
    if (!request.user.groups.includes(MASTERS_GROUP)) {
      const why = `User ${JSON.stringify(request.user.name)} cannot create resource "tokenreviews" in API group "${GROUP}" at the cluster scope`;
      throw forbidden({ group: GROUP, resource: 'tokenreviews' }, '', why);
    }
    const { spec, metadata } = reviewBody(request, TOKEN_REVIEW, TokenReview);
    const status = await answer(spec.token, spec.audiences ?? [], authenticate, request);
    const review = { kind: 'TokenReview', apiVersion: API_VERSION, metadata: metadata ?? {}, spec, status };
    // The warnings about the body come with refusals, and with the answer.
    return inAcceptedForm(request, jsonResponse(request, 201, review, request.failureHeaders));
  };
}

interface ReviewStatus {
  readonly authenticated: boolean;
  readonly user?: { readonly username: string } & Pick<UserInfo, 'uid' | 'groups' | 'extra'>;
  readonly error?: string;
}

async function answer(
  token: string,
  audiences: readonly string[],
  authenticate: Authenticate,
  request: ApiRequest,
): Promise<ReviewStatus> {
  if (token === '' || /\s/.test(token)) return { authenticated: false, error: 'the review has no token' };
  if (audiences.length > 0) return { authenticated: false, error: 'tokens of this server are for no other audience' };
  const credentials = {
    authorization: `Bearer ${token}`,
    cookie: undefined,
    certificate: undefined,
    remoteAddress: request.client?.remoteAddress ?? '',
  };
  try {
    const { name: username, uid, groups, extra } = await authenticate(credentials, { signal: request.signal });
    return { authenticated: true, user: { username, uid, groups, extra } };
  } catch (error) {
    if (error instanceof ApiError && error.code === 401) return { authenticated: false, error: error.message };
    throw error;
  }
}
