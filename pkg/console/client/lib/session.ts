import { computed, effect, signal } from '@preact/signals';
import { ApiError, call, caller, get, hasEnded, hasSignedIn, prefix, refusals } from './api.js';
import type { Resource } from './discovery.js';
import { namespace } from './namespace.js';
import { refusalOf, type Wish } from './refusals.js';

export type { Wish };
export { namespace };

/** The caller. */
export interface Me {
  /** The name that the server gives the caller, such as `user:anna` or `system:admin`. */
  readonly username: string;
  /** metadata.name of the user. Empty for callers who are no stored user. */
  readonly uid: string;
  readonly groups: readonly string[];
}

export const me = signal<Me | undefined>(undefined);

/** The login of the person, or the name of a caller who is none. */
export const loginOf = ({ username }: Me): string => username.replace(/^user:/, '');

const idOf = ({ uid, username }: Me): string => uid || username;

export async function loadMe(): Promise<void> {
  enterAs(await askMe());
}

function enterAs(now: Me): void {
  me.value = now;
  caller.value = idOf(now);
  tabs.postMessage(idOf(now));
}

/** Who the server takes the caller for now. */
async function askMe(): Promise<Me> {
  const { body } = await call<{ readonly status: { readonly userInfo: Partial<Me> } }>(
    'POST',
    '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    { body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }, isForAnybody: true },
  );
  const { username = '', uid = '', groups = [] } = body.status.userInfo;
  return { username, uid, groups };
}

const ANONYMOUS = 'system:anonymous';

/** Who has signed in since, if it is somebody else than the page is shown for. */
export const other = signal<Me | undefined>(undefined);

/** Goes on with the page after a sign-in, if it is by the same person. Rejects if there is still no session. */
export async function resume(): Promise<void> {
  const now = await askMe();
  if (now.username === ANONYMOUS) throw new ApiError(401, 'You are not signed in.');
  if (isOther(now)) {
    other.value = now;
    return;
  }
  enterAs(now);
  forgetPermissions();
  [other.value, hasEnded.value] = [undefined, false];
}

const isOther = (now: Me): boolean => caller.peek() !== undefined && idOf(now) !== caller.peek();

/** Notes whether somebody else has signed in. If nobody has, the session of this page has ended. */
async function look(): Promise<void> {
  const now = await askMe();
  if (!isOther(now)) return;
  if (now.username === ANONYMOUS) hasEnded.value = true;
  else other.value = now;
}

/** All pages of the browser, which share its session. Each says for whom it is shown. */
const tabs = new BroadcastChannel('console.caller');
tabs.onmessage = ({ data }) => {
  if (data !== caller.peek()) void look().catch(() => undefined);
};
// Somebody else may sign in after the session has ended, so each refusal is a reason to look.
effect(() => {
  if (refusals.value > 0) void look().catch(() => undefined);
});

export const isAnonymous = computed(() => me.value?.username === ANONYMOUS);
effect(() => {
  hasSignedIn.value = me.value !== undefined && !isAnonymous.value;
});

/** The sign-in page, which leads back to the page that is shown. */
export function signInAddress(): string {
  const here = location.pathname + location.search;
  return `${prefix}/login?redirectTo=${encodeURIComponent(here)}`;
}

export interface Permission {
  readonly allowed: boolean;
  /** Why not, for people. */
  readonly reason?: string;
}

interface Review {
  readonly status: Permission;
}

/** Milliseconds for which an answer is kept. It may be outdated, because the server checks each request again. */
const KNOWN_FOR = 30_000;
const known = new Map<string, { readonly at: number; readonly answer: Promise<Permission> }>();

/** Whether the caller may do something. */
export function may({ verb, resource, namespace: where = '', name = '', subresource = '' }: Wish): Promise<Permission> {
  const resourceAttributes = {
    verb,
    group: resource.group,
    resource: resource.resource,
    namespace: where,
    name,
    subresource,
  };
  const key = JSON.stringify(resourceAttributes);
  const before = known.get(key);
  if (before !== undefined && Date.now() - before.at < KNOWN_FOR) return before.answer;
  const answer = call<Review>('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    },
  }).then(({ body: { status } }) => ({
    allowed: status.allowed,
    ...(!status.allowed && { reason: refusalOf({ verb, resource, name, subresource }, isAnonymous.peek()) }),
  }));
  known.set(key, { at: Date.now(), answer });
  answer.catch(() => known.delete(key));
  return answer;
}

/** Whether the caller may read a path beside the resources. */
export async function mayRead(path: string): Promise<boolean> {
  const { body } = await call<Review>('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { nonResourceAttributes: { verb: 'get', path } },
    },
  });
  return body.status.allowed;
}

/** Forgets what the caller may do, for example after a change of permissions. */
export function forgetPermissions(): void {
  known.clear();
}

/** The organizations that the caller can see, by their namespaces. */
export const organizations = signal<readonly Organization[]>([]);

export interface Organization {
  readonly name: string;
  readonly title: string;
  /** The number of the organization in the legacy API. */
  readonly id: number | undefined;
}

interface Organizations {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
    readonly spec?: { readonly title?: string };
  }[];
}

/** Leaves the list empty for callers who may not list organizations. */
export async function loadOrganizations(resource: Resource | undefined, path: string): Promise<void> {
  if (resource === undefined) return;
  try {
    const { items } = await get<Organizations>(path, { limit: 500 });
    organizations.value = items.map(({ metadata, spec }) => ({
      name: metadata.name,
      title: spec?.title ?? metadata.name,
      id: numberOf(metadata.labels),
    }));
  } catch {
    organizations.value = [];
  }
}

/** The number of an organization is a label, whose prefix is the domain of the server. */
export function numberOf(labels: Readonly<Record<string, string>> = {}): number | undefined {
  const [, id] = Object.entries(labels).find(([key]) => key.endsWith('/deprecatedInternalID')) ?? [];
  return id === undefined ? undefined : Number(id);
}

/**
 * The number of the organization that is shown. While it is undefined, the legacy API takes the active organization of
 * the caller.
 */
/** What people call the organization of a namespace. */
export function organizationTitle(at: string): string {
  return organizations.value.find(({ name }) => name === at)?.title ?? at;
}

export const organizationId = computed(() => organizations.value.find(({ name }) => name === namespace.value)?.id);
