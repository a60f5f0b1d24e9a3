import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { findKubectl } from '../../hack/kubectl.js';
import { drawPort } from '../../hack/ports.js';
import { eventually, programOf, ROOT } from '../e2e/process.js';
import { type PageFile, patternOf, type Script } from './blocks.js';

/** Milliseconds that a script may take. */
const PATIENCE = 90_000;
/** The ports that the pages name. */
const PORTS = { http: 3000, https: 6443 };

/** Does what a page says, with an own shell, an empty folder and an empty HOME. */
export class Reader {
  private readonly folder: string;
  private readonly ports: typeof PORTS;
  private readonly shell: ChildProcess;
  private readonly lines: AsyncIterator<string>;
  private count = 0;
  private readonly servers: number[] = [];

  private constructor(folder: string, ports: typeof PORTS, shell: ChildProcess, lines: AsyncIterator<string>) {
    this.folder = folder;
    this.ports = ports;
    this.shell = shell;
    this.lines = lines;
  }

  static async start(): Promise<Reader> {
    const folder = await mkdtemp(join(tmpdir(), 'reader-'));
    const ports = { http: drawPort(), https: drawPort() };
    for (const part of ['hack/examples', 'hack/deploy'])
      await cp(join(ROOT, part), join(folder, 'work', part), { recursive: true });
    await programsIn(join(folder, 'bin'));
    const shell = spawn('bash', ['--noprofile', '--norc'], {
      cwd: join(folder, 'work'),
      env: {
        HOME: folder,
        PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
        APISERVER_SERVER_HTTP_PORT: String(ports.http),
        APISERVER_SERVER_HTTPS_PORT: String(ports.https),
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
    const reader = new Reader(folder, ports, shell, lines);
    await reader.run('set -o pipefail');
    return reader;
  }

  async write({ path, text }: PageFile): Promise<void> {
    const file = join(this.folder, 'work', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  /** @throws Error with what was printed, if it is not what the page says. */
  async follow(script: Script): Promise<void> {
    if (script.isServer) return this.serve(script);
    const { output, status, failed } = await this.run(this.toHere(script.text));
    const shown = this.fromHere(output === '' || output.endsWith('\n') ? output : `${output}\n`);
    if (status !== script.exit || (script.exit === 0 && failed !== 0))
      throw new Error(`exits with ${status || failed}, not with ${script.exit}:\n${shown}`);
    if (script.expected !== undefined && !patternOf(script.expected).test(shown))
      throw new Error(`prints something else than the page says:\n${shown}`);
  }

  async close(): Promise<void> {
    const ended = once(this.shell, 'close');
    this.shell.stdin?.end(`kill ${this.servers.join(' ')} 2>/dev/null; wait\n`);
    await ended;
    await rm(this.folder, { recursive: true, force: true });
  }

  private async serve(script: Script): Promise<void> {
    const file = join(this.folder, `server-${this.servers.length}`);
    const { output } = await this.run(`{ exec ${script.text.trim()}; } > ${file} 2>&1 & echo $!`);
    this.servers.push(Number(output.trim()));
    const printed = (): Promise<string> => readFile(file, 'utf8').then(this.fromHere, () => '');
    let last = '';
    await eventually(
      async () => {
        last = await printed();
        return patternOf(script.expected ?? '…').test(last) && (await this.isReady()) ? true : undefined;
      },
      () => `the server prints something else than the page says:\n${last}`,
    );
  }

  private isReady(): Promise<boolean> {
    const ready = `http://127.0.0.1:${this.ports.http}/readyz`;
    return fetch(ready).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  private async run(text: string): Promise<{ output: string; status: number; failed: number }> {
    const step = join(this.folder, `step-${this.count++}`);
    await writeFile(step, `${text}\n`);
    this.shell.stdin?.write(
      `FAILED=0; trap 'FAILED=$?' ERR; . ${step} > ${step}.out 2>&1 < /dev/null; STATUS=$?; trap - ERR; echo $STATUS $FAILED\n`,
    );
    const timer = setTimeout(() => this.shell.kill('SIGKILL'), PATIENCE);
    const { value } = await this.lines.next().finally(() => clearTimeout(timer));
    const output = await readFile(`${step}.out`, 'utf8');
    if (typeof value !== 'string') throw new Error(`the shell has ended:\n${output}`);
    const [status = -1, failed = -1] = value.split(' ').map(Number);
    return { output, status, failed };
  }

  private toHere(text: string): string {
    return text
      .replaceAll(`localhost:${PORTS.http}`, `localhost:${this.ports.http}`)
      .replaceAll(`localhost:${PORTS.https}`, `localhost:${this.ports.https}`);
  }

  private readonly fromHere = (text: string): string =>
    text
      .replaceAll(`:${this.ports.http}`, `:${PORTS.http}`)
      .replaceAll(`:${this.ports.https}`, `:${PORTS.https}`)
      .replaceAll(this.folder, '~');
}

/** Makes the programs that the pages call, as the package installs them. */
async function programsIn(folder: string): Promise<void> {
  await mkdir(folder);
  const program = async (name: string, command: readonly string[]): Promise<void> => {
    await writeFile(join(folder, name), `#!/bin/sh\nexec ${command.map((part) => `'${part}'`).join(' ')} "$@"\n`);
    await chmod(join(folder, name), 0o755);
  };
  await program('dashboard-apiserver', [process.execPath, ...programOf('apiserver')]);
  await program('adminctl', [process.execPath, ...programOf('adminctl')]);
  await program('kubectl', [await findKubectl()]);
}
