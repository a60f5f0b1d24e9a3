/**
 * The least that a server in Node can do for the operations of hack/bench/compare.ts: HTTP/2 with TLS, one parse of the
 * body, one append for all writes that wait, one answer. It authenticates, authorizes, validates, audits and keeps
 * nothing, so no server that does can take less. `floor` and `floor on mongodb` in contenders.ts start it:
 *   npx tsx hack/bench/floor-server.ts DATA CERT KEY [MONGODB_URI]
 * Prints its port.
 */
import { readFileSync } from 'node:fs';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { ulid } from 'ulid';
import type { Put } from '../../storage/backend.js';
import { keyOf } from '../../storage/key.js';
import { openLmdb } from '../../storage/lmdb/open.js';
import { openMongodb } from '../../storage/mongodb/open.js';

interface Folder {
  metadata: { name: string; uid?: string; resourceVersion?: string };
}

interface Write {
  readonly object: Folder;
  readonly done: (revision: number) => void;
}

const [path = '', cert = '', key = '', uri] = process.argv.slice(2);
const RESOURCE = 'folders.folder.svc.app';
const backend = await (uri === undefined
  ? openLmdb({ path, domain: 'svc.app' })
  : openMongodb({ uri, database: 'floor', domain: 'svc.app' }));
/** What a get answers. */
const objects = new Map<string, Buffer>();
let queue: Write[] = [];
let isAppending = false;
let revision = 0;
let last: string | undefined;

const server = createSecureServer({ cert: readFileSync(cert), key: readFileSync(key), allowHTTP1: true }, handle);
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
// The objects follow the log once a second, as they do in the server.
setInterval(() => void backend.materialize?.(), 1000);

function handle(request: Http2ServerRequest, response: Http2ServerResponse): void {
  if (request.method === 'GET') {
    answer(response, objects.get(request.url.slice(request.url.lastIndexOf('/') + 1).split('?', 1)[0] ?? ''));
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const object = JSON.parse(Buffer.concat(chunks).toString()) as Folder;
    queue.push({ object, done: () => answer(response, objects.get(object.metadata.name)) });
    if (!isAppending) void append();
  });
}

async function append(): Promise<void> {
  isAppending = true;
  for (;;) {
    // Writers that were answered together come back together.
    await new Promise((resolve) => setTimeout(resolve, 1));
    const batch = queue;
    queue = [];
    if (batch.length === 0) break;
    const changes = batch.map(({ object }, i) => put(object, revision + i + 1));
    const commit = { commitId: ulid(), parent: last, changes, counters: new Map([[RESOURCE, revision]]) };
    await backend.append(revision, commit);
    last = commit.commitId;
    revision += changes.length;
    for (const { done } of batch) done(revision);
  }
  isAppending = false;
}

function put(object: Folder, at: number): Put {
  const { metadata } = object;
  metadata.uid ??= `uid-${at}`;
  metadata.resourceVersion = `${at}`;
  const value = Buffer.from(JSON.stringify(object));
  objects.set(metadata.name, value);
  return { key: keyOf(RESOURCE, 'default', metadata.name), revision: at, value, object };
}

function answer(response: Http2ServerResponse, body: Buffer | undefined): void {
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(body ?? '');
}
