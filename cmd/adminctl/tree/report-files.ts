import { printable } from '../../../pkg/system/text/printable.js';
import type { Written } from '../gitops/manifest-folder.js';
import type { Terminal } from '../terminal.js';

/** Says which files were written, or would be. */
export function reportFiles({ stale, ...counts }: Written, to: string, dryRun: boolean, { out, err }: Terminal): void {
  const shown = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
  out.write(`${shown.join(', ')} files in ${printable(to)}${dryRun ? ' (dry run)' : ''}\n`);
  if (stale.length === 0) return;
  const some = printable(stale.slice(0, 5).join(', '));
  err.write(
    `Warning: ${stale.length} files are of objects that are not there any more, such as ${some}. Remove them.\n`,
  );
}
