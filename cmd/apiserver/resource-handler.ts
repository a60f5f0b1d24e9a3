import { TOKEN_REVIEW } from '../../apis/authentication/token-review.js';
import type { GrantOptions } from '../../apis/authorization/grant-inputs.js';
import { reviewsOf as authorizationReviews, reviewRoutes } from '../../apis/authorization/reviews.js';
import type { ApisEnvironment } from '../../apis/environment.js';
import { mirrorReviewRoute } from '../../apis/mirror/review/route.js';
import { mirrorReview } from '../../apis/mirror/review/schema.js';
import type { Handler } from '../../pkg/http/handler.js';
import { formed } from '../../pkg/http/negotiation/forms.js';
import { following } from '../../pkg/system/collections/following.js';
import { discoveryRoutes } from '../../registry/discovery/routes.js';
import type { Kind } from '../../registry/kinds/kind.js';
import type { Registry } from '../../registry/kinds/registry.js';
import { aliasResources } from '../../registry/kinds/subresource.js';
import { openApiRoutes } from '../../registry/openapi/routes.js';
import type { DescribedResource } from '../../registry/openapi/schemas.js';
import { resourceHandler } from '../../registry/rest/router.js';

interface HandlerOptions {
  readonly environment: ApisEnvironment;
  /** The version of the product, for OpenAPI. */
  readonly version: string;
  readonly grants: GrantOptions;
}

export interface ResourceApiHandler {
  /** Everything below `/api`, `/apis` and `/openapi` that belongs to the resource API. */
  readonly handler: Handler;
  /** The paths of discovery and OpenAPI, as they are now. */
  readonly paths: () => readonly string[];
}

/** The reviews of the resource API, which are answered and not stored. */
export const reviewsOf = (domain: string): readonly DescribedResource[] => [
  ...authorizationReviews(domain),
  mirrorReview(domain),
];

/**
 * The resources of the documents. A kind that stays has the same aliases, so that its documents are not rendered again.
 */
function describing(registry: Registry, domain: string): () => readonly DescribedResource[] {
  const reviews = [...reviewsOf(domain), TOKEN_REVIEW];
  const aliases = new WeakMap<Kind, readonly DescribedResource[]>();
  const aliasesOf = (kind: Kind): readonly DescribedResource[] => {
    const known = aliases.get(kind) ?? aliasResources([kind]);
    aliases.set(kind, known);
    return known;
  };
  const resourcesOf = (kinds: readonly Kind[]): readonly DescribedResource[] => {
    const served = kinds.filter(({ served: isServed }) => isServed);
    return [...served, ...reviews, ...served.flatMap(aliasesOf)];
  };
  return following(() => registry.kinds, resourcesOf);
}

/** Discovery, OpenAPI and reviews have paths at which no kind is served. */
export function resourceApiHandler(
  registry: Registry,
  { environment, version, grants }: HandlerOptions,
): ResourceApiHandler {
  const described = describing(registry, environment.domain);
  const discovery = discoveryRoutes(described);
  const about = { title: 'dashboard-apiserver', version, patches: { apply: true } };
  const openApi = openApiRoutes(described, about);
  const reviews = reviewRoutes(registry, grants);
  const mirrorReviews = mirrorReviewRoute(registry, environment, version);
  const resources = resourceHandler(registry, (path) => {
    const exact = withoutSlash(path);
    return discovery.find(exact) ?? openApi.find(exact) ?? reviews(path) ?? mirrorReviews(path);
  });
  const handler: Handler = (request) => {
    const response = resources(request);
    if (response instanceof Promise) return response.then((late) => formed(request, late));
    return formed(request, response);
  };
  return { handler, paths: () => [...discovery.paths(), ...openApi.paths()] };
}

/** A slash at the end of a path of discovery or OpenAPI does not matter. */
function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
