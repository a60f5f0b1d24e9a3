import { call } from './api.js';
import type { Resource } from './discovery.js';
import { me } from './session.js';

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  /** The only objects for which it holds. */
  readonly resourceNames?: readonly string[];
}

/** Milliseconds for which an answer is kept. */
const KNOWN_FOR = 30_000;
const known = new Map<string, { readonly at: number; readonly answer: Promise<readonly Rule[]> }>();

/** Whether the caller may do something with each object of a kind in a namespace, and not with some only. */
export async function mayEverywhere(
  verb: string,
  { group, resource }: Pick<Resource, 'group' | 'resource'>,
  namespace: string,
): Promise<boolean> {
  const has = (values: readonly string[] = [], value: string): boolean =>
    values.includes('*') || values.includes(value);
  const rules = await rulesIn(namespace);
  return rules.some(
    (rule) =>
      rule.resourceNames === undefined &&
      has(rule.verbs, verb) &&
      has(rule.apiGroups, group) &&
      has(rule.resources, resource),
  );
}

function rulesIn(namespace: string): Promise<readonly Rule[]> {
  const key = `${me.peek()?.username}/${namespace}`;
  const before = known.get(key);
  if (before !== undefined && Date.now() - before.at < KNOWN_FOR) return before.answer;
  const answer = call<{ readonly status: { readonly resourceRules: readonly Rule[] } }>(
    'POST',
    '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
    { body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace } } },
  ).then(({ body }) => body.status.resourceRules);
  known.set(key, { at: Date.now(), answer });
  answer.catch(() => known.delete(key));
  return answer;
}
