import type { Browser } from 'playwright-core';
import { ChromiumMissing, launchChromium } from '../../hack/chromium.js';

/** Starts the Chromium of this machine, or one that is fetched. Without one, the tests that need it are skipped with a warning. */
export async function startChromium(): Promise<Browser | undefined> {
  try {
    return await launchChromium();
  } catch (error) {
    if (!(error instanceof ChromiumMissing)) throw error;
    process.emitWarning(`${error.message} Tests are skipped.`);
    return undefined;
  }
}
