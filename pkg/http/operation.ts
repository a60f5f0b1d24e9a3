/**
 * What a request does, under Kubernetes' names. Metrics and traces are labelled with it, so there must be few different
 * operations.
 */
export interface RequestOperation {
  /**
   * Upper case: GET, LIST, WATCH, POST, PUT, PATCH, APPLY, DELETE, DELETECOLLECTION. For requests that are for no
   * resource, the method.
   */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  /** Empty for requests that are for no resource. */
  readonly resource: string;
  readonly subresource: string;
  readonly scope: '' | 'cluster' | 'namespace' | 'resource';
  /** The prefix of the path, for requests that are for no resource. */
  readonly route: string;
}

/** Other methods are counted as OTHER, so that callers cannot make new label values. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const KNOWN = new Map<string, RequestOperation>();

/** The operation of a request for no resource. The routes are those of the mounts, so the table stays small. */
export function routeOperation(method: string, route: string): RequestOperation {
  const verb = METHODS.has(method) ? method : 'OTHER';
  const key = `${verb} ${route}`;
  let operation = KNOWN.get(key);
  if (operation === undefined) {
    operation = { verb, group: '', version: '', resource: '', subresource: '', scope: '', route };
    KNOWN.set(key, operation);
  }
  return operation;
}
