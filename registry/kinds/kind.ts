import type { z } from 'zod';
import type { UserInfo } from '../../pkg/authn/user.js';
import type { NameRule } from '../../pkg/meta/names.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import type { Steps } from '../../pkg/yielding/steps.js';
import type { Tuple } from '../../storage/state/tuple.js';
import type { Reader } from '../read/reader.js';
import { kubernetesConventions, type RestConventions } from './conventions.js';
import type { Dependence, Expiry } from './dependence.js';
import { checkDefinition } from './kind-rules.js';
import type { ObjectSchema } from './object-schema.js';
import { type OwnedKeys, ownedKeys } from './owned-keys.js';
import { pastSubresources } from './past-subresources.js';
import { ReferenceStatus } from './ready-condition.js';
import type { Report, Reports } from './reports.js';
import type { Strategy } from './strategy.js';
import { type Subresource, statusSubresource } from './subresource.js';
import type { WriteOnly } from './write-only.js';

export type { Tuple };

/** The settings of the installation that kinds depend on. */
export interface KindEnvironment {
  /** `[api] domain`: the suffix of every group, and the prefix of the server's annotation and label keys. */
  readonly domain: string;
}

/** A column of `kubectl get` (metav1.TableColumnDefinition). The server adds `Name` and `Age`. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** A more precise type, such as `int64`. */
  readonly format?: string;
  readonly description: string;
  /** kubectl prints columns with priority 0 always, and others only with `-o wide`. */
  readonly priority: number;
  /** Clients print the cells of a date as they are. Absent: the table makes an age of a time. */
  readonly isPrinted?: boolean;
  cell(object: KubeObject, now: Date): string | number | bigint | boolean | null;
}

/** Declares that another object of the same namespace contains each object. An object is deleted together with its container. */
export interface Containment {
  /** `<plural>.<group>` of the container. */
  readonly resource: string;
  /** Name of the container. `undefined` at the root. */
  container(object: KubeObject): string | undefined;
  /** The path of the name in the object, for messages. */
  readonly field: string;
  /** The annotation with the name. It is not content: a restored version brings it back only if the caller asks for it. */
  readonly annotation?: string;
  /** The name of the root in scopes and for clients, such as `general`. The root is not an object. */
  readonly root?: string;
}

/** The name of another object, in an object. The other object must exist. When it is deleted, the object is deleted with it. */
export interface Reference {
  /** `<plural>.<group>`. */
  readonly resource: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  /** The path of the name in the object, for messages. */
  readonly field: string;
  /** The other object need not exist. If it exists and is deleted, the object is deleted with it. */
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
  /** By subresource and verb. Absent: reading a subresource needs the actions of `get`, and other verbs need those of `update`. */
  readonly subresources?: Readonly<Record<string, Partial<Actions>>>;
  /**
   * The narrowest scopes of an object, such as `folders:uid:ops`. The scopes of a kind whose objects contain others must follow from the name
   * alone.
   */
  scopes(object: KubeObject): readonly string[];
  /** Restricts objects: permissions of the basic roles do not hold on them and their contents (docs/adr/0045). */
  readonly restriction?: Restriction;
  /**
   * The object that each object is about, such as the dashboard of a permission: an object of another kind in the same namespace.
   * An object also has the scopes of the object that it is about, and of the containers of that.
   */
  readonly about?: {
    /** `<plural>.<group>`. */
    readonly resource: string;
    readonly name: (object: KubeObject) => string | undefined;
  };
  /**
   * Whether the caller needs no grant for this object, such as a user for their own preferences. It is called for members of the namespace
   * only. `verb` is a key of `Actions`; for a subresource without actions of its own it is `get` or `update`. If no object has the name, it is
   * called with an object without spec, because a caller who may view an object may also learn that it does not exist.
   */
  readonly allowSelf?: (object: KubeObject, user: UserInfo, verb: string) => boolean;
}

/** A restricted object restricts all that lies in it, at any depth. */
interface Restriction {
  /** Pure. Called when an object is loaded. */
  readonly restricts: (object: KubeObject) => boolean;
  /** The actions that a caller needs on an object to restrict it, and to end the restriction. */
  readonly actions: readonly string[];
  /** The annotation that restricts. */
  readonly annotation: string;
}

