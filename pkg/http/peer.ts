import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Credentials, Site } from '../authn/authenticator.js';

/** What is read of a request; both protocols have it. */
type Request = Pick<IncomingMessage, 'headers' | 'method' | 'socket'>;

/** The other end of a connection; looked at once, for all requests on it. */
interface Peer {
  readonly remoteAddress: string;
  readonly certificate: Credentials['certificate'];
  /** When the certificate ends, in milliseconds since 1970. */
  readonly notAfter: number;
}

const peers = new WeakMap<object, Peer>();

/** One value or several: Node gives repeated parts of a subject as an array. */
const all = (part: unknown): readonly string[] => [part ?? []].flat().map(String);

function lookAt(socket: Request['socket']): Peer {
  const remoteAddress = socket.remoteAddress ?? '';
  const nobody = { remoteAddress, certificate: undefined, notAfter: 0 };
  const { authorized, getPeerCertificate } = socket as Partial<TLSSocket>;
  // A resumed session without a certificate counts as authorized too: there must be one.
  if (authorized !== true || getPeerCertificate === undefined) return nobody;
  const { subject, valid_to: validTo } = (socket as TLSSocket).getPeerCertificate();
  const commonName = all(subject?.CN)[0];
  if (commonName === undefined) return nobody;
  return {
    remoteAddress,
    certificate: { commonName, organizations: all(subject.O) },
    notAfter: Date.parse(validTo),
  };
}

/** What the request can be authenticated by. A certificate counts until it ends, also on a connection that lives longer. */
export function credentialsOf(req: Request): Credentials & { readonly site: Site } {
  let peer = peers.get(req.socket);
  if (peer === undefined) {
    peer = lookAt(req.socket);
    peers.set(req.socket, peer);
  }
  return {
    authorization: req.headers.authorization,
    cookie: req.headers.cookie,
    certificate: peer.certificate !== undefined && peer.notAfter > Date.now() ? peer.certificate : undefined,
    remoteAddress: peer.remoteAddress,
    site: siteOf(req),
  };
}

function siteOf({ headers, method, socket }: Request): Site {
  const authority = headers[':authority'];
  return {
    method: method ?? 'GET',
    host: typeof authority === 'string' ? authority : headers.host,
    isSecure: (socket as Partial<TLSSocket>).encrypted === true,
    origin: headers.origin,
    referer: headers.referer,
    fetchSite: headers['sec-fetch-site'],
  };
}
