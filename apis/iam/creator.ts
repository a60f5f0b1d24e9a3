import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { isTerminating, type KubeObject } from '../../pkg/kube/meta/types.js';
import type { StatusCause } from '../../pkg/kube/status/status.js';
import { resourceName } from '../../registry/kinds/names.js';
import type { AlsoCreate, WriteContext } from '../../registry/kinds/strategy.js';
import { withAnnotation } from '../../registry/kinds/with-annotation.js';
import { isUser, SERVICE_ACCOUNT_PREFIX } from './names.js';
import type { BindingSubject, RoleBindingSpec } from './rolebinding/schema.js';

/** The annotation, without the domain, that asks for permissions on a new object. It is not stored. */
export const GRANT = 'grant-permissions';
/** The only value of the annotation. */
export const DEFAULT_GRANT = 'default';

/** The permissions on one kind of object. */
export interface Granted {
  /** The name of the binding of a subject. It depends only on the two names, so all writers create the same binding. */
  bindingName(name: string, subject: BindingSubject): string;
  scope(name: string): RoleBindingSpec['scope'];
}

export const ON_FOLDER: Granted = {
  bindingName: (folder, { kind, name }) => `${folder}.${kind.toLowerCase()}.${name}`,
  scope: (folder) => ({ folder }),
};

/** Names of bindings on folders have one part less, so the two are never equal. */
export const ON_DASHBOARD: Granted = {
  bindingName: (dashboard, { kind, name }) => `dashboard.${dashboard}.${kind.toLowerCase()}.${name}`,
  scope: (dashboard) => ({ dashboard }),
};

export const ON_SERVICE_ACCOUNT: Granted = {
  bindingName: (account, { kind, name }) => `serviceaccount.${account}.${kind.toLowerCase()}.${name}`,
  scope: (account) => ({ serviceAccount: account }),
};

/** What the annotation does in the strategy of a kind. */
export interface CreatorGrants {
  /** Removes a valid annotation. An invalid one stays, and `causes` refuses it. */
  without<Spec>(object: KubeObject<Spec>): KubeObject<Spec>;
  causes(object: KubeObject): readonly StatusCause[];
  /** The binding that makes the creator of a new object its Admin, if `sent` asks for it. */
  create(object: KubeObject, sent: KubeObject, ctx: WriteContext): readonly AlsoCreate[];
}

export function creatorGrants(domain: string, granted: Granted): CreatorGrants {
  const key = `${domain}/${GRANT}`;
  const isAsked = ({ metadata }: KubeObject): boolean => metadata.annotations?.[key] === DEFAULT_GRANT;
  return {
    without: (object) => (isAsked(object) ? withAnnotation(object, key, undefined) : object),
    causes: ({ metadata }) => (metadata.annotations?.[key] === undefined ? [] : [unknownGrant(key)]),
    create: (object, sent, ctx) => (isAsked(sent) ? creatorGrant(object, ctx, domain, granted) : []),
  };
}

function unknownGrant(key: string): StatusCause {
  const message = `Unsupported value: supported values: ${JSON.stringify(DEFAULT_GRANT)}`;
  return { reason: 'FieldValueNotSupported', message, field: `metadata.annotations[${key}]` };
}

/** Makes the creator of an object its Admin, if the creator is a member or a service account of the organization. */
function creatorGrant(
  { metadata }: KubeObject,
  ctx: WriteContext,
  domain: string,
  { bindingName, scope }: Granted,
): readonly AlsoCreate[] {
  const subject = subjectOf(ctx, domain);
  if (subject === undefined) return [];
  const resource = resourceName('iam/rolebindings', domain);
  const usual = bindingName(metadata.name, subject);
  // A binding on another object may have this name.
  const isTaken = ctx.reader.get(resource, ctx.namespace, usual) !== undefined;
  const name = isTaken ? `${usual}.${metadata.uid}` : usual;
  return [
    { resource, name, spec: { subject, roleRef: { kind: 'BuiltIn', name: 'Admin' }, scope: scope(metadata.name) } },
  ];
}

function subjectOf({ reader, user, namespace }: WriteContext, domain: string): BindingSubject | undefined {
  const account = accountIn(namespace, user);
  const kind = account === undefined ? 'User' : 'ServiceAccount';
  const name = account ?? (isUser(user, user.uid) ? user.uid : '');
  if (name === '') return undefined;
  const object =
    kind === 'User'
      ? reader.get(resourceName('iam/organizationbindings', domain), namespace, name)
      : reader.get(resourceName('iam/serviceaccounts', domain), namespace, name);
  return object === undefined || isTerminating(object) ? undefined : { kind, name };
}

function accountIn(namespace: string, { name }: UserInfo): string | undefined {
  const prefix = `${SERVICE_ACCOUNT_PREFIX}${namespace}:`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
}
