import { type Answer, type AuthnServer, basic } from '../authn/harness.js';
import { shortened } from './legacy.js';

export type Json = Readonly<Record<string, unknown>>;

/** Requests with the credentials of one user. Paths begin after /api. */
export interface Caller {
  get(path: string): Promise<Answer>;
  send(method: string, path: string, body?: unknown): Promise<Answer>;
}

export interface OwnAccounts {
  /** Creates a user of the organization 1, and returns the login. */
  newUser(spec?: object, password?: string): Promise<string>;
  /** With basic authentication. */
  as(login: string, password?: string): Caller;
  /** With the session of a new login, from a page of the server. */
  session(user: string, password?: string): Promise<Caller>;
}

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

export function ownAccountsOf(server: () => AuthnServer): OwnAccounts {
  let people = 0;
  const callerWith = (reading: Readonly<Record<string, string>>, writing = reading): Caller => ({
    get: (path) => server().ask(`/api${path}`, { headers: reading }),
    send: (method, path, body) =>
      server().ask(`/api${path}`, { method, headers: writing, ...(body !== undefined && { body }) }),
  });
  return {
    newUser: async (spec = {}, password = 'right') => {
      people += 1;
      const name = `person${people}`;
      await server().user(name, spec, password);
      return name;
    },
    as: (login, password = 'right') => callerWith(basic(login, password)),
    session: async (user, password = 'right') => {
      const headers = { 'user-agent': FIREFOX };
      const answer = await server().ask('/login', { method: 'POST', body: { user, password }, headers });
      const cookie = { cookie: `grafana_session=${answer.cookies['grafana_session']}` };
      return callerWith(cookie, { ...cookie, origin: `http://127.0.0.1:${server().port}` });
    },
  };
}

export const statusAndBody = ({ status, json }: Answer): readonly unknown[] => [status, json];
/** Status and body. A refusal does not include the field. */
export const said = ({ status, json }: Answer): readonly unknown[] => [status, shortened(json)];
export const list = (answer: Answer): readonly Json[] => answer.json as unknown as readonly Json[];
