import { Reader } from '../../registry/read/reader.js';
import type { Outcome, Transaction, Writer } from '../../storage/engine/transaction.js';
import type { Server } from '../harness/server.js';

/** Failures of a request. */
export interface Faults {
  /** The commit with this number, counted from 1, fails with this error. */
  readonly refusal?: { readonly commit: number; readonly error: Error };
  /** Every read after the first commit fails. */
  readonly reads?: boolean;
}

/** Counts the commits of requests that are sent one after another. */
export interface Probe {
  /** The number of commits since `begin` that wrote something. */
  readonly commits: number;
  begin(faults?: Faults): void;
  end(): void;
}

/** Counts the commits of a server, and makes commits or reads after them fail. */
export function probeOf(server: Server): Probe {
  const { registry } = server.api;
  const { writer } = registry;
  let [faults, commits, asked]: [Faults, number, number] = [{}, 0, 0];
  const transact = async <Result>(
    transaction: Transaction<Result>,
    signal?: Parameters<Writer['transact']>[1],
  ): Promise<Outcome<Result>> => {
    asked++;
    if (faults.refusal?.commit === asked) throw faults.refusal.error;
    const outcome = await writer.transact(transaction, signal);
    if (outcome.applied.length > 0) commits++;
    return outcome;
  };
  Object.assign(registry, { writer: { transact } });
  failReads(registry.reader, () => faults.reads === true && commits > 0);
  return {
    get commits() {
      return commits;
    },
    begin: (chosen = {}) => {
      [faults, commits, asked] = [chosen, 0, 0];
    },
    end: () => {
      faults = {};
    },
  };
}

const READS = ['entry', 'walk', 'inNamespace', 'size', 'count', 'version'] as const;

function failReads(reader: Reader, isFailing: () => boolean): void {
  for (const name of READS) {
    const real = Reader.prototype[name] as (...args: unknown[]) => unknown;
    const failing = (...args: unknown[]): unknown => {
      if (isFailing()) throw new Error(`${name} fails after the commit`);
      return real.apply(reader, args);
    };
    Object.defineProperty(reader, name, { value: failing });
  }
}
