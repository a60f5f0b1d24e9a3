import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { programOf } from '../e2e/process.js';

const PORTS = ['--server.http_port=0', '--server.https_port=0'];

describe('The data folder', function () {
  this.timeout(60_000);
  let outer: string;
  let child: ChildProcess | undefined;

  beforeEach(async () => {
    outer = await mkdtemp(join(tmpdir(), 'apiserver-data-'));
  });
  afterEach(async () => {
    if (child !== undefined && child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(outer, { recursive: true, force: true });
  });

  /** Starts the server, and returns what it wrote until it was listening. */
  async function start(data: string): Promise<string> {
    const started = spawn(process.execPath, [...programOf('apiserver'), `--paths.data=${data}`, ...PORTS], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    let output = '';
    started.stderr.on('data', (chunk) => {
      output += chunk;
    });
    for await (const chunk of started.stdout) {
      output += chunk;
      if (output.includes('is listening')) return output;
    }
    throw new Error(`it ended: ${output}`);
  }

  it('is reported if others may read it, and so are the secrets in it', async () => {
    await chmod(outer, 0o777);
    await writeFile(join(outer, 'admin.token'), `${'t'.repeat(40)}\n`);
    await chmod(join(outer, 'admin.token'), 0o644);
    const output = await start(outer);
    expect(output).to.contain(`${outer} (mode 0777)`).and.to.contain(`chmod 0700 ${outer}`);
    expect(output).to.contain(`${join(outer, 'admin.token')} (mode 0644)`);
    expect(output).to.not.contain('t'.repeat(40));
  });

  it('is made for its owner only, with all secrets in it, and then there is nothing to report', async () => {
    const data = join(outer, 'data');
    const output = await start(data);
    expect(output).to.not.contain('may access');
    const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    const entries = await readdir(data, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (entry.name.endsWith('.crt')) continue;
      const path = join(entry.parentPath, entry.name);
      expect(await modeOf(path), path).to.equal(entry.isDirectory() ? '700' : '600');
    }
    expect(await modeOf(data)).to.equal('700');
    expect(entries.length).to.be.greaterThan(5);
  });
});
