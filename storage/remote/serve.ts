import { type Methods, type Port, serve } from '../../pkg/system/ipc/calls.js';
import type { Backend, Bytes, Revision } from '../backend.js';
import { isStorageError } from '../errors.js';
import { decodeBatch } from './batch.js';
import { storageErrors } from './errors.js';
import { Notices } from './notices.js';
import { ProcessTurns } from './turns.js';

/**
 * Shares the backend of this process with other processes, which open it with `openRemote`. They read the store
 * themselves, and only what changes it is asked of this process. Returns a function that takes one more of them.
 */
export function shareBackend(backend: Backend): (port: Port) => void {
  const floor = new ProcessTurns();
  const notices = new Map<Port, Notices>();
  const tellOthers = (own: Port, end: Revision): void => {
    for (const [port, others] of notices) if (port !== own) others.tell(end);
  };
  return (port) => {
    notices.set(port, new Notices(port));
    serve(port, methodsOf(backend, floor, port, tellOthers), storageErrors);
    port.closed.addEventListener('abort', () => {
      notices.get(port)?.stop();
      notices.delete(port);
      floor.leave(port);
    });
  };
}

type Tell = (own: Port, end: Revision) => void;

function methodsOf(backend: Backend, floor: ProcessTurns, port: Port, tellOthers: Tell): Methods {
  return {
    append: async (after: Revision, bytes: Bytes) => {
      const batch = decodeBatch(bytes, after);
      floor.sees(port);
      try {
        await backend.append(after, batch);
        tellOthers(port, after + batch.changes.length);
        return floor.isAlone(port);
      } catch (error) {
        // The write may be visible, so the watches of the others must get it, too.
        if (isStorageError(error, 'unknown')) tellOthers(port, await backend.end());
        throw error;
      } finally {
        floor.release(port);
      }
    },
    turn: async () => {
      await floor.take(port);
      return backend.end();
    },
    pass: async () => floor.release(port),
    materialize: async () => (await backend.materialize?.()) ?? backend.end(),
    compact: (through: Revision) => backend.compact(through),
  };
}
