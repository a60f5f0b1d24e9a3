import { MASTERS_GROUP, SERVER_NAME, type UserInfo } from '../../pkg/identity/authn/user.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { Client } from '../../registry/client/client.js';
import type { ClientTransaction } from '../../registry/client/transaction.js';
import type { KindName } from '../../registry/kinds/compiled.js';
import { hasNamespace } from '../../registry/kinds/namespaces.js';
import type { Registry } from '../../registry/kinds/registry.js';
import { DEFAULT_ORGANIZATION } from '../iam/names.js';

/** The first server administrator. */
export interface Administrator {
  readonly login: string;
  readonly email: string;
  /** As `hashPassword` made it. */
  readonly hash: string;
}

/**
 * metadata.name of the first administrator. It is the same on every server, so of several that start at once only one
 * creates it.
 */
export const ADMINISTRATOR = 'admin';

/** The server itself, as the author of writes that no caller asked for. */
export const SYSTEM_USER: UserInfo = { name: SERVER_NAME, uid: '', groups: [MASTERS_GROUP], extra: {} };

const ATTEMPTS = 8;

/**
 * Creates what the server needs before anybody can do anything: the organization `default` and, unless there ever was a
 * user, the administrator with a membership and a password. All in one commit. If it runs again, or on several servers
 * at once, it changes nothing.
 */
export async function bootstrap(registry: Registry, administrator?: () => Promise<Administrator>): Promise<void> {
  const users = registry.compiled.get('iam/User').qualified;
  const client = new Client(registry, { user: SYSTEM_USER });
  for (let attempt = 1; ; attempt++) {
    await registry.cacher.fresh();
    const isNew = administrator !== undefined && registry.cacher.state.counters.get(users) === undefined;
    const first = isNew ? await administrator() : undefined;
    if (first === undefined && hasNamespace(registry, DEFAULT_ORGANIZATION)) return;
    try {
      await client.transact((transaction) => createMissing(transaction, first));
      return;
    } catch (error) {
      // Another server was faster.
      if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists' || attempt === ATTEMPTS) throw error;
    }
  }
}

function createMissing(transaction: ClientTransaction, administrator: Administrator | undefined): void {
  const { compiled } = transaction.registry;
  const objects = <Spec>(kind: KindName, namespace = '') => transaction.objects<Spec>(compiled.get(kind), namespace);
  const organizations = objects('iam/Organization');
  if (organizations.find(DEFAULT_ORGANIZATION) === undefined) {
    organizations.create({ metadata: { name: DEFAULT_ORGANIZATION }, spec: { title: 'Main Org.' } });
  }
  if (administrator === undefined) return;
  const { login, email, hash } = administrator;
  const name = ADMINISTRATOR;
  const metadata = { name };
  const activeOrganization = DEFAULT_ORGANIZATION;
  const user = { login, email, name: '', disabled: false, grafanaAdmin: true, activeOrganization };
  objects('iam/User').create({ metadata, spec: user });
  objects('iam/OrganizationBinding', DEFAULT_ORGANIZATION).create({
    metadata,
    spec: { userRef: { name }, role: 'Admin' },
  });
  objects('internal/Credential').create({ metadata, spec: { hash } });
}
