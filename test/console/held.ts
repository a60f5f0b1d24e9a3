import type { Page, Route } from 'playwright-core';

/** Requests of a page that wait. */
export interface Held {
  /** Resolves when there is one. */
  readonly isAsked: Promise<void>;
  /** Ends the waiting. Later requests do not wait. */
  release(): void;
}

/**
 * Holds the requests to addresses that match, until they are released. With an answer, those that waited get it, and
 * are not sent.
 */
export async function held(page: Page, addresses: RegExp, answer?: object): Promise<Held> {
  let isReleased = false;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = () => {
      isReleased = true;
      resolve();
    };
  });
  const isAsked = page.waitForRequest(addresses).then(() => undefined);
  await page.route(addresses, async (route: Route) => {
    const isAnswered = !isReleased && answer !== undefined;
    await released;
    const sent = isAnswered ? route.fulfill({ body: `${JSON.stringify(answer)}\n` }) : route.continue();
    // The page may have aborted the request.
    await sent.catch(() => undefined);
  });
  return { isAsked, release };
}
