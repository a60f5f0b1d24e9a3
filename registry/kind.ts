import type { z } from 'zod';
import type { UserInfo } from '../pkg/authn/user.js';
import type { KubeObject } from '../pkg/meta/types.js';
import type { Tuple } from '../storage/tuple.js';
import type { Strategy } from './strategy.js';
import type { Subresource } from './subresource.js';

/** What the installation decides for every kind. */
export interface KindEnvironment {
  /** `[api] domain`: the suffix of every group and the prefix of our annotation and label keys. */
  readonly domain: string;
  readonly features: {
    readonly nestedFolders: boolean;
    readonly alerting: boolean;
    readonly queryHistory: boolean;
    readonly maxFolderDepth: number;
  };
}

/** A column of `kubectl get` (metav1.TableColumnDefinition); `Name` and `Age` are added by themselves. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly description: string;
  /** 0 is always shown, above only with `-o wide`. */
  readonly priority: number;
  cell(object: KubeObject): string | number | boolean | null;
}

/** Lies in another object of the same namespace and goes when that goes. */
export interface Containment {
  /** `<plural>.<group>` of the container. */
  readonly resource: string;
  /** Name of the container; `undefined` at the root. */
  container(object: KubeObject): string | undefined;
  /** Where the name stands in the object, for messages. */
  readonly field: string;
  /** What the place that is no object is called in scopes and by clients: `general`. */
  readonly root?: string;
}

/** Another object that an object names. It must exist, and when it goes, the object that names it goes with it. */
export interface Reference {
  /** `<plural>.<group>`. */
  readonly resource: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  /** Where the name stands in the object, for messages. */
  readonly field: string;
  /** It need not exist; if it does and goes, the object that names it goes with it. */
  readonly optional?: boolean;
}

/** The actions that each verb needs. `list` and `watch` count as `get`, `patch` as `update`, and `deletecollection` as `delete`. */
export interface Actions {
  readonly get: readonly string[];
  readonly create: readonly string[];
  readonly update: readonly string[];
  readonly delete: readonly string[];
}

/**
 * Who may do what: the actions that a verb needs (`folders:read`), and the scopes that an object has (`folders:uid:ops`). A caller needs every
 * action of the verb, each on one of the scopes. An object also has the scopes of its containers.
 */
export interface Permissions extends Actions {
  /** For objects that need other actions than the kind. */
  readonly actionsOf?: (object: KubeObject) => Actions | undefined;
  /** The actions needed on the destination when an object is moved to another container. Absent: those of `create`. */
  readonly move?: readonly string[];
  /** By subresource and verb. Absent: a subresource is read with the actions of `get`, and all else needs those of `update`. */
  readonly subresources?: Readonly<Record<string, Partial<Actions>>>;
  /**
   * The narrowest scopes of an object, such as `folders:uid:ops`. The scopes of a kind whose objects contain others must follow from the name
   * alone.
   */
  scopes(object: KubeObject): readonly string[];
  /**
   * Whether the caller needs no grant for this object, such as a user for their own preferences. It is asked only for members of the
   * namespace. The verb is a key of `Actions`. For an object that does not exist it is asked with an object without spec, because a caller
   * who may view an object may learn that there is none. A subresource is asked for as `get` or `update`, unless it has actions of its own.
   */
  readonly allowSelf?: (object: KubeObject, user: UserInfo, verb: string) => boolean;
}

