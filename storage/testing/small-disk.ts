import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The path of a small disk for the suite, which is skipped if this user may not mount one. What the suite opens on it,
 * it closes before.
 */
export function useSmallDisk(mebibytes = 12): () => string {
  let disk: string | undefined;
  before(function mount() {
    disk = smallDisk(mebibytes);
    if (disk !== undefined) return;
    if (process.env['CI'] === 'true')
      throw new Error('This test mounts a small tmpfs, which takes root: run CI as root.');
    console.log('      skipped: only root can mount the small disk that is to be filled');
    this.skip();
  });
  after(() => {
    if (disk === undefined) return;
    // Files stay mapped for as long as something refers to them.
    execFileSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true });
  });
  return () => {
    if (disk === undefined) throw new Error('the disk is used before it was mounted');
    return disk;
  };
}

function smallDisk(mebibytes: number): string | undefined {
  const path = mkdtempSync(join(tmpdir(), 'small-disk.'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', path], { stdio: 'ignore' });
    return path;
  } catch {
    rmdirSync(path);
    return undefined;
  }
}