/** A request for a list, as a kind sees it that makes some of its objects. */
export interface Question {
  /** The time of the request. */
  readonly time: string;
  /** The only value that a field can have, by the field selector. */
  required(field: string): string | undefined;
  /** The reports about an object of a kind, if the caller may view it. */
  describe(about: { readonly kind: string; readonly name: string; readonly uid: string }): readonly Report[];
}

export interface KindDefinition<Spec = unknown> {
  /** Without the domain: `folder` for `folder.svc.app`. The domain is not added to Kubernetes' own groups, such as `coordination.k8s.io`. */
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
  /** Type, validation and OpenAPI of `spec`. A strict object, so that unknown fields are found, or a loose one that keeps them. */
  readonly spec?: z.ZodType<Spec>;
  /** In place of `spec`: the members beside the metadata, for kinds of Kubernetes that have no spec. */
  readonly members?: z.ZodObject;
  /** In place of `spec`, `members` and `status`: the schema of whole objects, for kinds that are not declared in code. */
  readonly schema?: ObjectSchema;
  /** The name of the object that defines the kind. Its group is whole. Absent: the kind is compiled in. */
  readonly definedBy?: string;
  /** Changes with the definition, unless its objects look as before and the same callers may see them. */
  readonly shape?: string;
  /** Type, validation and OpenAPI of `status`. Only the subresource `status` sets it. */
  readonly status?: z.ZodType;
  /** Only the server sets the status. */
  readonly hasOwnStatus?: boolean;
  /** The subresources from `defineSubresource`. The server adds `status`. */
  readonly subresources?: readonly Subresource[];
  readonly names?: NameRule;
  readonly columns?: readonly Column[];
  /** Field selectors beyond metadata.name and metadata.namespace. */
  readonly selectableFields?: Readonly<Record<string, (object: KubeObject) => string>>;
  /** The text of an object that searches look in, in lower case. It is stored beside the object, so that a search parses no object. */
  readonly searchText?: (object: KubeObject) => string;
  /** What searches show of an object. It is stored beside the object, so that a page of a search parses no object. It should be small. */
  readonly summary?: (object: KubeObject) => unknown;
  /** Indexes by name. Each function returns the tuples of an object in the index. */
  readonly indexers?: Readonly<Record<string, (object: KubeObject) => readonly Tuple[]>>;
  /** The objects that the objects of the kind belong to. */
  readonly dependsOn?: Dependence;
  /** How long the objects are kept. */
  readonly expiry?: Expiry;
  /** Indexers whose tuples are unique. `message` refuses a second object with the same tuple. */
  readonly uniques?: Readonly<Record<string, { readonly field: string; readonly message: string }>>;
  readonly containment?: Containment;
  readonly references?: (object: KubeObject) => readonly Reference[];
  /** Without permissions, only system:masters and server administrators may use the kind. */
  readonly permissions?: Permissions;
  readonly strategy?: Strategy<Spec>;
  /** What people are told about writes, by events. */
  readonly reports?: Reports;
  /** Objects that a list has beside the stored ones. They are made for it, and stored nowhere. */
  readonly madeFor?: (question: Question) => readonly KubeObject[];
  /** Clients can only read. */
  readonly isReadOnly?: boolean;
  /**
   * The most bytes of a stored object, with its metadata. Kinds whose objects anybody may write for themselves (`allowSelf`) have such a bound. Otherwise
   * everybody who may sign in could fill the disk.
   */
  readonly maxBytes?: number;
  /**
   * The user whose personal bytes an object counts for (`limits.personal_bytes`): `user:<uid>`. `undefined`: it is nobody's. Kinds whose objects anybody may
   * write for themselves have this, too.
   */
  readonly chargedTo?: (object: KubeObject) => string | undefined;
  /** False: there is no DELETE of a collection, as for the namespaces of Kubernetes. Absent is true. */
  readonly deletesCollections?: boolean;
  /** Absent is true. Internal kinds, and kinds of a feature that is switched off, are stored but not served. */
  readonly served?: boolean;
  /** The server keeps earlier versions. `versions` is the most that it keeps of an object, if that is less than the setting. */
  readonly history?: { readonly versions?: number };
  /** Deleted objects can come back, with all objects that were deleted together with them. */
  readonly trash?: boolean;
  /** The annotations and labels of this kind below the domain's prefix, without the prefix: `folder`. All others below it are reserved. */
  readonly ownKeys?: readonly string[];
  /** Gives each object the next integer in the label `<domain>/deprecatedInternalID`. */
  readonly internalId?: boolean;
  /** `<plural>.<group>` of the kind with the sequence of the integers, if two kinds share one sequence. */
  readonly idSequence?: string;
  /** The name of a new object that has none, from its integer. */
  readonly nameOf?: (id: number) => string;
  /** The objects of this kind are the namespaces. A namespace is removed after its contents. */
  readonly isNamespace?: boolean;
  /** PATCH also takes strategic merge patches, which Go's recorders of events send, and kubectl for the kinds of Kubernetes that are compiled into it. Finalizers and owners are merged, and other lists replaced. */
  readonly acceptsStrategicMerge?: boolean;
  /** The objects are stored as objects of another kind. */
  readonly conversion?: Conversion;
  /** The finalizer that a deletion adds, because something must be cleaned up before an object is gone. */
  readonly cleanup?: string;
  /** Completes an object that was stored before its definition changed, for example with a new default. It is called when the object is read. */
  readonly completion?: {
    /** The revision of the change. */
    readonly before: number;
    /** Pure. */
    complete(object: KubeObject): KubeObject;
    /** The same in steps. Absent: it takes no time. */
    readonly steps?: (object: KubeObject) => Steps<KubeObject>;
  };
  /** The labels of the definition that shows a compiled kind. */
  readonly shownLabels?: Readonly<Record<string, string>>;
  /**
   * Makes what is served of many stored objects, in the same order, if `completion` and `conversion` take time and throw Retry. Rejects with an ApiError if
   * one of them cannot be served.
   */
  readonly serve?: (stored: readonly KubeObject[]) => Promise<readonly KubeObject[]>;
  /** The kind of lists. Absent: the kind and `List`. */
  readonly listKind?: string;
  /** The answers to requests for this version have this as a warning. */
  readonly deprecation?: string;
  /** The columns of tables are the name and those of `columns` only. Absent: they end with the age. */
  readonly hasOwnAge?: boolean;
  /** The parts of an object beside its spec that increment `generation` when they change. */
  readonly generationCounts?: (object: KubeObject) => readonly (string | undefined)[];
  /** Absent: the conventions of Kubernetes. */
  readonly conventions?: RestConventions;
  /** Why objects can be neither read nor written now: such requests are answered 503. Absent, or no answer: they can. */
  readonly outage?: (reader: Reader) => string | undefined;
  /** Objects hold secrets: apply sets remember no digests of them. */
  readonly isConfidential?: boolean;
  /** Members that are stored in another place than where clients write them. */
  readonly writeOnly?: WriteOnly;
  /** The query parameters of DELETE that this kind has, with their schemas. */
  readonly deleteOptions?: Readonly<Record<string, z.ZodType<string>>>;
}

