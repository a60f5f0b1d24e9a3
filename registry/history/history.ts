import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { notFound } from '../../pkg/kube/status/errors.js';
import { entryAttributes } from '../kinds/authorizer.js';
import type { Kind } from '../kinds/kind.js';
import { HISTORY, RESTORE } from '../kinds/past-subresources.js';
import { namespaceOf, type Registry } from '../kinds/registry.js';
import { objectOf } from '../read/reader.js';
import { messageOf } from '../write/message.js';
import { timestamp } from '../write/metadata.js';
import { originOf, type Retained } from '../write/retained.js';
import { type DeletionRecord, formerAttributes, isDeletedBy } from './deletion-record.js';
import { RetainedReader } from './versions.js';

/** A version of an object. */
export interface Version {
  readonly version: number;
  /** The author of its last write, as in `updatedBy`. */
  readonly author: string;
  /** When it was written. */
  readonly time: string;
  readonly message?: string;
  readonly isCurrent: boolean;
  /** The object was deleted in this version. */
  readonly deleted?: { readonly by: string; readonly at: string };
  readonly object: KubeObject;
}

export interface VersionPage {
  /** The newest first. */
  readonly versions: readonly Version[];
  /** Older versions have a number below this one. Absent on the last page. */
  readonly below?: number;
}

/** An object whose history is read: it exists, or it was deleted and has not expired. */
interface Subject {
  readonly object: KubeObject;
  readonly origin: string;
  readonly record?: DeletionRecord;
}

/** Reads the versions of the objects of one kind, with the permissions of a caller. */
export class ObjectHistory {
  readonly #registry: Registry;
  readonly #user: UserInfo;
  readonly #kind: Kind;
  readonly #namespace: string;
  readonly #retained: RetainedReader;

  constructor(registry: Registry, user: UserInfo, kind: Kind, namespace: string) {
    this.#registry = registry;
    this.#user = user;
    this.#kind = kind;
    this.#namespace = namespaceOf(kind, namespace);
    this.#retained = new RetainedReader(registry, kind, this.#namespace);
  }

  /** Throws 403, and with 404 if neither the object nor its history exists. */
  page(name: string, { below = Number.MAX_SAFE_INTEGER, limit }: { below?: number; limit: number }): VersionPage {
    const subject = this.subject(name, HISTORY, 'get');
    const current = this.#current(subject);
    const first = current.filter(({ version }) => version < below);
    // One more than tells whether there is another page: the newest one may be a deletion that the trash has not kept.
    const rest = this.#retained.versions(subject.origin, below, limit + 2 - first.length);
    const versions = [...first, ...rest.flatMap((retained) => this.#versionOf(retained))];
    const page = versions.slice(0, limit);
    const last = page.at(-1);
    return { versions: page, ...(versions.length > limit && last !== undefined && { below: last.version }) };
  }

  /** One version. Throws 403 and 404. */
  version(name: string, version: number): Version {
    const subject = this.subject(name, HISTORY, 'get');
    return this.#find(subject, version);
  }

  /**
   * The object, if the caller may use the subresource of it; its deletion, if it is not there any more. Throws 403 and
   * 404.
   */
  subject(name: string, subresource: string, verb: string): Subject {
    const { reader, authorizer } = this.#registry;
    const [kind, namespace] = [this.#kind, this.#namespace];
    const entry = reader.entry(kind.qualified, namespace, name);
    const attributes = { user: this.#user, verb, kind, namespace, name, subresource };
    if (entry !== undefined) {
      authorizer.authorize({ ...attributes, object: entryAttributes(entry) }, reader);
      const object = objectOf(entry);
      return { object, origin: originOf(kind, object) };
    }
    const record = this.#retained.newestDeletion(name);
    if (record !== undefined) {
      const subject = { object: record.object, origin: record.spec.origin, record };
      // The right to a private object may have gone with it. A restore asks for the permission to create it.
      if (subresource === RESTORE && isDeletedBy(record, this.#user)) return subject;
      const object = formerAttributes(this.#registry, kind, record, reader);
      const isVisible =
        authorizer.missing({ ...attributes, subresource: '', verb: 'get', object }, reader)?.length === 0;
      if (isVisible) {
        authorizer.authorize({ ...attributes, object }, reader);
        return subject;
      }
    }
    authorizer.authorize(attributes, reader);
    throw notFound(kind, name);
  }

  /** The version of an object that the caller may use. Throws 404. */
  #find(subject: Subject, version: number): Version {
    const [current] = this.#current(subject);
    if (current?.version === version) return current;
    const retained = this.#retained.version(subject.origin, version);
    const [one] = retained === undefined ? [] : this.#versionOf(retained);
    if (one === undefined) throw notFound(this.#kind, `${subject.object.metadata.name}, version ${version}`);
    return one;
  }

  #current({ object, record }: Subject): readonly Version[] {
    return record === undefined ? [{ ...this.#described(object), isCurrent: true }] : [];
  }

  #versionOf({ spec }: Retained): readonly Version[] {
    if (spec?.object === undefined) return [];
    const { deletion, at, object } = spec;
    const deleted = deletion && { by: deletion.by, at: timestamp(at) };
    return [{ ...this.#described(object), isCurrent: false, ...(deleted && { deleted }) }];
  }

  #described(object: KubeObject): Omit<Version, 'isCurrent'> {
    const { annotations = {}, generation = 1, creationTimestamp = '' } = object.metadata;
    const { updatedBy, updatedTimestamp } = this.#kind.ownedKeys;
    const message = messageOf(this.#kind, object);
    return {
      version: generation,
      author: annotations[updatedBy] ?? '',
      time: annotations[updatedTimestamp] ?? creationTimestamp,
      ...(message !== undefined && { message }),
      object,
    };
  }
}
