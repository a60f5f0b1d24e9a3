import type { UserInfo } from '../authn/user.js';

/** What is asked: Kubernetes' request attributes. `name` is empty for collection verbs, `namespace` for cluster scope. */
export interface Attributes {
  readonly user: UserInfo;
  readonly verb:
    | 'get'
    | 'list'
    | 'watch'
    | 'create'
    | 'update'
    | 'patch'
    | 'delete'
    | 'deletecollection'
    | (string & {});
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** Anything but `allow` is a no. */
export type Decision = { readonly allow: true } | { readonly allow: false; readonly reason: string };

/** Pure and synchronous: it may be run again, on the view that a write is evaluated on. */
export interface Authorizer {
  authorize(attributes: Attributes): Decision;
}
