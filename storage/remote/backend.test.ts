import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { expect } from 'chai';
import type { Port } from '../../pkg/system/ipc/calls.js';
import type { Backend } from '../backend.js';
import { StorageError } from '../errors.js';
import { openLmdb } from '../lmdb/open.js';
import { openLmdbReads } from '../lmdb/reads.js';
import { memoryStore, openMemory } from '../memory/backend.js';
import { batchOf, expectCode, key } from '../testing/backend/fixture.js';
import { backendSuite, type Opened } from '../testing/backend-suite.js';
import { engineSuite } from '../testing/engine-suite.js';
import { openRemote } from './open.js';
import type { StoreReads } from './reads.js';
import { shareBackend } from './serve.js';

/** A channel inside this process. Messages are cloned as between processes. */
function portOf(port: MessagePort): Port {
  const closed = new AbortController();
  port.on('close', () => closed.abort());
  return {
    post: (message) => port.postMessage(message),
    listen: (listener) => void port.on('message', listener),
    closed: closed.signal,
  };
}

/** An embedded store that this process shares with "other" processes. */
async function openShared(): Promise<Opened> {
  const path = await mkdtemp(join(tmpdir(), 'remote-suite.'));
  const channels: MessageChannel[] = [];
  const opened: Backend[] = [];
  let owner = await openLmdb({ path, domain: 'svc.app' });
  let share = shareBackend(owner);
  const another = async (): Promise<Backend> => {
    const channel = new MessageChannel();
    channels.push(channel);
    share(portOf(channel.port1));
    const backend = openRemote(portOf(channel.port2), openLmdbReads({ path, domain: 'svc.app' }));
    opened.push(backend);
    return backend;
  };
  const close = async (): Promise<void> => {
    await Promise.all(opened.splice(0).map((backend) => backend.close()));
    for (const { port1 } of channels.splice(0)) port1.close();
    await owner.close();
  };
  return {
    backend: await another(),
    reopen: async () => {
      await close();
      owner = await openLmdb({ path, domain: 'svc.app' });
      share = shareBackend(owner);
      return another();
    },
    another,
    destroy: async () => {
      await close();
      await rm(path, { recursive: true });
    },
  };
}

backendSuite('of another process', openShared, { runs: 4 });
engineSuite('the backend of another process', openShared, { runs: 4 });

describe('remote: an append of unknown outcome that is visible', () => {
  it('reaches the watches of the other processes', async () => {
    const store = openMemory(memoryStore());
    const owner: Backend = {
      ...store,
      append: async (after, batch) => {
        await store.append(after, batch);
        throw new StorageError('unknown', 'the disk failed');
      },
    };
    const share = shareBackend(owner);
    const [one, other] = [new MessageChannel(), new MessageChannel()];
    for (const { port1 } of [one, other]) share(portOf(port1));
    const notices = new Promise((resolve) => other.port2.on('message', resolve));
    const backend = openRemote(portOf(one.port2), {} as StoreReads);
    await expectCode(backend.append(0, batchOf([{ key: key('a'), revision: 1, value: Buffer.from('1') }])), 'unknown');
    expect(await notices).to.deep.equal({ appended: 1 });
    for (const { port1 } of [one, other]) port1.close();
  });
});
