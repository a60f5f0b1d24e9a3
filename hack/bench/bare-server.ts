/**
 * What Node itself takes to answer: TLS, HTTP/2, and bytes that are always the same. No routing, no callers, no objects. bare.ts starts it with the
 * folder of the certificates. The query `bytes` is the size of the answer, and 1,000 by default. POST and PUT store the body (bare-store.ts) and
 * answer with it. It prints its address.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { performServerHandshake, type ServerHttp2Stream } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { openBareStore } from './bare-store.js';

const folder = process.argv[2] ?? '.';
const [cert, key] = ['server.crt', 'server.key'].map((name) => readFileSync(join(folder, name)));
/** As many headers as our answers have. */
const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-cache, private',
  'audit-id': '00000000-0000-4000-8000-000000000000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  etag: '"1"',
};
const bodies = new Map<string, Buffer>();
const store = await openBareStore();
process.on('SIGTERM', () => void store.close().then(() => process.exit()));

const server = createServer({ cert, key, ALPNProtocols: ['h2'] });
server.removeAllListeners('secureConnection');
server.on('secureConnection', (socket) => {
  const session = performServerHandshake(socket, { maxSessionMemory: 256 });
  session.on('error', () => undefined);
  session.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    const path = String(headers[':path']);
    if (headers[':method'] === 'POST') void write(stream, 201);
    else if (headers[':method'] === 'PUT') void write(stream, 200);
    else answer(stream, 200, store.read(path.slice(path.lastIndexOf('/') + 1)) ?? bodyOf(path));
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`https://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});

function answer(stream: ServerHttp2Stream, status: number, body: Uint8Array): void {
  stream.respond({ ':status': status, ...HEADERS, 'content-length': body.length });
  stream.end(body);
}

/** Decodes the object, gives a new one a uid, and stores it. */
async function write(stream: ServerHttp2Stream, status: number): Promise<void> {
  const object = JSON.parse((await buffer(stream)).toString());
  const metadata = { ...object.metadata, uid: object.metadata.uid ?? randomUUID() };
  const value = Buffer.from(JSON.stringify({ ...object, metadata }));
  await store.write(metadata.name, value);
  answer(stream, status, value);
}

/** A list without objects, and with a value that makes it as long as asked for. */
function bodyOf(path: string): Buffer {
  const bytes = /[?&]bytes=(\d+)/.exec(path)?.[1] ?? '1000';
  let body = bodies.get(bytes);
  if (body === undefined) {
    const text = (filling: string): string => JSON.stringify({ kind: 'List', metadata: {}, items: [], filling });
    body = Buffer.from(text('x'.repeat(Math.max(0, Number(bytes) - text('').length))));
    bodies.set(bytes, body);
  }
  return body;
}
