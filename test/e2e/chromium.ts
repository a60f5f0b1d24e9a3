import type { Browser } from 'playwright-core';
import { ChromiumMissing, launchChromium } from '../../hack/chromium.js';

let started: Promise<Browser> | undefined;

after(async () => {
  await (await started?.catch(() => undefined))?.close();
});

/**
 * The Chromium of this machine, or one that is fetched. All suites of a process share it, and it ends with them.
 * Without one, the tests that need it are skipped with a warning.
 */
export async function useChromium(): Promise<Browser | undefined> {
  try {
    if ((await started)?.isConnected() !== true) started = launchChromium();
    return await started;
  } catch (error) {
    if (!(error instanceof ChromiumMissing)) throw error;
    process.emitWarning(`${error.message} Tests are skipped.`);
    return undefined;
  }
}
