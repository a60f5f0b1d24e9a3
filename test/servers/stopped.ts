import { expect } from 'chai';
import { type Ledger, seededRandom, settle, write } from '../crash/workload.js';
import type { TestServer } from '../e2e/harness.js';
import { eventually } from '../e2e/process.js';

const WRITERS = 6;
/** Milliseconds in which the other server must continue. */
const WITHIN = 3000;

/** Tests two writing servers, of which one is stopped or killed at any point of a commit. */
export function stoppedServer(servers: () => readonly [TestServer, TestServer]): void {
  const random = seededRandom(7);

  /**
   * Both servers write until `interrupt` has ended. Its argument waits until each writer of the first server was
   * answered again.
   */
  async function whileBothWrite(interrupt: (goesOn: () => Promise<void>) => Promise<void>): Promise<void> {
    const ledgers = new Map<string, Ledger>();
    const own: Ledger[] = [];
    const stop = new AbortController();
    const writers = servers().flatMap((server, i) =>
      Array.from({ length: WRITERS }, (_, n) => {
        const ledger: Ledger = { acknowledged: undefined, pending: undefined, operations: 0 };
        ledgers.set(`stopped${i}-${n}`, ledger);
        if (i === 0) own.push(ledger);
        return write(server.client, `stopped${i}-${n}`, ledger, random, stop.signal);
      }),
    );
    const goesOn = async (): Promise<void> => {
      const before = own.map(({ operations }) => operations);
      await eventually(
        () => own.every(({ operations }, i) => operations > (before[i] ?? 0) + 1) || undefined,
        () => 'the other server does not go on',
      );
    };
    await goesOn();
    await interrupt(goesOn);
    stop.abort();
    await Promise.all(writers);
    for (const server of servers()) expect(await settle(server.client, ledgers)).to.deep.equal([]);
    for (const name of ledgers.keys()) {
      await servers()[0].client.request('DELETE', `/apis/folder.svc.app/v1beta1/namespaces/default/folders/${name}`);
    }
  }

  async function took(work: () => Promise<void>): Promise<number> {
    const began = performance.now();
    await work();
    return performance.now() - began;
  }

  it('go on within 3 seconds when one is stopped, and lose nothing when it continues', async () => {
    for (let round = 0; round < 2; round++) {
      await whileBothWrite(async (goesOn) => {
        const { pid } = servers()[1];
        await new Promise((resolve) => setTimeout(resolve, 50 * random()));
        process.kill(pid, 'SIGSTOP');
        try {
          expect(await took(goesOn)).to.be.below(WITHIN);
        } finally {
          process.kill(pid, 'SIGCONT');
        }
      });
    }
  });

  it('go on within 3 seconds when one is killed, and lose nothing', async () => {
    await whileBothWrite(async (goesOn) => {
      const [, killed] = servers();
      await killed.kill();
      expect(await took(goesOn)).to.be.below(WITHIN);
      await killed.restart();
    });
  });
}
