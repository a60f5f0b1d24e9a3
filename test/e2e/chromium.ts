import { type Browser, chromium } from 'playwright-core';
import { ChromiumMissing, findChromium } from '../../hack/chromium.js';

/** Starts the Chromium of this machine, or one that is fetched. Without one, the tests that need it are skipped with a warning. */
export async function startChromium(): Promise<Browser | undefined> {
  try {
    const { executablePath, env } = await findChromium();
    const own = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
    // Containers often lack what its sandbox needs, and it opens only pages of the server under test.
    return await chromium.launch({
      executablePath,
      chromiumSandbox: false,
      env: { ...Object.fromEntries(own), ...env },
    });
  } catch (error) {
    if (!(error instanceof ChromiumMissing)) throw error;
    process.emitWarning(`${error.message} Tests are skipped.`);
    return undefined;
  }
}
