import type { Backend } from '../../backend.js';
import { StorageError, type StorageErrorCode } from '../../errors.js';

/** A backend with some methods replaced. */
export function around(backend: Backend, overrides: Partial<Backend>): Backend {
  return {
    shared: backend.shared,
    get logId() {
      return backend.logId ?? 0;
    },
    commitAt: (revision) => backend.commitAt(revision),
    end: (signal) => backend.end(signal),
    append: (after, batch) => backend.append(after, batch),
    ...(backend.whenComplete && { whenComplete: async (signal) => backend.whenComplete?.(signal) }),
    ...(backend.isComplete && { isComplete: async (at, sizes) => (await backend.isComplete?.(at, sizes)) ?? true }),
    ...(backend.turn && { turn: () => backend.turn?.() ?? backend.end() }),
    tail: (after, signal, known, id) => backend.tail(after, signal, known, id),
    load: (resource) => backend.load(resource),
    counters: () => backend.counters(),
    get: (keys) => backend.get(keys),
    revisionBefore: (age) => backend.revisionBefore(age),
    compacted: () => backend.compacted(),
    logBytes: () => backend.logBytes(),
    ...(backend.materialize && { materialize: async () => (await backend.materialize?.()) ?? 0 }),
    compact: (through) => backend.compact(through),
    close: () => backend.close(),
    ...overrides,
  };
}

/** Holds all callers until it is opened. */
export class Gate {
  #open: () => void = () => undefined;
  #passage = Promise.resolve();
  #arrive: () => void = () => undefined;
  #arrival = Promise.resolve();

  shut(): void {
    this.#passage = new Promise((resolve) => {
      this.#open = resolve;
    });
    this.#arrival = new Promise((resolve) => {
      this.#arrive = resolve;
    });
  }

  /** Resolves when something waits at the gate that was shut. */
  reached(): Promise<void> {
    return this.#arrival;
  }

  open(): void {
    this.#open();
  }

  pass(): Promise<void> {
    this.#arrive();
    return this.#passage;
  }
}

/** Appends wait for the gate. The number of changes of each append is recorded when it arrives. */
export function gated(backend: Backend, gate: Gate, arrived: number[] = []): Backend {
  return around(backend, {
    append: async (after, batch) => {
      arrived.push(batch.changes.length);
      await gate.pass();
      return backend.append(after, batch);
    },
  });
}

/** The tail of the log waits for the gate. */
export function lagging(backend: Backend, gate: Gate): Backend {
  return around(backend, {
    tail: async function* (after, signal) {
      for await (const commit of backend.tail(after, signal)) {
        await gate.pass();
        yield commit;
      }
    },
  });
}

export interface Fault {
  readonly code: StorageErrorCode;
  /** True to append before the failure, as if only the answer was lost. */
  readonly written?: boolean;
}

/** Each append fails with the next fault, if there is one. */
export function faulty(backend: Backend, faults: Fault[]): Backend {
  return around(backend, {
    append: async (after, batch) => {
      const fault = faults.shift();
      if (fault === undefined || fault.written === true) await backend.append(after, batch);
      if (fault !== undefined) throw new StorageError(fault.code, `injected: ${fault.code}`);
    },
  });
}

/** Rejects objects with more bytes than this, as every real store has a limit. */
export function narrow(backend: Backend, most: number): Backend {
  return around(backend, {
    append: async (after, batch) => {
      const large = batch.changes.find(({ value }) => (value?.byteLength ?? 0) > most);
      if (large !== undefined) throw new StorageError('rejected', `${large.key} is too large`, { key: large.key });
      return backend.append(after, batch);
    },
  });
}

/** Refuses batches with more changes than this. */
export function shallow(backend: Backend, most: number): Backend {
  return around(backend, {
    append: async (after, batch) => {
      if (batch.changes.length > most) throw new StorageError('too-large', `${batch.changes.length} changes`);
      return backend.append(after, batch);
    },
  });
}
