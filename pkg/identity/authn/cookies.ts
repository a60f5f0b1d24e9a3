/** The first cookie of this name in a `Cookie` header. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

export interface CookieOptions {
  /** Seconds; 0 removes the cookie. */
  readonly maxAge: number;
  readonly isSecure: boolean;
  /** Kept from scripts. */
  readonly httpOnly: boolean;
}

/**
 * A `Set-Cookie` value. `value` must need no encoding. Koa's cookies do not fit: they write `Expires`, which depends on
 * the clock of the client, and refuse `Secure` where a proxy ends TLS.
 */
export function setCookie(name: string, value: string, { maxAge, isSecure, httpOnly }: CookieOptions): string {
  const flags = [httpOnly ? '; HttpOnly' : '', isSecure ? '; Secure' : ''].join('');
  return `${name}=${value}; Path=/; Max-Age=${Math.max(0, Math.floor(maxAge))}; SameSite=Lax${flags}`;
}
