import { z } from 'zod';
import type { Handler } from '../../pkg/http/handler.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { invalid } from '../../pkg/kube/status/errors.js';
import { runStepsYielding } from '../../pkg/system/yielding/yielding.js';
import { isMaster } from '../../registry/kinds/authorizer.js';
import type { Registry } from '../../registry/kinds/registry.js';
import type { DescribedKind, DescribedResource } from '../../registry/openapi/schemas.js';
import { awaitCaller } from '../../registry/rest/options/freshness.js';
import type { HandlerOf } from '../../registry/rest/router.js';
import { ResourceAccessSpec, resourceAccessReview, whoMay } from './access-review.js';
import { AccessSummarySpec, accessSummary, accessSummaryReview } from './access-summary.js';
import { administersOrganization } from './administrators.js';
import { type Answer, mayDo, mayRead, openPathsOf, rulesOf } from './answers.js';
import { AuthorSpec, authorReview, authorsIn } from './author-review.js';
import type { GrantOptions } from './grant-inputs.js';
import { decodeReview, type Review, type ReviewKind, requireOneQuestion } from './review-body.js';
import { handlerOf, inNamespace, type Reviewer, refuseReview } from './review-routes.js';
import { AccessSpec, AccessStatus, RulesSpec, RulesStatus, SelfAccessSpec, SelfReviewStatus } from './review-schema.js';
import { scopeAccess, scopeAccessReview } from './scope-access.js';
import { ScopeAccessSpec } from './scope-access-schema.js';
import { subjectNamed } from './subjects.js';

const AUTHORIZATION = 'authorization.k8s.io';
const SELF_ACCESS = reviewKind({
  group: AUTHORIZATION,
  kind: 'SelfSubjectAccessReview',
  description: 'SelfSubjectAccessReview asks whether the caller may do something.',
  spec: SelfAccessSpec,
  status: AccessStatus,
});
const ACCESS = reviewKind({
  group: AUTHORIZATION,
  kind: 'SubjectAccessReview',
  description: 'SubjectAccessReview asks whether a user may do something. For administrators.',
  spec: AccessSpec,
  status: AccessStatus,
});
const LOCAL_ACCESS: DescribedResource = {
  ...reviewKind({
    group: AUTHORIZATION,
    kind: 'LocalSubjectAccessReview',
    description: 'LocalSubjectAccessReview asks whether a user may do something in a namespace. For administrators.',
    spec: AccessSpec,
    status: AccessStatus,
  }),
  scope: 'Namespaced',
};
const SELF_RULES = reviewKind({
  group: AUTHORIZATION,
  kind: 'SelfSubjectRulesReview',
  description: 'SelfSubjectRulesReview asks what the caller may do in a namespace.',
  spec: RulesSpec,
  status: RulesStatus,
});
const SELF = reviewKind({
  group: 'authentication.k8s.io',
  kind: 'SelfSubjectReview',
  description: 'SelfSubjectReview asks who the caller is.',
  status: SelfReviewStatus,
});

function reviewKind(kind: Omit<DescribedKind, 'version'>): DescribedResource {
  const singular = kind.kind.toLowerCase();
  return { ...kind, version: 'v1', resource: `${singular}s`, singular, scope: 'Cluster', verbs: ['create'] };
}

const NoSpec = z.object({});

/** The descriptions of the reviews for discovery and OpenAPI. */
export const reviewsOf = (domain: string): readonly DescribedResource[] => [
  SELF,
  SELF_ACCESS,
  SELF_RULES,
  ACCESS,
  LOCAL_ACCESS,
  ...organizationReviewKinds(domain),
];

/**
 * The handlers of the reviews. `kubectl auth whoami` and `can-i` use them, as do servers that delegate authorization to
 * this one.
 */
export function reviewRoutes(registry: Registry, options: GrantOptions): HandlerOf {
  const { domain } = options;
  const answer = async (
    user: UserInfo,
    kind: ReviewKind,
    { resourceAttributes, nonResourceAttributes }: SelfAccessSpec,
  ): Promise<Answer> => {
    requireOneQuestion(kind, [resourceAttributes, nonResourceAttributes]);
    if (resourceAttributes) return mayDo(registry, user, resourceAttributes);
    return mayRead(registry, user, nonResourceAttributes?.path ?? '', nonResourceAttributes?.verb ?? '');
  };
  const answerAbout = async (kind: DescribedResource, review: Review<AccessSpec>) => {
    const { user: name, uid, groups, extra } = review.spec;
    const subject = subjectNamed(registry.reader, domain, { name, uid, groups: groups ?? [], extra: extra ?? {} });
    return { ...review, status: await answer(subject, kind, review.spec) };
  };
  const exact = new Map([
    route(SELF, async (request) => {
      const { metadata } = decodeReview(request, SELF, NoSpec);
      await awaitCaller(registry.cacher, request);
      return { metadata, status: { userInfo: userInfoOf(request.user) } };
    }),
    route(SELF_ACCESS, async (request) => {
      const review = decodeReview(request, SELF_ACCESS, SelfAccessSpec);
      await awaitCaller(registry.cacher, request);
      return { ...review, status: await answer(request.user, SELF_ACCESS, review.spec) };
    }),
    route(ACCESS, async (request) => {
      await awaitCaller(registry.cacher, request);
      refuseUnlessMaster(request.user, ACCESS);
      return answerAbout(ACCESS, decodeReview(request, ACCESS, AccessSpec));
    }),
    route(SELF_RULES, async (request) => {
      const review = decodeReview(request, SELF_RULES, RulesSpec);
      await awaitCaller(registry.cacher, request);
      const { rules, ...doubts } = rulesOf(registry, request.user, review.spec.namespace, registry.reader);
      const nonResourceRules = [{ verbs: ['get', 'head'], nonResourceURLs: openPathsOf(registry, request.user) }];
      return { ...review, status: { resourceRules: [...SELF_RULE, ...rules], nonResourceRules, ...doubts } };
    }),
  ]);
  const namespaced = [
    inNamespace(LOCAL_ACCESS, async (request, namespace) => {
      await awaitCaller(registry.cacher, request);
      refuseUnlessMaster(request.user, LOCAL_ACCESS, namespace);
      const review = decodeReview(request, LOCAL_ACCESS, AccessSpec);
      requireNamespace(review.spec, namespace);
      return answerAbout(LOCAL_ACCESS, review);
    }),
    ...organizationReviews(registry, options),
  ];
  return (path) => {
    const known = exact.get(path.endsWith('/') ? path.slice(0, -1) : path);
    if (known !== undefined) return known;
    for (const find of namespaced) {
      const handler = find(path);
      if (handler !== undefined) return handler;
    }
    return undefined;
  };
}

