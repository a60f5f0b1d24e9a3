import { type Methods, type Port, serve } from '../../pkg/ipc/calls.js';
import type { Backend, Batch, CountRange, IndexRange, Revision } from '../backend.js';
import type { Key } from '../key.js';
import { storageErrors } from './errors.js';
import { Floor } from './floor.js';

/** Shares the backend of this process with other processes, which open it with `openRemote`. Returns a function that takes one more of them. */
export function shareBackend(backend: Backend): (port: Port) => void {
  const floor = new Floor();
  return (port) => {
    serve(port, methodsOf(backend, floor, port), storageErrors);
    port.closed.addEventListener('abort', () => floor.leave(port));
  };
}

function methodsOf(backend: Backend, floor: Floor, port: Port): Methods {
  return {
    end: async () => {
      // The owner of the turn asks for the end after it has found nothing to append.
      floor.release(port);
      return backend.end();
    },
    append: async (after: Revision, batch: Batch) => {
      try {
        await backend.append(after, batch);
      } finally {
        floor.release(port);
      }
    },
    turn: async () => {
      await floor.take(port);
      return backend.end();
    },
    tail: (after: Revision) => tail(backend, after, port.closed),
    load: (resource: string) => backend.load(resource),
    counters: () => backend.counters(),
    get: (keys: readonly Key[]) => backend.get(keys),
    range: (resource: string, range: IndexRange) => backend.range(resource, range),
    counts: (resource: string, range: CountRange) => backend.counts(resource, range),
    revisionBefore: (age: number) => backend.revisionBefore(age),
    compacted: () => backend.compacted(),
    compact: (through: Revision) => backend.compact(through),
  };
}

/** `return` of a generator that waits for a commit would wait, too, so it ends by a signal. */
function tail(backend: Backend, after: Revision, closed: AbortSignal): AsyncIterable<unknown> {
  const stop = new AbortController();
  const commits = backend.tail(after, AbortSignal.any([stop.signal, closed]))[Symbol.asyncIterator]();
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => commits.next(),
      return: async () => {
        stop.abort();
        return { done: true, value: undefined };
      },
    }),
  };
}
