/** A request of the audit log (audit.k8s.io/v1, Event) that opens or ends a session. */
export interface SessionEvent {
  readonly verb?: string;
  readonly requestURI?: string;
  readonly user?: { readonly username?: string };
  readonly responseStatus?: { readonly code?: number };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The user of requests without a session. */
export const ANONYMOUS = 'system:anonymous';

const SIGN_IN = /^\/login(?:\/([^/?]+))?(?:\?|$)/;
const SAML_SIGN_IN = /^\/saml(?:\/([^/?]+))?\/acs(?:\?|$)/;
const SIGN_OUT = /^\/logout(?:\/saml)?(?:\?|$)|^\/saml(?:\/[^/?]+)?\/slo(?:\?|$)/;

/** What happened, such as `signed in by okta`. Undefined for a request that is about no session. */
export function sessionWords(event: SessionEvent): string | undefined {
  const { requestURI = '' } = event;
  if (SIGN_OUT.test(requestURI)) return isRefused(event) ? 'a sign-out failed' : 'signed out';
  const saml = SAML_SIGN_IN.exec(requestURI);
  if (saml !== null) return signInWords(event, saml[1] ?? 'saml');
  const path = SIGN_IN.exec(requestURI);
  return path === null ? undefined : signInWords(event, path[1]);
}

function signInWords(event: SessionEvent, provider: string | undefined): string {
  const { user, verb, responseStatus } = event;
  const by = provider === undefined ? '' : ` by ${provider}`;
  if (isRefused(event)) return `a sign-in${by || asLogin(event)} failed`;
  if (responseStatus?.code === undefined) return `tried to sign in${by}`;
  if (user?.username !== ANONYMOUS) return `signed in${by}`;
  // Nobody is signed in yet: the browser gets the page, or goes to the provider.
  return verb === 'get' ? `began to sign in${by}` : `tried to sign in${by}`;
}

/** A sign-in by a provider that failed sends the browser back to the page, which is no error of HTTP. */
function isRefused({ responseStatus, ...event }: SessionEvent): boolean {
  return (responseStatus?.code ?? 0) >= 400 || annotation(event, 'failure') !== undefined;
}

function asLogin(event: SessionEvent): string {
  const login = annotation(event, 'login');
  return login === undefined ? '' : ` as ${login}`;
}

/** The server puts its domain into the keys: `authentication.<domain>/login`. */
function annotation({ annotations = {} }: SessionEvent, name: string): string | undefined {
  return Object.entries(annotations).find(
    ([key]) => /^authentication\.[^/]+\//.test(key) && key.endsWith(`/${name}`),
  )?.[1];
}