/** The reviews of the server's own group, about one organization. */
function organizationReviews(registry: Registry, options: GrantOptions): readonly ReturnType<typeof inNamespace>[] {
  const [who, scope, summary, authors] = organizationReviewKinds(options.domain);
  return [
    inNamespace(who, async (request, namespace) => {
      await awaitCaller(registry.cacher, request);
      if (!administersOrganization(registry, request.user, namespace)) refuseUnlessMaster(request.user, who, namespace);
      const review = decodeReview(request, who, ResourceAccessSpec);
      const within = isMaster(request.user) ? 'server' : 'organization';
      if (within === 'organization' && !isInOrganization(registry, review.spec)) refuseUnlessMaster(request.user, who);
      return { ...review, status: await whoMay(registry, options, { namespace, within }, review.spec) };
    }),
    inNamespace(scope, async (request, namespace) => {
      await awaitCaller(registry.cacher, request);
      const review = decodeReview(request, scope, ScopeAccessSpec);
      return {
        ...review,
        status: await runStepsYielding(scopeAccess(registry, options, request.user, namespace, review.spec)),
      };
    }),
    inNamespace(summary, async (request, namespace) => {
      await awaitCaller(registry.cacher, request);
      const review = decodeReview(request, summary, AccessSummarySpec);
      return { ...review, status: await accessSummary(registry, options, request.user, namespace, review.spec) };
    }),
    inNamespace(authors, async (request, namespace) => {
      await awaitCaller(registry.cacher, request);
      const review = decodeReview(request, authors, AuthorSpec);
      return {
        ...review,
        status: await runStepsYielding(authorsIn(registry, options, request.user, namespace, review.spec)),
      };
    }),
  ];
}

/** What is outside of it, such as another organization, tells to what else its members belong. */
function isInOrganization({ kinds }: Registry, { resourceAttributes }: ResourceAccessSpec): boolean {
  const { group, resource } = resourceAttributes;
  return !kinds.some((kind) => kind.group === group && kind.resource === resource && kind.scope === 'Cluster');
}

const organizationReviewKinds = (domain: string) =>
  [resourceAccessReview(domain), scopeAccessReview(domain), accessSummaryReview(domain), authorReview(domain)] as const;

/** As in Kubernetes, the question is about the namespace of the path. */
function requireNamespace({ resourceAttributes, nonResourceAttributes }: AccessSpec, namespace: string): void {
  const refuse = (message: string, field: string): never => {
    throw invalid(LOCAL_ACCESS, '', [{ reason: 'FieldValueInvalid', message: `Invalid value: ${message}`, field }]);
  };
  if (nonResourceAttributes) refuse('must not be set: a namespace has only resources', 'spec.nonResourceAttributes');
  if (resourceAttributes && resourceAttributes.namespace !== namespace)
    refuse('must be the namespace of the path', 'spec.resourceAttributes.namespace');
}

/** All callers may ask about themselves. */
const SELF_RULE = [SELF, SELF_ACCESS, SELF_RULES].map(({ group, resource }) => ({
  verbs: ['create'],
  apiGroups: [group],
  resources: [resource],
}));

function route(kind: DescribedResource, review: Reviewer): readonly [string, Handler] {
  return [`/apis/${kind.group}/${kind.version}/${kind.resource}`, handlerOf(kind, review)];
}

function userInfoOf({ name, uid, groups, extra }: UserInfo): unknown {
  const hasExtra = Object.keys(extra).length > 0;
  return { username: name, ...(uid === '' ? {} : { uid }), groups, ...(hasExtra ? { extra } : {}) };
}

function refuseUnlessMaster(user: UserInfo, kind: DescribedResource, namespace = ''): void {
  if (!isMaster(user)) refuseReview(user, kind, namespace);
}