/** Converts stored objects of another kind to objects of this kind. Name, resourceVersion and times stay the same. */
export interface Conversion {
  /** `<plural>.<group>` of the stored kind. */
  readonly storageKind: string;
  convert(object: KubeObject): KubeObject;
  /** The same as `convert`, and as `restore`, in steps. Absent: these take no time. */
  readonly steps?: (object: KubeObject) => Steps<KubeObject>;
  readonly restoreSteps?: (object: KubeObject) => Steps<KubeObject>;
  /**
   * The stored object that an object of this kind is. Without it, the kind is read-only. It is also called with what a client applies, whose members may
   * be absent or null. It throws Invalid for what cannot be stored.
   */
  readonly restore?: (object: KubeObject) => KubeObject;
  /**
   * The members of stored objects that this kind does not have, with the values for a new object with this name. As with defaults in Kubernetes, a
   * caller who creates the object manages them, and one who applies it does not. Later writes as this kind keep them. `restore` leaves them out.
   */
  readonly unsaid?: (name: string) => Partial<KubeObject>;
  /** The fields have the same paths in both kinds, so that they are managed in the form of this one. */
  readonly keepsFields?: boolean;
  /** Another version of the stored kind. Writes follow its own rules, and the objects are converted when they are stored. Absent: the rules of the stored kind. */
  readonly isVersion?: boolean;
}

