/** A page, or a redirect that was not followed. */
export interface Page {
  readonly status: number;
  readonly url: URL;
  readonly headers: Headers;
  readonly text: string;
  /** The absolute address of a redirect. */
  readonly location: string;
}

export interface Visit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
}

/** The parts of a browser that sign-in needs: cookies by origin, and redirects. */
export class Browser {
  readonly #jars = new Map<string, Map<string, string>>();

  /** Sends one request, and does not follow redirects. */
  async visit(address: string, { method = 'GET', headers = {}, form }: Visit = {}): Promise<Page> {
    const url = new URL(address);
    const cookie = [...this.cookies(url.origin)].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      method: form === undefined ? method : 'POST',
      headers: { ...(cookie !== '' && { cookie }), ...(form !== undefined && { origin: url.origin }), ...headers },
      redirect: 'manual',
      ...(form !== undefined && { body: new URLSearchParams(form) }),
    });
    this.#keep(url.origin, response.headers.getSetCookie());
    const location = response.headers.get('location');
    return {
      status: response.status,
      url,
      headers: response.headers,
      text: await response.text(),
      location: location === null ? '' : new URL(location, url).href,
    };
  }

  /** Follows redirects up to a page, or to a redirect whose address `stops` accepts. */
  async follow(address: string, stops: (location: string) => boolean = () => false): Promise<Page> {
    let page = await this.visit(address);
    for (let i = 0; i < 20 && page.location !== '' && !stops(page.location); i++)
      page = await this.visit(page.location);
    return page;
  }

  cookies(origin: string): Map<string, string> {
    const jar = this.#jars.get(origin) ?? new Map<string, string>();
    this.#jars.set(origin, jar);
    return jar;
  }

  #keep(origin: string, cookies: readonly string[]): void {
    for (const cookie of cookies) {
      const [pair = '', ...attributes] = cookie.split(';');
      const equals = pair.indexOf('=');
      const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
      const isGone = attributes.some((one) => /^\s*max-age=0$/i.test(one)) || /expires=Thu, 01 Jan 1970/i.test(cookie);
      if (isGone || value === '') this.cookies(origin).delete(name);
      else this.cookies(origin).set(name, value);
    }
  }
}
