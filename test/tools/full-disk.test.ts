import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ExportFolder } from '../../cmd/adminctl/gitops/files.js';
import { openSnapshot } from '../../cmd/adminctl/store/stores.js';
import { supportBundle } from '../../cmd/adminctl/support/bundle.js';
import { PUBLIC_MODE, writeAtomically } from '../../pkg/identity/certs/files.js';
import { writeBackup } from '../../storage/backup/write.js';
import { keyOf } from '../../storage/key.js';
import { useSmallDisk } from '../../storage/testing/small-disk.js';
import { programOf, startProgram } from '../e2e/process.js';
import { failureOf, places, settingsOf, using } from './fixture.js';

describe('a full disk', function () {
  this.timeout(60_000);
  const { embedded } = places();
  const disk = useSmallDisk();
  const at = (...path: readonly string[]): string => join(disk(), ...path);
  const ballast = (): string => at('ballast');
  /** Fills the disk, but for some bytes. */
  const fill = (free = 0): void => {
    expect(() => writeFileSync(ballast(), Buffer.alloc(20 * 2 ** 20, 'x'))).to.throw('ENOSPC');
    truncateSync(ballast(), 12 * 2 ** 20 - free - 64 * 1024);
    if (free === 0) expect(() => writeFileSync(at('rest'), Buffer.alloc(2 ** 20))).to.throw('ENOSPC');
  };
  afterEach(() => {
    for (const name of readdirSync(disk())) rmSync(at(name), { recursive: true });
  });

  it('is what a backup and a support bundle tell that do not fit, with the file, and nothing of them is left', async () => {
    const place = embedded();
    await using(place, async () => undefined);
    fill();
    const names = readdirSync(disk());
    const snapshot = await openSnapshot(place);
    const value = randomBytes(2 ** 20);
    const objects = async function* () {
      for (let i = 1; i < 9; i++) yield [{ key: keyOf('teams.x', '', `n${i}`), revision: i, value }];
    };
    const options = { by: '1', made: new Date(), progress: () => undefined, signal: new AbortController().signal };
    const backup = await failureOf(writeBackup({ ...snapshot, objects }, { ...options, path: at('b.gz') }));
    await snapshot.close();
    expect(backup).to.contain(`${at('b.gz')} cannot be written: ENOSPC`);
    const bundle = await failureOf(
      supportBundle({ file: at('s.tar.gz'), settings: settingsOf(place), log: undefined }),
    );
    expect(bundle).to.contain(`${at('s.tar.gz')} cannot be written: ENOSPC`);
    expect(readdirSync(disk())).to.deep.equal(names);
  });

  it('leaves an exported file and a key as they were', async () => {
    const files = new ExportFolder(at('folders'));
    files.write('ops', 'before');
    await writeAtomically(at('key'), 'before', PUBLIC_MODE);
    fill();
    const again = new ExportFolder(at('folders'));
    expect(() => again.write('ops', 'after')).to.throw(`${at('folders', 'ops.yaml')} cannot be written: ENOSPC`);
    expect(await failureOf(writeAtomically(at('key'), 'after', PUBLIC_MODE))).to.contain(
      `${at('key')} cannot be written: ENOSPC`,
    );
    for (const path of [at('folders', 'ops.yaml'), at('key')]) expect(readFileSync(path, 'utf8')).to.equal('before');
    expect(readdirSync(at('folders'))).to.deep.equal(['ops.yaml']);
  });

  it('is what the server tells if it cannot make its store', async () => {
    fill(2 * 2 ** 20);
    const argv = ['--server.http_port=0', '--server.https_port=-1', `--paths.data=${at('data')}`];
    const server = await startProgram(process.execPath, [...programOf('apiserver'), ...argv], { env: process.env });
    expect(await server.ended).to.equal(1);
    expect(server.stderr()).to.contain(`The disk of ${at('data', 'store')} is full`);
  });
});
