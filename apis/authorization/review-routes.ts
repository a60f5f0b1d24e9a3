import type { ApiRequest, ApiResponse, Handler } from '../../pkg/http/handler.js';
import { jsonResponse } from '../../pkg/http/json.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { forbidden, methodNotAllowed } from '../../pkg/kube/status/errors.js';
import type { DescribedResource } from '../../registry/openapi/schemas.js';
import { checkRepresentation } from '../../registry/rest/answer/render.js';

export type Reviewer = (request: ApiRequest) => Promise<Readonly<Record<string, unknown>>>;

/** Answers a review, which is not stored. */
export function handlerOf(kind: DescribedResource, review: Reviewer): Handler {
  return async (request): Promise<ApiResponse> => {
    if (request.method !== 'POST') throw methodNotAllowed();
    const apiVersion = `${kind.group}/${kind.version}`;
    const { metadata, ...rest } = await review(request);
    checkRepresentation(request, 'object', { apiVersion, kind: kind.kind });
    // The warnings about the body come with refusals, and with the answer.
    return jsonResponse(request, 201, { kind: kind.kind, apiVersion, metadata, ...rest }, request.failureHeaders);
  };
}

type NamespacedReviewer = (request: ApiRequest, namespace: string) => ReturnType<Reviewer>;

/** The handler of a review about one namespace, by its path. */
export function inNamespace(
  kind: DescribedResource,
  review: NamespacedReviewer,
): (path: string) => Handler | undefined {
  const find = pathIn(kind);
  return (path) => {
    const namespace = find(path);
    return namespace === undefined ? undefined : handlerOf(kind, (request) => review(request, namespace));
  };
}

/** Finds the namespace in the path of a review. */
function pathIn({ group, version, resource }: DescribedResource): (path: string) => string | undefined {
  const prefix = `/apis/${group}/${version}/namespaces/`;
  const rest = new RegExp(`^([^/%]{1,253})/${resource}/?$`);
  return (path) => (path.startsWith(prefix) ? rest.exec(path.slice(prefix.length))?.[1] : undefined);
}

/** Throws 403 for a caller who may not create the review. */
export function refuseReview(user: UserInfo, { group, resource }: DescribedResource, namespace = ''): never {
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  const why = `User ${JSON.stringify(user.name)} cannot create resource ${JSON.stringify(resource)} in API group ${JSON.stringify(group)} ${where}`;
  throw forbidden({ group, resource }, '', why);
}