export interface KindDefinition<Spec = unknown> {
  /** Without the domain: `folder` for `folder.svc.app`. A name with a dot is taken as it is. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Plural, lower case. */
  readonly resource: string;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  readonly description: string;
  /** Type, validation and OpenAPI of `spec`; a strict object, so that unknown fields can be told. */
  readonly spec: z.ZodType<Spec>;
  readonly status?: z.ZodType;
  readonly subresources?: readonly Subresource[];
  readonly names?: { readonly maxLength?: number; readonly pattern?: RegExp; readonly patternMessage?: string };
  readonly columns?: readonly Column[];
  /** Field selectors beyond metadata.name and metadata.namespace. */
  readonly selectableFields?: Readonly<Record<string, (object: KubeObject) => string>>;
  /** What people search for in an object, in lower case: kept beside it, so that a search parses nothing. */
  readonly searchText?: (object: KubeObject) => string;
  /** In-memory look-ups: name → the tuples an object is found under. */
  readonly indexers?: Readonly<Record<string, (object: KubeObject) => readonly Tuple[]>>;
  /** Indexers whose tuples may belong to one object only, with the message for the second. */
  readonly uniques?: Readonly<Record<string, { readonly field: string; readonly message: string }>>;
  readonly containment?: Containment;
  readonly references?: (object: KubeObject) => readonly Reference[];
  /** Without it only system:masters and server administrators may touch the kind. */
  readonly permissions?: Permissions;
  readonly strategy?: Strategy<Spec>;
  readonly cached?: boolean;
  /** Internal kinds are kept but not served. */
  readonly served?: boolean;
  /** Annotations and labels under the domain's prefix that mean something for this kind, without the prefix: `folder`. The others are reserved. */
  readonly ownKeys?: readonly string[];
  /** Gives each object the next integer in the label `<domain>/deprecatedInternalID`. */
  readonly internalId?: boolean;
  /** `<plural>.<group>` of the kind whose sequence the integers come from, where two kinds are called by numbers of one. */
  readonly idSequence?: string;
  /** Names an object that comes without a name after its number. */
  readonly nameOf?: (id: number) => string;
  /** Its objects are the namespaces: what is kept in one goes before it goes. */
  readonly isNamespace?: boolean;
  /** The kind is stored as another one, and is read-only. */
  readonly conversion?: Conversion;
  /** What, beside spec, makes `generation` count. */
  readonly generationCounts?: (object: KubeObject) => readonly (string | undefined)[];
  /** The HTTP code of a stale PUT: Kubernetes' 409, or 412. */
  readonly conflictCode?: 409 | 412;
  /** HTTP code of missing or invalid fields: Kubernetes' 422, or 400. */
  readonly invalidCode?: 422 | 400;
  /** POST and PUT take bodies without apiVersion and kind. */
  readonly bareBodies?: boolean;
  /**
   * How a bare PUT body is completed from the stored object before it is read as a whole one.
   * `undefined`: what it omits is gone, as in any PUT.
   */
  readonly completeBare?: (body: KubeObject, old: KubeObject) => KubeObject;
  /** DELETE answers with the object that is gone rather than with a Status. */
  readonly returnDeletedObject?: boolean;
  /** Query parameters of DELETE that the kind knows, and how they are checked. */
  readonly deleteOptions?: Readonly<Record<string, z.ZodType<string>>>;
}

/** How stored objects of another kind become objects of this one. Name, resourceVersion and times stay as they are. */
export interface Conversion {
  /** `<plural>.<group>` of the stored kind. */
  readonly storageKind: string;
  convert(object: KubeObject): KubeObject;
}

/** A definition in its installation, with what follows from it. */
export interface Kind<Spec = unknown> extends Omit<KindDefinition<Spec>, 'cached' | 'served' | 'subresources'> {
  /** With the domain: `folder.svc.app`. */
  readonly group: string;
  readonly apiVersion: string;
  /** `<plural>.<group>`, under which its objects are kept. */
  readonly qualified: string;
  readonly domain: string;
  readonly cached: boolean;
  readonly served: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
}

const byName = new WeakMap<readonly Kind[], ReadonlyMap<string, Kind>>();

/** A kind by its name, such as `Folder`. Throws if it is not in the list. */
export function kindNamed(kinds: readonly Kind[], name: string): Kind {
  const known = byName.get(kinds) ?? new Map(kinds.map((kind) => [kind.kind, kind]));
  byName.set(kinds, known);
  const kind = known.get(name);
  if (kind === undefined) throw new Error(`the kind ${name} is not in the list of kinds`);
  return kind;
}

const READ_VERBS = ['get', 'list', 'watch'] as const;
export const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;

/** Every kind is a function of its environment; `apis/index.ts` lists these. */
export type KindFactory = (environment: KindEnvironment) => Kind;

export function groupName(group: string, domain: string): string {
  return group.includes('.') || group === '' ? group : `${group}.${domain}`;
}

export function defineKind<Spec>(environment: KindEnvironment, definition: KindDefinition<Spec>): Kind<Spec> {
  const group = groupName(definition.group, environment.domain);
  return {
    ...definition,
    group,
    apiVersion: group === '' ? definition.version : `${group}/${definition.version}`,
    qualified:
      definition.conversion?.storageKind ?? (group === '' ? definition.resource : `${definition.resource}.${group}`),
    domain: environment.domain,
    cached: definition.cached ?? true,
    served: definition.served ?? true,
    verbs: definition.conversion === undefined ? ALL_VERBS : READ_VERBS,
    subresources: definition.subresources ?? [],
  };
}
