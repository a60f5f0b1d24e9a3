import { expect } from 'chai';
import type { BrowserContext } from 'playwright-core';

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** Sessions that tests before have left. To check a password takes a third of a second of processor time, to use such a session takes none. */
export class Sessions {
  readonly #left = new Map<string, Cookies[]>();

  /** Signs in, or goes on with a session that nobody uses now and that still counts. */
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
