import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { decodeSpec, decodeSteps, decodeTyped, type ObjectPart } from '../decode/decode.js';
import type { Kind } from '../kinds/kind.js';
import type { Registry } from '../kinds/registry.js';
import { STATUS } from '../kinds/subresource.js';
import { parsedAhead, type Reader } from '../read/reader.js';
import type { DeleteOptions } from '../write/delete.js';
import type { Caller, ObjectChange, SubresourceWrite, WriteResult } from '../write/write.js';
import { ObjectReader, type ReadCaller } from './object-reader.js';

/** The parts of a new object that the caller sets. The server adds the others. */
export interface NewObject<Spec> {
  readonly metadata: Partial<KubeObject['metadata']>;
  readonly spec: Spec;
}

/** Returns the object to store, given the stored object. Must be pure. An error that it throws is the answer. */
export type TypedChange<Spec> = (old: KubeObject<Spec>) => KubeObject<Spec>;

/** The writes of an ObjectClient or of TransactionObjects. `Result` is a promise outside of a transaction. */
interface Writes<Result> {
  create(kind: Kind, namespace: string, object: KubeObject): Result;
  update(kind: Kind, namespace: string, name: string, change: ObjectChange, subresource?: SubresourceWrite): Result;
  delete(kind: Kind, namespace: string, name: string, options?: DeleteOptions): Result;
}

/** The part of a Client that an ObjectClient needs. */
interface ClientWrites extends Writes<Promise<WriteResult>> {
  readonly registry: Registry;
  readonly options: ReadCaller;
}

const WRITE_STATUS: SubresourceWrite = { name: STATUS, verb: 'update' };

/** The part of a Transaction that TransactionObjects need. */
interface TransactionWrites extends Writes<WriteResult> {
  createSteps(kind: Kind, namespace: string, object: KubeObject): Steps<WriteResult>;
  updateSteps(kind: Kind, namespace: string, name: string, change: ObjectChange): Steps<WriteResult>;
  readonly registry: Registry;
  readonly caller: Caller;
  readonly reader: Reader;
}

/** The objects of one kind in one namespace at the newest state. Each write is a transaction of its own. */
export class ObjectClient<Spec = unknown> extends ObjectReader<Spec> {
  readonly #client: ClientWrites;

  constructor(client: ClientWrites, kind: Kind, namespace: string) {
    super(client.registry, client.registry.reader, client.options, kind, namespace);
    this.#client = client;
  }

  /** Parses an object ahead of a transaction that changes it, in steps if it is large. */
  async parseAhead(name: string): Promise<void> {
    await parsedAhead(this.entry(name));
  }

  async create(object: NewObject<Spec>): Promise<KubeObject<Spec>> {
    return objectIn(await this.#client.create(this.kind, this.namespace, typed(this.kind, object)));
  }

  async update(name: string, change: TypedChange<Spec>): Promise<KubeObject<Spec>> {
    return objectIn(await this.#client.update(this.kind, this.namespace, name, checked(this.kind, change)));
  }

  /** Changes only the status. */
  async updateStatus(name: string, change: TypedChange<Spec>): Promise<KubeObject<Spec>> {
    const status = checked(this.kind, change, 'status');
    return objectIn(await this.#client.update(this.kind, this.namespace, name, status, WRITE_STATUS));
  }

  /** Returns the last state of the object. */
  async delete(name: string, options?: DeleteOptions): Promise<KubeObject<Spec>> {
    return objectIn(await this.#client.delete(this.kind, this.namespace, name, options));
  }
}

/** The objects of one kind in one namespace, read and written in a transaction. */
export class TransactionObjects<Spec = unknown> extends ObjectReader<Spec> {
  readonly #transaction: TransactionWrites;

  constructor(transaction: TransactionWrites, kind: Kind, namespace: string) {
    super(transaction.registry, transaction.reader, transaction.caller, kind, namespace);
    this.#transaction = transaction;
  }

  create(object: NewObject<Spec>): KubeObject<Spec> {
    return objectIn(this.#transaction.create(this.kind, this.namespace, typed(this.kind, object)));
  }

  /** With `subresource`, the caller needs the permission of the subresource instead of the permission to update. */
  update(name: string, change: TypedChange<Spec>, subresource?: SubresourceWrite): KubeObject<Spec> {
    return objectIn(this.#transaction.update(this.kind, this.namespace, name, checked(this.kind, change), subresource));
  }

  /** The same as `create`, in steps, for an object that may be large. */
  *createSteps(object: NewObject<Spec>): Steps<KubeObject<Spec>> {
    const { object: decoded } = yield* decodeSteps(this.kind, wholeOf(this.kind, object));
    return objectIn(yield* this.#transaction.createSteps(this.kind, this.namespace, decoded));
  }

  /** The same as `update`, in steps. */
  *updateSteps(name: string, change: TypedChange<Spec>): Steps<KubeObject<Spec>> {
    return objectIn(yield* this.#transaction.updateSteps(this.kind, this.namespace, name, checked(this.kind, change)));
  }

  /** Changes only the status. */
  updateStatus(name: string, change: TypedChange<Spec>): KubeObject<Spec> {
    const status = checked(this.kind, change, 'status');
    return objectIn(this.#transaction.update(this.kind, this.namespace, name, status, WRITE_STATUS));
  }

  /** Creates the object, or changes its spec if it exists. */
  put(name: string, specOf: (old: Spec | undefined) => Spec): KubeObject<Spec> {
    if (this.find(name) === undefined) return this.create({ metadata: { name }, spec: specOf(undefined) });
    return this.update(name, (old) => ({ ...old, spec: specOf(old.spec) }));
  }

  delete(name: string, options?: DeleteOptions): KubeObject<Spec> {
    return objectIn(this.#transaction.delete(this.kind, this.namespace, name, options));
  }
}

function typed(kind: Kind, object: NewObject<unknown>): KubeObject {
  return decodeTyped(kind, wholeOf(kind, object)).object;
}

const wholeOf = (kind: Kind, object: NewObject<unknown>): unknown => ({
  apiVersion: kind.apiVersion,
  kind: kind.kind,
  ...object,
});

/**
 * Decodes the result of the change. If the change kept the metadata of the stored object, only the spec can be invalid.
 */
function checked<Spec>(
  kind: Kind,
  change: TypedChange<Spec>,
  part: ObjectPart = 'spec',
): (old: KubeObject) => KubeObject {
  return (old) => {
    const object = change(old as KubeObject<Spec>);
    if (part === 'status') return decodeTyped(kind, object, part).object;
    return object.metadata === old.metadata ? decodeSpec(kind, object) : decodeTyped(kind, object).object;
  };
}

function objectIn<Spec>({ object }: WriteResult): KubeObject<Spec> {
  return object as KubeObject<Spec>;
}
