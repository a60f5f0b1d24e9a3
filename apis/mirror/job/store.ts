import { createHash } from 'node:crypto';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { Client } from '../../../registry/client/client.js';
import type { Kind } from '../../../registry/kinds/kind.js';
import { BY_MIRROR, type MirrorRecordSpec } from '../../internal/mirrorrecord/schema.js';
import type { MirrorSpec, MirrorStatus } from '../mirror/schema.js';
import { Memory } from './memory.js';

/** Where a mirror sends, without what may change of it. */
export function placeOf({ address, organization }: MirrorSpec): string {
  return createHash('sha256')
    .update(`${address} ${organization ?? ''}`)
    .digest('base64url')
    .slice(0, 16);
}

/** Keeps what a mirror has sent, and its status. */
export class Store {
  readonly #client: Client;
  readonly #mirror: KubeObject<MirrorSpec>;
  readonly #place: string;

  constructor(client: Client, mirror: KubeObject<MirrorSpec>, spec: MirrorSpec) {
    this.#client = client;
    this.#mirror = mirror;
    this.#place = placeOf(spec);
  }

  load(): Memory {
    const memory = new Memory();
    const { namespace, name } = this.#names;
    const records = this.#client.objects<MirrorRecordSpec>(this.#records, namespace);
    for (const { spec } of records.range({ index: BY_MIRROR, prefix: [namespace, name] }))
      if (spec?.place === this.#place) memory.load(spec.objects);
    return memory;
  }

  /** Writes the status, and what has changed of what was sent, in one commit. */
  async save(memory: Memory | undefined, statusOf: (old: MirrorStatus | undefined) => MirrorStatus): Promise<void> {
    const { namespace, name } = this.#names;
    const parts = memory?.takeChanged() ?? [];
    try {
      await this.#client.transact((transaction) => {
        const mirrors = transaction.objects<MirrorSpec>(this.#mirrors, namespace);
        // A mirror that was made again under the same name has sent nothing.
        if (mirrors.find(name)?.metadata.uid !== this.#mirror.metadata.uid) return;
        const records = transaction.objects<MirrorRecordSpec>(this.#records, namespace);
        for (const { part, objects } of parts)
          records.put(`${this.#mirror.metadata.uid}-${part}`, () => ({ mirror: name, place: this.#place, objects }));
        mirrors.updateStatus(name, (old) => ({ ...old, status: statusOf(old.status as MirrorStatus | undefined) }));
      });
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