/** A definition, completed with the settings of the installation. */
export interface Kind<Spec = unknown> extends Omit<KindDefinition<Spec>, 'served' | 'subresources'> {
  /** With the domain: `folder.svc.app`. */
  readonly group: string;
  readonly apiVersion: string;
  /** `<plural>.<group>` of the stored objects. */
  readonly qualified: string;
  readonly domain: string;
  readonly ownedKeys: OwnedKeys;
  readonly served: boolean;
  readonly verbs: readonly string[];
  /** Its objects may name objects that do not exist yet. They wait for them (docs/adr/0047). */
  readonly waits: boolean;
  /**
   * Annotations of its objects say who wrote them, and when. Those of Kubernetes' own kinds have no such annotations, because clients that know these
   * kinds, such as Terraform, take an annotation that they have not written for a difference.
   */
  readonly namesAuthors: boolean;
  /** Objects may have been stored before their fields became selectable, so that they lack rows. */
  readonly fieldsMayChange: boolean;
  /** Only the subresource `status` sets the status. */
  readonly hasStatus: boolean;
  /** Includes `status`, if the kind has one. */
  readonly subresources: readonly Subresource[];
  readonly conventions: RestConventions;
}

export function listKindOf({ kind, listKind = `${kind}List` }: Pick<Kind, 'kind' | 'listKind'>): string {
  return listKind;
}

const READ_VERBS = ['get', 'list', 'watch'] as const;
const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;

/** Kubernetes' own groups: the core group, and those below `k8s.io`. */
const KUBERNETES_GROUP = /^$|\.k8s\.io$/;

export function groupName(group: string, domain: string): string {
  return KUBERNETES_GROUP.test(group) ? group : `${group}.${domain}`;
}

function verbsOf({
  isReadOnly = false,
  conversion,
  deletesCollections = true,
}: Pick<KindDefinition, 'isReadOnly' | 'conversion' | 'deletesCollections'>): readonly string[] {
  if (isReadOnly || (conversion !== undefined && conversion.restore === undefined)) return READ_VERBS;
  return deletesCollections ? ALL_VERBS : ALL_VERBS.filter((verb) => verb !== 'deletecollection');
}

/** Objects of kinds that callers write may wait. A kind with a status of its own has no place for the condition. */
function mayWait<Spec>({ conversion, status, schema, permissions, ...kind }: KindDefinition<Spec>): boolean {
  if (conversion !== undefined || (status ?? schema) !== undefined || permissions === undefined) return false;
  return kind.containment !== undefined || kind.references !== undefined;
}

function isStatusWritable<Spec>({ conversion, schema, hasOwnStatus = false }: KindDefinition<Spec>): boolean {
  return !hasOwnStatus && (conversion === undefined || schema !== undefined);
}

export function defineKind<Spec>(environment: KindEnvironment, definition: KindDefinition<Spec>): Kind<Spec> {
  checkDefinition(definition);
  const { conversion, status, schema, definedBy } = definition;
  const isCompiledIn = definedBy === undefined;
  const group = isCompiledIn ? groupName(definition.group, environment.domain) : definition.group;
  const hasStatus = status !== undefined || schema?.hasStatus === true;
  const subresources = [
    ...(hasStatus ? [statusSubresource(isStatusWritable(definition))] : []),
    ...(definition.subresources ?? []),
    ...pastSubresources(definition, environment.domain),
  ];
  return {
    ...definition,
    group,
    apiVersion: group === '' ? definition.version : `${group}/${definition.version}`,
    qualified: conversion?.storageKind ?? (group === '' ? definition.resource : `${definition.resource}.${group}`),
    domain: environment.domain,
    ownedKeys: ownedKeys(environment.domain),
    served: definition.served ?? true,
    conventions: definition.conventions ?? kubernetesConventions,
    verbs: verbsOf(definition),
    waits: mayWait(definition),
    hasStatus: hasStatus || mayWait(definition),
    namesAuthors: isCompiledIn ? !KUBERNETES_GROUP.test(definition.group) : definition.history !== undefined,
    fieldsMayChange: !isCompiledIn,
    ...(mayWait(definition) && { status: ReferenceStatus, hasOwnStatus: true }),
    subresources,
  };
}
