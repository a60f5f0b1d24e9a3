import { expect } from 'chai';
import type { BrowserContext } from 'playwright-core';

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

interface Credentials {
  readonly user: string;
  readonly password: string;
}

/**
 * Sessions that earlier tests have left. A test uses one of them again, because each sign-in takes a third of a second
 * of processor time.
 */
export class Sessions {
  readonly #left = new Map<string, Cookies[]>();

  /** Uses a session that nobody uses now and that is still valid. If there is none, it signs in. */
  async signIn(context: BrowserContext, at: string, credentials: Credentials): Promise<void> {
    const left = this.#of(JSON.stringify([at, credentials]));
    for (let cookies = left.pop(); cookies !== undefined; cookies = left.pop()) {
      await context.addCookies(cookies);
      if ((await context.request.get(`${at}/api/user`)).ok()) break;
      await context.clearCookies();
    }
    if ((await context.cookies()).length === 0) {
      const answer = await context.request.post(`${at}/login`, { data: credentials });
      expect(answer.ok(), await answer.text()).to.equal(true);
    }
    const cookies = await context.cookies();
    context.once('close', () => left.push(cookies));
  }

  #of(key: string): Cookies[] {
    const left = this.#left.get(key) ?? [];
    this.#left.set(key, left);
    return left;
  }
}
