import type { PasswordCheck } from '../../../pkg/authn/password-check.js';
import type { PasswordQueue } from '../../../pkg/authn/password-queue.js';
import { MASTERS_GROUP, type UserInfo } from '../../../pkg/authn/user.js';
import type { KubeObject } from '../../../pkg/meta/types.js';
import { decodeTyped } from '../../../registry/decode.js';
import type { KindEnvironment } from '../../../registry/kind.js';
import type { LegacyCall } from '../../../registry/legacy/call.js';
import type { Draft } from '../../../registry/legacy/objects.js';
import { type Rows, rowsOf } from '../../../registry/legacy/rows.js';
import { objectKey, type Registry } from '../../../registry/registry.js';
import { deletion, type Store } from '../../../registry/store.js';
import { type Plan, transact } from '../../../registry/transact.js';
import type { SessionCookies } from '../../authentication/session-cookie.js';
import type { Sessions } from '../../authentication/sessions.js';
import type { ServiceAccountTokens } from '../../authentication/tokens.js';

/** What the legacy adapters of people, teams and service accounts stand on. */
export interface IamServices {
  readonly environment: KindEnvironment;
  readonly registry: Registry;
  /** Of all kinds, those that are not served too. */
  readonly stores: readonly Store[];
  readonly sessions: Sessions;
  readonly cookies: SessionCookies;
  readonly tokens: ServiceAccountTokens;
  /** Making a hash takes a thread for a while: it waits here, and is refused with 429 when too many wait. */
  readonly hashing: Pick<PasswordQueue, 'run'>;
  /** Whose password it is; throttled as logging in is. */
  readonly checkPassword: PasswordCheck;
}

/** The caller with the server's rights, for what they may do without a grant on what it takes: changing their own password, for one. */
export function elevated(user: UserInfo): UserInfo {
  return { ...user, groups: [...user.groups, MASTERS_GROUP] };
}

export function storeOf({ stores }: Pick<IamServices, 'stores'>, kind: string): Store {
  const store = stores.find((one) => one.kind.kind === kind);
  if (store === undefined) throw new Error(`A legacy route needs objects of the kind ${kind}, which are not kept.`);
  return store;
}

export function rows<Spec>(services: IamServices, kind: string): Rows<Spec> {
  return rowsOf<Spec>(services.registry, storeOf(services, kind).kind);
}

/** Who writes, and where; cluster-scoped kinds have no namespace. */
export interface Writing {
  readonly namespace?: string;
  /** The caller, unless the server acts for them. */
  readonly as?: UserInfo;
}

/** Writes over several objects that become one commit: all or none. */
export interface Plans {
  create<Spec>(kind: string, draft: Draft<Spec>, writing?: Writing): Plan;
  update<Spec>(
    kind: string,
    name: string,
    change: (old: KubeObject<Spec>) => KubeObject<Spec>,
    writing?: Writing,
  ): Plan;
  /** Creates it, or changes the one that is there. */
  put<Spec>(kind: string, name: string, specOf: (old: Spec | undefined) => Spec, writing?: Writing): Plan;
  delete(kind: string, name: string, writing?: Writing): Plan;
  /** The objects as they are afterwards, in the order of the plans. */
  commit(plans: readonly Plan[]): Promise<readonly KubeObject[]>;
}

export function plansOf(services: IamServices, call: LegacyCall): Plans {
  const { signal } = call.request;
  const optionsOf = ({ namespace = '', as = call.user }: Writing = {}) => ({
    user: as,
    namespace,
    dryRun: false,
    signal,
  });
  const typed = ({ kind }: Store, value: unknown): KubeObject => decodeTyped(kind, value).object;
  const plans: Omit<Plans, 'commit'> = {
    create: (kindName, draft, writing) => {
      const store = storeOf(services, kindName);
      const { apiVersion, kind } = store.kind;
      return store.planCreate(typed(store, { apiVersion, kind, ...draft }), optionsOf(writing));
    },
    update: (kindName, name, change, writing) => {
      const store = storeOf(services, kindName);
      return store.planUpdate(name, (old) => typed(store, change(old as never)), optionsOf(writing));
    },
    put: (kindName, name, specOf, writing = {}) => {
      const key = objectKey(storeOf(services, kindName).kind, writing.namespace ?? '', name);
      const create = plans.create(kindName, { metadata: { name }, spec: specOf(undefined) }, writing);
      const update = plans.update(kindName, name, (old) => ({ ...old, spec: specOf(old.spec as never) }), writing);
      return (view) => (view.get(key) === undefined ? create(view) : update(view));
    },
    delete: (kindName, name, writing) => storeOf(services, kindName).planDelete(name, deletion(optionsOf(writing))),
  };
  const commit = async (all: readonly Plan[]): Promise<readonly KubeObject[]> => {
    const written = await transact(services.registry, all, { dryRun: false, signal });
    return written.map(({ value }) => JSON.parse(Buffer.from(value).toString('utf8')) as KubeObject);
  };
  return { ...plans, commit };
}
