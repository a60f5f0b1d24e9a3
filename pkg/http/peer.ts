import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { ClientCertificate, Credentials, Site } from '../identity/authn/authenticator.js';
import type { TrustedProxies } from '../system/net/proxies.js';

/** The members of a request that are read here. Both protocols have them. */
type Request = Pick<IncomingMessage, 'headers' | 'method' | 'socket'>;

/** Who sent a request: the other end of the connection, or the client behind trusted proxies. */
export interface RemoteClient {
  /** The text of an IP address; empty if the connection has none. */
  readonly remoteAddress: string;
  /** The client used HTTPS, here or at a trusted proxy. */
  readonly isSecure: boolean;
}

/** The other end of a connection; looked at once, for all requests on it. */
interface Peer {
  readonly client: RemoteClient;
  readonly certificate: ClientCertificate | undefined;
  /** When the certificate ends, in milliseconds since 1970. */
  readonly notAfter: number;
  /**
   * Whether browsers should use only HTTPS for the host name of this connection from now on (Strict-Transport-Security,
   * RFC 6797). This is not so for `localhost`, because browsers apply it to all ports, and other programs of this
   * machine may serve HTTP. Browsers ignore it for addresses.
   */
  readonly isStrict: boolean;
}

const peers = new WeakMap<object, Peer>();

/** One value or several: Node gives repeated parts of a subject as an array. */
const all = (part: unknown): readonly string[] => [part ?? []].flat().map(String);

function lookAt(socket: Request['socket']): Peer {
  const client = { remoteAddress: socket.remoteAddress ?? '', isSecure: isEncrypted(socket) };
  const { authorized, getPeerCertificate, servername } = socket as Partial<TLSSocket>;
  // The host name that the client named in the TLS handshake (SNI). There is none for addresses and without TLS.
  const isStrict = typeof servername === 'string' && !/^(.*\.)?localhost\.?$/i.test(servername);
  const nobody = { client, certificate: undefined, notAfter: 0, isStrict };
  // Node also calls a resumed session without a certificate authorized, so there must be one.
  if (authorized !== true || getPeerCertificate === undefined) return nobody;
  const { subject, valid_to: validTo } = (socket as TLSSocket).getPeerCertificate();
  const x509 = (socket as TLSSocket).getPeerX509Certificate?.();
  const commonName = all(subject?.CN)[0];
  if (commonName === undefined) return nobody;
  const certificate = { commonName, organizations: all(subject.O), x509 };
  return { client, certificate, notAfter: Date.parse(validTo), isStrict };
}

/** The client certificate of a connection, also if it has ended since. */
export function certificateOf(socket: Request['socket']): ClientCertificate | undefined {
  return peerOf(socket).certificate;
}

export function peerOf(socket: Request['socket']): Peer {
  let peer = peers.get(socket);
  if (peer === undefined) {
    peer = lookAt(socket);
    peers.set(socket, peer);
  }
  return peer;
}

/** Whether this connection is encrypted, whatever a proxy says. */
export const isEncrypted = (socket: Request['socket']): boolean => (socket as Partial<TLSSocket>).encrypted === true;

/** `X-Forwarded-For` and `X-Forwarded-Proto` are used only if a trusted proxy sent them. */
export function clientOf({ headers, socket }: Request, proxies: TrustedProxies | undefined): RemoteClient {
  const { client } = peerOf(socket);
  if (proxies?.trusts(client.remoteAddress) !== true) return client;
  return {
    remoteAddress: proxies.clientOf(client.remoteAddress, textOf(headers['x-forwarded-for'])),
    isSecure: client.isSecure || isHttps(textOf(headers['x-forwarded-proto'])),
  };
}

const textOf = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.join(', ');

const isHttps = (proto: string | undefined): boolean => /^\s*https(\s*,\s*https)*\s*$/i.test(proto ?? '');

/** The credentials of the request. A certificate is valid until it ends, also on a connection that lives longer. */
export function credentialsOf(req: Request, client: RemoteClient): Credentials & { readonly site: Site } {
  const { certificate, notAfter } = peerOf(req.socket);
  return {
    authorization: req.headers.authorization,
    cookie: req.headers.cookie,
    certificate: certificate !== undefined && notAfter > Date.now() ? certificate : undefined,
    remoteAddress: client.remoteAddress,
    site: siteOf({
      headers: req.headers as Readonly<Record<string, string | undefined>>,
      method: req.method ?? 'GET',
      client,
    }),
  };
}

/** The parts of a request that tell which page sent it. */
interface SentRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly method: string;
  readonly client?: { readonly isSecure: boolean } | undefined;
}

/** The target of a request, and the origin that it claims. */
export function siteOf({ headers, method, client }: SentRequest): Site {
  return {
    method,
    host: headers[':authority'] ?? headers['host'],
    isSecure: client?.isSecure === true,
    origin: headers['origin'],
    referer: headers['referer'],
    fetchSite: headers['sec-fetch-site'],
    fetchDest: headers['sec-fetch-dest'],
  };
}
