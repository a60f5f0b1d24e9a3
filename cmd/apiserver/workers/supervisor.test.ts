import { ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { createLogger } from '../../../pkg/system/log/logger.js';
import { withTestTime } from '../../../registry/testing/timers.js';
import { parseOptions } from '../options.js';
import { SERVER } from './channels.js';
import { Supervisor } from './supervisor.js';

/** A worker that says that it listens, and ends when it is told to. */
const WORKER = `
  process.on('message', ({ message }) => message.method === 'stop' && process.exit(0));
  process.send({ channel: '${SERVER}', message: { call: 1, method: 'ready', args: ['it listens'] } });
`;

/**
 * What the system says if it cannot start a process. `cluster` throws the last one, and has a worker without a process
 * for the others.
 */
const REFUSALS = { EAGAIN: -11, EMFILE: -24, ENOENT: -2, ENOMEM: -12 };

interface SpawnHandle {
  spawn(options: unknown): number;
}

/** Lets the system refuse some of the processes that are started, and counts them. The number of the first is 1. */
function refuseProcesses(refused: readonly number[], errno: number) {
  const prototype = ChildProcess.prototype as unknown as SpawnHandle;
  const { spawn } = prototype;
  let started = 0;
  const own = mock.method(prototype, 'spawn', function (this: { readonly _handle: SpawnHandle }, options: unknown) {
    if (refused.includes(++started)) this._handle.spawn = () => errno;
    return spawn.call(this as unknown as SpawnHandle, options);
  });
  return { started: () => started, restore: () => own.mock.restore() };
}

/** Waits without a timer, so that a test may have the time of timers. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turn();
}

describe('the supervisor of the workers, if the system cannot start a process', () => {
  let folder: string;
  let supervisor: Supervisor | undefined;
  let logged: { readonly worker?: number; readonly err: { readonly code: string } }[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'supervisor-'));
    const program = join(folder, 'worker.mjs');
    await writeFile(program, WORKER);
    cluster.setupPrimary({ exec: program, execArgv: [] });
    logged = [];
  });
  afterEach(async () => {
    await supervisor?.stop();
    supervisor = undefined;
    // The settings with which Node starts.
    cluster.setupPrimary({ exec: process.argv[1], execArgv: process.execArgv });
    await rm(folder, { recursive: true });
  });

  /** Starts two workers, and resolves with what the operator is told in the end. */
  async function start(): Promise<string> {
    const command = parseOptions([`--paths.data=${folder}`, '--server.workers=2'], {}, 'test');
    if (!('run' in command)) throw new Error('the options start no server');
    const log = createLogger({ level: 'info', format: 'json', write: (line) => logged.push(JSON.parse(line)) });
    let tell: (text: string) => void = () => undefined;
    const told = new Promise<string>((resolve) => {
      tell = resolve;
    });
    const { settings } = command.run;
    const onFailed = (code: number): void => tell(`failed with ${code}`);
    supervisor = await Supervisor.start({ settings, log, auditTarget: undefined, onReady: tell, onFailed });
    return told;
  }

  for (const [code, errno] of Object.entries(REFUSALS)) {
    it(`starts the worker again, once, and tells the operator (${code})`, async () => {
      const processes = refuseProcesses([2], errno);
      try {
        expect(await start()).to.equal('it listens');
        expect(logged.map(({ worker, err }) => [worker, err.code])).to.deep.equal([[1, code]]);
        expect(processes.started()).to.equal(3);
        expect(Object.keys(cluster.workers ?? {})).to.have.length(2);
      } finally {
        processes.restore();
      }
    });

    it(`fails and says why, if it is the first worker (${code})`, async () => {
      const processes = refuseProcesses([1], errno);
      try {
        expect(await start()).to.equal('failed with 1');
        expect(logged.map(({ err }) => err.code)).to.deep.equal([code]);
        expect(processes.started()).to.equal(1);
      } finally {
        processes.restore();
      }
    });
  }

  it('waits longer and longer, but not at all after a worker that ran for ten seconds', async () => {
    const processes = refuseProcesses([2, 3], REFUSALS.EAGAIN);
    try {
      await withTestTime(async ({ pass }) => {
        const ready = start();
        await until(() => logged.length === 1);
        await pass(0);
        await until(() => logged.length === 2);
        await pass(249);
        expect(processes.started()).to.equal(3);
        await pass(1);
        expect(processes.started()).to.equal(4);
        await ready;
        const later = Date.now() + 10_001;
        const clock = mock.method(Date, 'now', () => later);
        const [, second] = Object.values(cluster.workers ?? {});
        second?.process.kill('SIGKILL');
        await until(() => logged.length === 3);
        clock.mock.restore();
        const listens = once(cluster, 'message');
        await pass(0);
        expect(processes.started()).to.equal(5);
        // A worker takes no order before it listens.
        await listens;
      });
    } finally {
      processes.restore();
    }
  });
});
