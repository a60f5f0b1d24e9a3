import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../e2e/process.js';

/**
 * Builds the console if it was never built. Servers that run from their sources serve what `npm run build` has built
 * last.
 */
export async function builtConsole(): Promise<void> {
  if (!existsSync(join(ROOT, 'dist', 'console', 'meta.json')))
    await promisify(execFile)(join(ROOT, 'hack', 'build.sh'));
}
