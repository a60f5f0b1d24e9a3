import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { keyOf } from '../../storage/key.js';
import { decodeObject } from '../../storage/state/codec.js';
import type { Server } from '../harness/server.js';

/** An address at which the tests of Kubernetes read and write what is stored, as they do with etcd. */
export interface StoreDoor {
  readonly url: string;
  close(): void;
}

export async function openStoreDoor({ api: { registry } }: Server): Promise<StoreDoor> {
  const door = createServer((request, reply) => {
    const [resource = '', ...place] = (request.url ?? '').slice(1).split('/').map(decodeURIComponent);
    const [namespace = '', name = ''] = place.length === 1 ? ['', ...place] : place;
    const answer = async (): Promise<unknown> => {
      if (request.method !== 'PUT') {
        const entry = registry.reader.entry(resource, namespace, name);
        if (entry === undefined) throw new Error(`${request.url} is not stored`);
        return decodeObject(entry.value);
      }
      const { metadata, ...object } = JSON.parse((await buffer(request)).toString());
      const { resourceVersion: _, ...others } = metadata;
      const put = (state: { put(key: ReturnType<typeof keyOf>, object: unknown): unknown }): unknown =>
        state.put(keyOf(resource, namespace, name), { ...object, metadata: others });
      await registry.writer.transact({ run: put });
      return {};
    };
    answer().then(
      (value) => reply.end(JSON.stringify(value)),
      (error: unknown) => reply.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    door.closeAllConnections();
    door.close();
  };
  return { url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`, close };
}
