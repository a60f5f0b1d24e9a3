import { MASTERS_GROUP, type UserInfo } from '../../pkg/authn/user.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import { ApiError } from '../../pkg/status/status.js';
import type { Kind } from '../../registry/kind.js';
import type { Registry } from '../../registry/registry.js';
import { Store } from '../../registry/store.js';
import { type Plan, transact } from '../../registry/transact.js';
import { DEFAULT_ORGANIZATION } from '../iam/names.js';

/** The first server administrator. */
export interface Administrator {
  readonly login: string;
  readonly email: string;
  /** As `hashPassword` made it. */
  readonly hash: string;
}

/** metadata.name of the first administrator: the same on every server, so that of several starting at once one makes it. */
const ADMINISTRATOR = 'admin';

/** The server itself, where nobody asked for a write. */
export const SYSTEM_USER: UserInfo = { name: 'system:apiserver', uid: '', groups: [MASTERS_GROUP], extra: {} };

const ATTEMPTS = 8;

/**
 * What has to be there before anybody can do anything: the organization `default` and, unless there ever was a user, the administrator
 * with their membership and password. All in one commit; again, or on several servers at once, it changes nothing.
 */
export async function bootstrap(registry: Registry, administrator?: () => Promise<Administrator>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await registry.cacher.fresh();
    const plans = await missing(registry, administrator);
    if (plans.length === 0) return;
    try {
      await transact(registry, plans, { dryRun: false });
      return;
    } catch (error) {
      // Another server was faster.
      if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists' || attempt === ATTEMPTS) throw error;
    }
  }
}

async function missing(
  registry: Registry,
  administrator: (() => Promise<Administrator>) | undefined,
): Promise<readonly Plan[]> {
  const { cacher, kinds } = registry;
  const plans: Plan[] = [];
  if (!registry.hasNamespace(DEFAULT_ORGANIZATION)) {
    plans.push(creation(registry, 'Organization', DEFAULT_ORGANIZATION, '', { title: 'Main Org.' }));
  }
  const users = kindNamed(kinds, 'User').qualified;
  if (administrator !== undefined && cacher.state.counters.get(users) === undefined) {
    plans.push(...administratorPlans(registry, await administrator()));
  }
  return plans;
}

function administratorPlans(registry: Registry, { login, email, hash }: Administrator): readonly Plan[] {
  const name = ADMINISTRATOR;
  const user = {
    login,
    email,
    name: '',
    disabled: false,
    grafanaAdmin: true,
    activeOrganization: DEFAULT_ORGANIZATION,
  };
  const binding = { userRef: { name }, role: 'Admin' };
  return [
    creation(registry, 'User', name, '', user),
    creation(registry, 'OrganizationBinding', name, DEFAULT_ORGANIZATION, binding),
    creation(registry, 'Credential', name, '', { hash }),
  ];
}

function creation(registry: Registry, kindName: string, name: string, namespace: string, spec: unknown): Plan {
  const kind = kindNamed(registry.kinds, kindName);
  const object: KubeObject = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name }, spec };
  return new Store(kind, registry).planCreate(object, { user: SYSTEM_USER, namespace, dryRun: false });
}

function kindNamed(kinds: readonly Kind[], name: string): Kind {
  const kind = kinds.find((one) => one.kind === name);
  if (kind === undefined) throw new Error(`the kind ${name} is not in the list of kinds`);
  return kind;
}
