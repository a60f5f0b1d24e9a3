import type { UserInfo } from '../../../pkg/authn/user.js';
import type { KubeObject } from '../../../pkg/meta/types.js';
import type { AlsoCreate, WriteContext } from '../../../registry/strategy.js';
import { isUser, resourceName, SERVICE_ACCOUNT_PREFIX } from '../../iam/names.js';
import type { RoleBindingSpec } from '../../iam/rolebinding/schema.js';

/** The annotation by which a creator asks for rights on a new folder, without the domain; it is not kept. */
export const GRANT = 'grant-permissions';
/** What it has to say. */
export const DEFAULT_GRANT = 'default';

type Subject = RoleBindingSpec['subject'];

/** One binding a subject, whoever makes it first. */
export function folderBindingName(folder: string, { kind, name }: Subject): string {
  return `${folder}.${kind.toLowerCase()}.${name}`;
}

export function folderBindingSpec(folder: string, subject: Subject, level: string): RoleBindingSpec {
  return { subject, roleRef: { kind: 'BuiltIn', name: level }, scope: { folder } };
}

/** Makes a member or service account of the organization who creates a folder its Admin; nobody who is neither. */
export function creatorGrant({ metadata }: KubeObject, ctx: WriteContext, domain: string): readonly AlsoCreate[] {
  const subject = subjectOf(ctx, domain);
  if (subject === undefined) return [];
  const resource = resourceName('rolebindings', domain);
  const usual = folderBindingName(metadata.name, subject);
  // A binding on another folder may have the name.
  const isTaken = ctx.reader.get(resource, ctx.namespace, usual) !== undefined;
  const name = isTaken ? `${usual}.${metadata.uid}` : usual;
  return [{ resource, name, spec: folderBindingSpec(metadata.name, subject, 'Admin') }];
}

function subjectOf({ reader, user, namespace }: WriteContext, domain: string): Subject | undefined {
  const account = accountIn(namespace, user);
  const kind = account === undefined ? 'User' : 'ServiceAccount';
  const name = account ?? (isUser(user, user.uid) ? user.uid : '');
  if (name === '') return undefined;
  const found =
    kind === 'User'
      ? reader.get(resourceName('organizationbindings', domain), namespace, name)
      : reader.get(resourceName('serviceaccounts', domain), namespace, name);
  return found === undefined || found.metadata.deletionTimestamp !== undefined ? undefined : { kind, name };
}

function accountIn(namespace: string, { name }: UserInfo): string | undefined {
  const prefix = `${SERVICE_ACCOUNT_PREFIX}${namespace}:`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
}
