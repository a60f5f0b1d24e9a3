import { createHash } from 'node:crypto';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { baseOf } from '../../../pkg/legacyclient/server.js';
import type { Client } from '../../../registry/client/client.js';
import type { ClientTransaction } from '../../../registry/client/transaction.js';
import type { Kind } from '../../../registry/kinds/kind.js';
import { BY_MIRROR, type MirrorRecordSpec } from '../../internal/mirrorrecord/schema.js';
import type { MirrorSpec, MirrorStatus } from '../mirror/schema.js';
import { Memory } from './memory.js';
import type { Key } from './resources.js';

/** Where a mirror sends, without what may change of it. */
export function placeOf({ address, organization }: MirrorSpec): string {
  return createHash('sha256')
    .update(`${baseOf({ url: address, isInsecure: true })} ${organization ?? ''}`)
    .digest('base64url')
    .slice(0, 16);
}

/** Keeps what a mirror has sent, and its status. */
export class Store {
  readonly #client: Client;
  readonly #mirror: KubeObject<MirrorSpec>;
  readonly #place: string;
  /** What the store has of what is begun. */
  #begun: string | undefined;

  constructor(client: Client, mirror: KubeObject<MirrorSpec>, spec: MirrorSpec) {
    this.#client = client;
    this.#mirror = mirror;
    this.#place = placeOf(spec);
  }

  load(): Memory {
    const memory = new Memory();
    const { namespace, name } = this.#names;
    const records = this.#client.objects<MirrorRecordSpec>(this.#records, namespace);
    const begun: Key[] = [];
    for (const { metadata, spec } of records.range({ index: BY_MIRROR, prefix: [namespace, name] })) {
      // A mirror of the same name may have left some.
      if (spec?.place !== this.#place || !metadata.name.startsWith(`${this.#mirror.metadata.uid}-`)) continue;
      memory.load(spec.objects, spec.left);
      begun.push(...((spec.begun ?? []) as Key[]));
    }
    memory.loadBegun(begun);
    this.#begun = JSON.stringify(memory.begun);
    return memory;
  }

  /** Stores what is begun before it is sent, so that another server knows what may be there. */
  async saveBegun(memory: Memory): Promise<void> {
    const { begun } = memory;
    await this.#client.transact((transaction) => {
      if (this.#isThere(transaction)) this.#putBegun(transaction, begun);
    });
    this.#begun = JSON.stringify(begun);
  }

  #isThere(transaction: ClientTransaction): boolean {
    const { namespace, name } = this.#names;
    // A mirror that was made again under the same name has sent nothing.
    return transaction.objects(this.#mirrors, namespace).find(name)?.metadata.uid === this.#mirror.metadata.uid;
  }

  #putBegun(transaction: ClientTransaction, begun: readonly Key[]): void {
    const { namespace, name } = this.#names;
    const records = transaction.objects<MirrorRecordSpec>(this.#records, namespace);
    records.put(`${this.#mirror.metadata.uid}-begun`, () => ({
      mirror: name,
      place: this.#place,
      objects: {},
      begun: [...begun],
    }));
  }

  /** Writes the status, and what has changed of what was sent, in one commit. */
  async save(memory: Memory | undefined, statusOf: (old: MirrorStatus | undefined) => MirrorStatus): Promise<void> {
    const { namespace, name } = this.#names;
    const parts = memory?.takeChanged() ?? [];
    const begun = memory?.begun;
    try {
      await this.#client.transact((transaction) => {
        const mirrors = transaction.objects<MirrorSpec>(this.#mirrors, namespace);
        if (!this.#isThere(transaction)) return;
        const records = transaction.objects<MirrorRecordSpec>(this.#records, namespace);
        for (const { part, objects, left } of parts)
          records.put(`${this.#mirror.metadata.uid}-${part}`, () => ({
            mirror: name,
            place: this.#place,
            objects,
            ...(left.length > 0 && { left: [...left] }),
          }));
        if (begun !== undefined && JSON.stringify(begun) !== this.#begun) this.#putBegun(transaction, begun);
        mirrors.updateStatus(name, (old) => ({ ...old, status: statusOf(old.status as MirrorStatus | undefined) }));
      });
      if (begun !== undefined) this.#begun = JSON.stringify(begun);
    } catch (error) {
      memory?.putBack(parts);
      throw error;
    }
  }

  get #names(): { readonly namespace: string; readonly name: string } {
    return { namespace: this.#mirror.metadata.namespace ?? '', name: this.#mirror.metadata.name };
  }

  get #records(): Kind {
    return this.#client.registry.compiled.get('internal/MirrorRecord');
  }

  get #mirrors(): Kind {
    return this.#client.registry.compiled.get('mirror/Mirror');
  }
}
