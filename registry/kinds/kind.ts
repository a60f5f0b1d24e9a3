import type { Tuple } from '../../storage/state/tuple.js';
import { kubernetesConventions, type RestConventions } from './conventions.js';
import type { Actions, KindAccess, Permissions } from './definition/access.js';
import type { KindIdentity } from './definition/identity.js';
import type { Column, KindServing, Question } from './definition/serving.js';
import type { Containment, KindStorage, Reference } from './definition/storage.js';
import type { Conversion, KindVersions } from './definition/versions.js';
import { checkDefinition } from './kind-rules.js';
import { type OwnedKeys, ownedKeys } from './owned-keys.js';
import { pastSubresources } from './past-subresources.js';
import { ReferenceStatus } from './ready-condition.js';
import type { Strategy } from './strategy.js';
import { type Subresource, statusSubresource } from './subresource.js';

export type { Actions, Column, Containment, Conversion, Permissions, Question, Reference, Tuple };

/** The settings of the installation that kinds depend on. */
export interface KindEnvironment {
  /** `[api] domain`: the suffix of every group, and the prefix of the server's annotation and label keys. */
  readonly domain: string;
}

/** What defines a kind. Each group of members is a file of `definition`. A kind leaves out those it does not need. */
export interface KindDefinition<Spec = unknown> {
  readonly identity: KindIdentity<Spec>;
  readonly storage?: KindStorage;
  readonly access?: KindAccess;
  readonly serving?: KindServing;
  readonly versions?: KindVersions;
  /** The rules that data cannot express. */
  readonly strategy?: Strategy<Spec>;
}

/** The members of all groups side by side, as those who use a kind read them. */
interface KindMembers<Spec> extends KindIdentity<Spec>, KindStorage, KindAccess, KindServing, KindVersions {
  readonly strategy?: Strategy<Spec>;
}

/** A definition, completed with the settings of the installation. */
export interface Kind<Spec = unknown> extends Omit<KindMembers<Spec>, 'served' | 'subresources'> {
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
   * Annotations of its objects say who wrote them, and when. Those of Kubernetes' own kinds have no such annotations,
   * because clients that know these kinds, such as Terraform, take an annotation that they have not written for a
   * difference.
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
}: Pick<KindMembers<unknown>, 'isReadOnly' | 'conversion' | 'deletesCollections'>): readonly string[] {
  if (isReadOnly || (conversion !== undefined && conversion.restore === undefined)) return READ_VERBS;
  return deletesCollections ? ALL_VERBS : ALL_VERBS.filter((verb) => verb !== 'deletecollection');
}

/** Objects of kinds that callers write may wait. A kind with a status of its own has no place for the condition. */
function mayWait<Spec>({ conversion, status, schema, permissions, ...kind }: KindMembers<Spec>): boolean {
  if (conversion !== undefined || (status ?? schema) !== undefined || permissions === undefined) return false;
  return kind.containment !== undefined || kind.references !== undefined;
}

function isStatusWritable<Spec>({ conversion, schema, hasOwnStatus = false }: KindMembers<Spec>): boolean {
  return !hasOwnStatus && (conversion === undefined || schema !== undefined);
}

function membersOf<Spec>(definition: KindDefinition<Spec>): KindMembers<Spec> {
  const { identity, storage, access, serving, versions, ...rules } = definition;
  return { ...identity, ...storage, ...access, ...serving, ...versions, ...rules };
}

export function defineKind<Spec>(environment: KindEnvironment, definition: KindDefinition<Spec>): Kind<Spec> {
  const members = membersOf(definition);
  checkDefinition(members);
  const { conversion, status, schema, definedBy } = members;
  const isCompiledIn = definedBy === undefined;
  const group = isCompiledIn ? groupName(members.group, environment.domain) : members.group;
  const hasStatus = status !== undefined || schema?.hasStatus === true;
  const subresources = [
    ...(hasStatus ? [statusSubresource(isStatusWritable(members))] : []),
    ...(members.subresources ?? []),
    ...pastSubresources(members, environment.domain),
  ];
  return {
    ...members,
    group,
    apiVersion: group === '' ? members.version : `${group}/${members.version}`,
    qualified: conversion?.storageKind ?? (group === '' ? members.resource : `${members.resource}.${group}`),
    domain: environment.domain,
    ownedKeys: ownedKeys(environment.domain),
    served: members.served ?? true,
    conventions: members.conventions ?? kubernetesConventions,
    verbs: verbsOf(members),
    waits: mayWait(members),
    hasStatus: hasStatus || mayWait(members),
    namesAuthors: isCompiledIn ? !KUBERNETES_GROUP.test(members.group) : members.history !== undefined,
    fieldsMayChange: !isCompiledIn,
    ...(mayWait(members) && { status: ReferenceStatus, hasOwnStatus: true }),
    subresources,
  };
}
