import { call } from '../../lib/api.js';
import type { Resource } from '../../lib/discovery.js';
import type { Permission } from '../../lib/session.js';
import { type BindingSpec, needed } from '../folders/access/entries.js';
import type { Person } from '../folders/access/subjects.js';

/** The verbs of all kinds, in the order in which people think of them. */
export const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const;

const GROUP = 'authorization.k8s.io';

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface Rules {
  readonly resourceRules: readonly Rule[];
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}

/**
 * What a person may do in a namespace, or the caller if there is none. About others, it asks by impersonation, which
 * only administrators may use.
 */
export async function rulesOf(person: Person | undefined, namespace: string, signal: AbortSignal): Promise<Rules> {
  const { body } = await call<{ readonly status: Rules }>('POST', `/apis/${GROUP}/v1/selfsubjectrulesreviews`, {
    body: { apiVersion: `${GROUP}/v1`, kind: 'SelfSubjectRulesReview', spec: { namespace } },
    headers: person?.username === undefined ? {} : { 'impersonate-user': person.username },
    signal,
  });
  return body.status;
}

/** What somebody may do: with all objects of a kind, with some of them, or with none. */
export type Extent = 'all' | 'some' | 'none';

export function extentOf({ resourceRules }: Rules, { group, resource }: Resource, verb: string): Extent {
  const has = (all: readonly string[], one: string): boolean => all.includes('*') || all.includes(one);
  const found = resourceRules.filter(
    (rule) => has(rule.apiGroups, group) && has(rule.resources, resource) && has(rule.verbs, verb),
  );
  if (found.length === 0) return 'none';
  return found.some(({ resourceNames }) => resourceNames === undefined) ? 'all' : 'some';
}

export interface Question {
  readonly verb: string;
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

const attributesOf = ({ verb, resource: { group, resource, isNamespaced }, namespace, name }: Question) => ({
  verb,
  group,
  resource,
  name,
  namespace: isNamespaced ? namespace : '',
});

/** Whether somebody may do something with one object, and why not. */
export async function mayThey(
  person: Person | undefined,
  question: Question,
  signal: AbortSignal,
): Promise<Permission> {
  const kind = person?.username === undefined ? 'SelfSubjectAccessReview' : 'SubjectAccessReview';
  const { body } = await call<{ readonly status: Permission }>('POST', `/apis/${GROUP}/v1/${kind.toLowerCase()}s`, {
    body: {
      apiVersion: `${GROUP}/v1`,
      kind,
      spec: {
        resourceAttributes: attributesOf(question),
        ...(person?.username !== undefined && { user: person.username }),
      },
    },
    signal,
  });
  return body.status;
}

/** One reason for a right, which is enough alone. */
export interface Reason {
  readonly serverAdministrator?: boolean;
  readonly own?: boolean;
  readonly role?: string;
  readonly team?: string;
  readonly binding?: BindingSpec;
}

export interface Allowed {
  readonly kind: 'User' | 'ServiceAccount' | 'Anonymous';
  readonly name: string;
  readonly because: readonly Reason[];
}

export interface Answer {
  readonly subjects: readonly Allowed[];
  readonly examined: number;
  readonly continue?: string;
}

/** Those who may do something, among the next users and service accounts that the server examines. */
export async function whoMay(question: Question, next: string, signal?: AbortSignal): Promise<Answer> {
  const { group, version } = needed('iam', 'users');
  const path = `/apis/${group}/${version}/namespaces/${encodeURIComponent(question.namespace)}/resourceaccessreviews`;
  const { body } = await call<{ readonly status: Answer }>('POST', path, {
    body: { spec: { resourceAttributes: attributesOf(question), continue: next } },
    ...(signal && { signal }),
  });
  return body.status;
}
