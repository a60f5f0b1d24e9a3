import { type Methods, type Port, serve } from '../../pkg/ipc/calls.js';
import type { Backend, Bytes, Revision } from '../backend.js';
import { decodeBatch } from './batch.js';
import { storageErrors } from './errors.js';
import { Floor } from './floor.js';
import { appended } from './news.js';

/**
 * Shares the backend of this process with other processes, which open it with `openRemote`. They read the store themselves, and only what changes it is
 * asked of this process. Returns a function that takes one more of them.
 */
export function shareBackend(backend: Backend): (port: Port) => void {
  const floor = new Floor();
  const ports = new Set<Port>();
  const tellOthers = (own: Port, end: Revision): void => {
    for (const port of ports) if (port !== own) port.post(appended(end));
  };
  return (port) => {
    ports.add(port);
    serve(port, methodsOf(backend, floor, port, tellOthers), storageErrors);
    port.closed.addEventListener('abort', () => {
      ports.delete(port);
      floor.leave(port);
    });
  };
}

type Tell = (own: Port, end: Revision) => void;

function methodsOf(backend: Backend, floor: Floor, port: Port, tellOthers: Tell): Methods {
  return {
    append: async (after: Revision, bytes: Bytes) => {
      const batch = decodeBatch(bytes, after);
      try {
        await backend.append(after, batch);
        tellOthers(port, after + batch.changes.length);
      } finally {
        floor.release(port);
      }
    },
    turn: async () => {
      await floor.take(port);
      return backend.end();
    },
    pass: async () => floor.release(port),
    compact: (through: Revision) => backend.compact(through),
  };
}
