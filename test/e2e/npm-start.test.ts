import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually, ROOT, startProgram } from './process.js';

describe('npm start', function () {
  // npm start first builds files that are out of date.
  this.timeout(180_000);

  it('forwards SIGTERM to the server, which shuts down', async () => {
    const data = await mkdtemp(join(tmpdir(), 'npm-start-'));
    const settings = [`--paths.data=${data}`, '--server.http_port=0', '--server.https_port=0', '--log.format=json'];
    const npm = await startProgram('npm', ['start', '--', ...settings], { cwd: ROOT, env: process.env });
    const output = (): string => npm.stdout() + npm.stderr();
    try {
      await eventually(
        () => {
          if (npm.exitCode() !== undefined) throw new Error(`npm ended while the server started:\n${output()}`);
          return npm.stdout().includes('is listening') || undefined;
        },
        () => `The server did not start:\n${output()}`,
        120_000,
      );
      process.kill(npm.pid, 'SIGTERM');
      // The output ends when all processes that have it open have ended, including the server.
      await npm.ended;
      expect(npm.stderr()).to.contain('"signal":"SIGTERM","msg":"shutting down"');
    } finally {
      await npm.stop();
      await rm(data, { recursive: true, force: true });
    }
  });

  it('says that it builds, because nothing else is printed meanwhile', async () => {
    const clone = await mkdtemp(join(tmpdir(), 'npm-start-'));
    try {
      await mkdir(join(clone, 'hack'));
      await cp(join(ROOT, 'hack/start.sh'), join(clone, 'hack/start.sh'));
      await writeFile(join(clone, 'hack/build.sh'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
      const start = await startProgram('hack/start.sh', [], { cwd: clone, env: process.env });
      await start.ended;
      expect(start.exitCode()).to.equal(3);
      expect(start.stderr()).to.match(/^Building the program/);
    } finally {
      await rm(clone, { recursive: true, force: true });
    }
  });
});
