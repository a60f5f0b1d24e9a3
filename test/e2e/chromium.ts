import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Starts the Chromium of this machine (`CHROMIUM`, `PATH`). Without one, the tests that need it are skipped with a warning. */
export async function startChromium(): Promise<Browser | undefined> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  for (const executablePath of [process.env['CHROMIUM'] ?? [], found].flat()) {
    const isThere = await access(executablePath, constants.X_OK).then(
      () => true,
      () => false,
    );
    // Containers often lack what its sandbox needs, and it opens only pages of the server under test.
    if (isThere) return chromium.launch({ executablePath, chromiumSandbox: false });
  }
  process.emitWarning('There is no Chromium on this machine, so tests are skipped. Install one, or set CHROMIUM.');
  return undefined;
}
