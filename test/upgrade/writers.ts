import { expect } from 'chai';
import { type Ledger, seededRandom, settle, write } from '../crash/workload.js';
import type { TestServer } from '../e2e/harness.js';
import { eventually } from '../e2e/process.js';

const WRITERS = 4;

/** Clients that write to a server again and again, until either is stopped. */
export interface Writers {
  /** Begins to write to a server. Each writer has its own object. */
  start(server: TestServer): void;
  /** Resolves when each writer of a server was answered again. */
  goOn(server: TestServer): Promise<void>;
  /** Ends all writing, and expects that each of these servers has all acknowledged writes. */
  settle(...servers: readonly TestServer[]): Promise<void>;
}

export function writers(): Writers {
  const ledgers = new Map<string, Ledger>();
  const own = new Map<TestServer, readonly Ledger[]>();
  const random = seededRandom(11);
  let [stop, running]: [AbortController, Promise<void>[]] = [new AbortController(), []];
  return {
    start: (server) => {
      const mine = Array.from({ length: WRITERS }, () => {
        const ledger: Ledger = { acknowledged: undefined, pending: undefined, operations: 0 };
        const name = `writer-${ledgers.size}`;
        ledgers.set(name, ledger);
        running.push(write(server.client, name, ledger, random, stop.signal));
        return ledger;
      });
      own.set(server, mine);
    },
    goOn: async (server) => {
      const mine = own.get(server) ?? [];
      const before = mine.map(({ operations }) => operations);
      await eventually(
        () => mine.every(({ operations }, i) => operations > (before[i] ?? 0) + 1) || undefined,
        () => `a server does not go on:\n${server.output()}`,
      );
    },
    settle: async (...servers) => {
      stop.abort();
      await Promise.all(running);
      [stop, running] = [new AbortController(), []];
      for (const server of servers) expect(await settle(server.client, ledgers)).to.deep.equal([]);
    },
  };
}
