/**
 * Sends one kind of request again and again over many connections, and does not obey Retry-After. fairness.ts starts it. Prints as JSON how
 * many responses had each status, when it gets SIGTERM.
 */
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
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
}

const PATHS = {
  get: `GET ${FOLDERS}/folder-1`,
  list: `GET ${FOLDERS}`,
  create: `POST ${FOLDERS}`,
  watch: `GET ${FOLDERS}?watch=true&resourceVersion=0&timeoutSeconds=1`,
  'unknown token': `GET ${FOLDERS}`,
};

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
  else floodConnection();
}

function count(status: string): void {
  counts[status] = (counts[status] ?? 0) + 1;
}

function nextBody(): string {
  if (method !== 'POST') return '';
  const metadata = { name: `flood-${number++}` };
  return JSON.stringify({ apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', metadata, spec: { title: 'Flood' } });
}

/** Node's client would take more CPU than the server. */
function floodConnection(): void {
  const { hostname, port } = new URL(flood.http);
  const socket = connect(Number(port), hostname);
  const send = (): void => {
    const body = nextBody();
    socket.write(
      `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
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
}

function floodSession(): void {
  const session = connectHttp2(flood.https, { rejectUnauthorized: false });
  session.on('error', () => count('lost'));
  const send = (): void => {
    const stream = session.request(
      { ':path': path, ':method': method, authorization, 'content-type': 'application/json' },
      { endStream: method !== 'POST' },
    );
    stream.on('response', (headers) => count(String(headers[':status'])));
    stream.on('error', () => undefined);
    stream.on('close', () => setImmediate(send));
    stream.resume();
    if (method === 'POST') stream.end(nextBody());
  };
  session.on('connect', () => {
    for (let i = 0; i < flood.streams; i++) send();
  });
}
