import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AuditTarget } from '../../pkg/http/audit/sink.js';
import { compose } from './compose.js';
import { parseOptions } from './options.js';
import { openBackend } from './storage.js';
import { ALONE } from './workers/host.js';

describe('a server that ends', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'compose-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('closes its store, also if the end of the audit log cannot be written', async () => {
    const ports = ['--server.http_port=0', '--server.https_port=-1'];
    const command = parseOptions([`--paths.data=${folder}`, '--log.level=silent', ...ports], {}, 'test');
    if (!('run' in command)) throw new Error('the options start no server');
    const auditTarget: AuditTarget = {
      write: async () => undefined,
      close: () => Promise.reject(new Error('the disk is full')),
    };
    const running = await compose(command.run, 'test', { ...ALONE, auditTarget });
    await running.close();
    const again = await openBackend(command.run.settings);
    expect(await again.end()).to.be.greaterThan(0);
    await again.close();
  });
});
