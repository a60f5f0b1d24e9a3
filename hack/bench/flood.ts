/**
 * Sends one kind of request again and again over many connections, and does not obey Retry-After. fairness.ts starts it. Prints as JSON how
 * many responses had each status, when it gets SIGTERM.
 */
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { FOLDERS } from './fixtures.js';

export interface Flood {
  readonly http: string;
  readonly https: string;
  readonly authorization: string;
  readonly kind: keyof typeof PATHS;
  readonly protocol: 'HTTP/1.1' | 'HTTP/2';
  readonly connections: number;
  /** On each connection, over HTTP/2. */
  readonly streams: number;
  /** Connections that create folders all the time, beside these. */
  readonly writers?: number;
}

const PATHS = {
  get: `GET ${FOLDERS}/folder-1`,
  list: `GET ${FOLDERS}`,
  create: `POST ${FOLDERS}`,
  watch: `GET ${FOLDERS}?watch=true&resourceVersion=0&timeoutSeconds=1`,
  'long watch': `GET ${FOLDERS}?watch=true`,
  /** With as many conditions as a selector may have. */
  'selective watch': `GET ${FOLDERS}?watch=true&labelSelector=${Array.from({ length: 100 }, (_, i) => `a${i}!=x`)}`,
  /** Responses that nobody reads. */
  'unread list': `GET ${FOLDERS}`,
  'unread watch': `GET ${FOLDERS}?watch=true&resourceVersion=0`,
  update: `PUT ${FOLDERS}/folder-1`,
  'query history': 'POST /api/query-history',
  /** As long as a search may be. */
  search: `GET /api/search?query=${Array.from({ length: 5000 }, () => 'a').join('+')}`,
  /** Bodies that come byte by byte. */
  'slow body': `POST ${FOLDERS}`,
  'unknown token': `GET ${FOLDERS}`,
};
const isUnread = (kind: string): boolean => kind.startsWith('unread');
/** Milliseconds between two bytes of a slow body. */
const SLOW = 100;

const flood: Flood = JSON.parse(process.argv[2] ?? '');
const [method = '', path = ''] = PATHS[flood.kind].split(' ');
const authorization = flood.kind === 'unknown token' ? 'Bearer nobody' : flood.authorization;
const counts: Record<string, number> = {};
let number = 0;

process.on('SIGTERM', () => {
  process.stdout.write(JSON.stringify(counts));
  process.exit();
});
for (let i = 0; i < flood.connections; i++) {
  if (flood.protocol === 'HTTP/2') floodSession();
  else floodConnection(method, path);
}
for (let i = 0; i < (flood.writers ?? 0); i++) floodConnection('POST', FOLDERS);

function count(status: string): void {
  counts[status] = (counts[status] ?? 0) + 1;
}

function nextBody(method: string): string {
  if (method === 'GET') return '';
  if (flood.kind === 'query history')
    return JSON.stringify({ datasourceUid: 'x', queries: [{ expr: 'x'.repeat(1000) }] });
  const metadata = { name: method === 'PUT' ? 'folder-1' : `flood-${number++}` };
  const spec = { title: `Flood ${number++}` };
  return JSON.stringify({ apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', metadata, spec });
}

/** Node's client would take more CPU than the server. */
function floodConnection(method: string, path: string): void {
  const { hostname, port } = new URL(flood.http);
  const socket = connect(Number(port), hostname);
  const send = (): void => {
    const body = nextBody(method);
    const head = (length: number): string =>
      `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
    if (flood.kind === 'slow body') sendSlowly(socket, head(1_000_000));
    else socket.write(head(body.length) + body);
    if (isUnread(flood.kind)) socket.pause();
  };
  let left: number | undefined;
  socket.on('connect', send);
  socket.on('data', (chunk: Buffer) => {
    if (left === undefined) {
      const head = chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n') + 4;
      count(head.slice(9, 12));
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      left = length === undefined ? Number.POSITIVE_INFINITY : Number(length) + end;
    }
    left -= chunk.length;
    // The last chunk of a stream.
    if (left > 0 && chunk.subarray(-5).toString('latin1') !== '0\r\n\r\n') return;
    left = undefined;
    send();
  });
  socket.on('error', () => count('lost'));
  socket.on('close', () => {
    count('closed');
    if (isUnread(flood.kind) || flood.kind === 'slow body') floodConnection(method, path);
  });
}

function sendSlowly(socket: Socket, head: string): void {
  socket.write(head);
  const timer = setInterval(() => socket.write(' '), SLOW);
  socket.on('close', () => clearInterval(timer));
}

function floodSession(): void {
  const session = connectHttp2(flood.https, { rejectUnauthorized: false });
  session.on('error', () => count('lost'));
  session.on('close', () => setImmediate(floodSession));
  const send = (): void => {
    if (session.closed || session.destroyed) return;
    const stream = session.request(
      { ':path': path, ':method': method, authorization, 'content-type': 'application/json' },
      { endStream: method === 'GET' },
    );
    stream.on('response', (headers) => count(String(headers[':status'])));
    stream.on('error', () => undefined);
    stream.on('close', () => setImmediate(send));
    stream.resume();
    if (method !== 'GET') stream.end(nextBody(method));
  };
  session.on('connect', () => {
    for (let i = 0; i < flood.streams; i++) send();
  });
}
