import type { UserInfo } from '../../../pkg/authn/user.js';
import { isTerminating, type KubeObject } from '../../../pkg/meta/types.js';
import type { AlsoCreate, WriteContext } from '../../../registry/strategy.js';
import { isUser, resourceName, SERVICE_ACCOUNT_PREFIX } from '../../iam/names.js';
import type { BindingSubject, RoleBindingSpec } from '../../iam/rolebinding/schema.js';

/** The annotation, without the domain, that asks for permissions on a new folder. It is not stored. */
export const GRANT = 'grant-permissions';
/** The only value of the annotation. */
export const DEFAULT_GRANT = 'default';

/** The name of the binding of a subject to a folder. It depends only on the two, so all writers create the same binding. */
export function folderBindingName(folder: string, { kind, name }: BindingSubject): string {
  return `${folder}.${kind.toLowerCase()}.${name}`;
}

export function folderBindingSpec(folder: string, subject: BindingSubject, level: string): RoleBindingSpec {
  return { subject, roleRef: { kind: 'BuiltIn', name: level }, scope: { folder } };
}

/** Makes the creator of a folder its Admin, if the creator is a member or a service account of the organization. */
export function creatorGrant({ metadata }: KubeObject, ctx: WriteContext, domain: string): readonly AlsoCreate[] {
  const subject = subjectOf(ctx, domain);
  if (subject === undefined) return [];
  const resource = resourceName('rolebindings', domain);
  const usual = folderBindingName(metadata.name, subject);
  // A binding on another folder may have this name.
  const isTaken = ctx.reader.get(resource, ctx.namespace, usual) !== undefined;
  const name = isTaken ? `${usual}.${metadata.uid}` : usual;
  return [{ resource, name, spec: folderBindingSpec(metadata.name, subject, 'Admin') }];
}

function subjectOf({ reader, user, namespace }: WriteContext, domain: string): BindingSubject | undefined {
  const account = accountIn(namespace, user);
  const kind = account === undefined ? 'User' : 'ServiceAccount';
  const name = account ?? (isUser(user, user.uid) ? user.uid : '');
  if (name === '') return undefined;
  const found =
    kind === 'User'
      ? reader.get(resourceName('organizationbindings', domain), namespace, name)
      : reader.get(resourceName('serviceaccounts', domain), namespace, name);
  return found === undefined || isTerminating(found) ? undefined : { kind, name };
}

function accountIn(namespace: string, { name }: UserInfo): string | undefined {
  const prefix = `${SERVICE_ACCOUNT_PREFIX}${namespace}:`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
}
