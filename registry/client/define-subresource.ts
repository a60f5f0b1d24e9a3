import type { z } from 'zod';
import type { KubeObject, ObjectMeta } from '../../pkg/kube/meta/types.js';
import type { Members } from '../../pkg/system/object/is-object.js';
import type { Subresource, SubresourceAlias, SubresourceVerb } from '../kinds/subresource.js';
import type { DescribedMessage } from '../openapi/schemas.js';
import type { Client } from './client.js';
import type { TypedChange } from './objects.js';
import type { ClientTransaction } from './transaction.js';

/** A request to a subresource, without HTTP. The server has authorized the caller before. */
export interface SubresourceCall<Spec = unknown> {
  /** The object at the newest state. */
  readonly object: KubeObject<Spec>;
  /** Reads and writes as the caller. Its writes need the permissions of the objects that they change. */
  readonly client: Client;
  /** The request is checked, but nothing is stored. */
  readonly isDryRun: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Runs `work` in one commit. The permission on the subresource, and a uid and resourceVersion in the body, are
   * checked on the state of the commit. `work` must be pure and synchronous, because it may run again on a newer state.
   */
  transact<Result>(work: (part: SubresourceTransaction<Spec>) => Result): Promise<Result>;
}

export interface SubresourceTransaction<Spec = unknown> {
  /** Reads and writes as the caller. */
  readonly transaction: ClientTransaction;
  /** The object at the state of the commit. */
  readonly object: KubeObject<Spec>;
  /**
   * Changes the object. The caller needs the permission of the subresource, not the permission to update the object.
   */
  update(change: TypedChange<Spec>): KubeObject<Spec>;
}

export interface SubresourceBodyCall<Spec, Body> extends SubresourceCall<Spec> {
  readonly body: Body;
}

interface SubresourcePatchCall<Spec, Body, Answer> extends SubresourceCall<Spec> {
  /** Applies the patch to the answer of `get`. Pure. Throws Invalid. */
  patch(old: Answer): Body;
}

export interface SubresourceApplyCall<Spec = unknown> {
  /** The configuration as it was sent. The manager has no opinion on what is absent. */
  readonly sent: Members;
  /** Applies members of the object as the caller's manager. Returns the object. Rejects with 409 and the conflicts. */
  apply(members: Members): Promise<KubeObject<Spec>>;
}

/** The handlers by verb. Each returns the answer. The server adds apiVersion, kind, name and namespace to it. */
interface SubresourceHandlers<Spec, Body, Answer> {
  readonly get?: (call: SubresourceCall<Spec>) => Promise<Answer> | Answer;
  readonly create?: (call: SubresourceBodyCall<Spec, Body>) => Promise<Answer>;
  readonly update?: (call: SubresourceBodyCall<Spec, Body>) => Promise<Answer>;
  readonly patch?: (call: SubresourcePatchCall<Spec, Body, Answer>) => Promise<Answer>;
  readonly delete?: (call: SubresourceCall<Spec>) => Promise<Answer>;
  /** PATCH as server-side apply. Absent: it is refused with 415. */
  readonly apply?: (call: SubresourceApplyCall<Spec>) => Promise<Answer>;
}

/** An answer of a kind that is not stored. */
export type MessageAnswer<Members> = Members & { readonly metadata?: Partial<ObjectMeta> };

interface SubresourceIdentity {
  readonly name: string;
  /** A caller who writes through it manages fields under its name, as with the status. */
  readonly managesFields?: boolean;
  readonly aliases?: readonly SubresourceAlias[];
}

/** A subresource with bodies and answers of another kind, such as TokenRequest. */
interface MessageDefinition<Spec, Body extends z.ZodObject, Answer extends z.ZodObject> extends SubresourceIdentity {
  readonly kind: Omit<DescribedMessage, 'body' | 'answer'> & { readonly body?: Body; readonly answer: Answer };
  readonly verbs: SubresourceHandlers<Spec, z.output<Body>, MessageAnswer<z.output<Answer>>>;
}

/** A subresource with objects of the kind itself as bodies and answers. */
interface ObjectDefinition<Spec> extends SubresourceIdentity {
  readonly kind?: undefined;
  readonly verbs: SubresourceHandlers<Spec, KubeObject<Spec>, KubeObject<Spec>>;
}

/** Either of the two definitions. */
interface SubresourceDefinition extends SubresourceIdentity {
  readonly kind?: DescribedMessage | undefined;
  readonly verbs: Subresource['handlers'];
}

export function defineSubresource<Spec>(definition: ObjectDefinition<Spec>): Subresource;
export function defineSubresource<Spec, Body extends z.ZodObject, Answer extends z.ZodObject>(
  definition: MessageDefinition<Spec, Body, Answer>,
): Subresource;
export function defineSubresource({
  verbs: handlers,
  aliases = [],
  kind,
  ...definition
}: SubresourceDefinition): Subresource {
  const verbs = Object.keys(handlers).filter((verb) => verb !== 'apply') as SubresourceVerb[];
  return { ...definition, verbs, handlers, aliases, ...(kind && { kind }) };
}
