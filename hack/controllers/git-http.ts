import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface GitServer {
  readonly url: string;
  close(): void;
}

/** Serves the repositories below a folder on loopback, by the CGI program of Git. Nobody can push. */
export async function serveGit(folder: string): Promise<GitServer> {
  const server = createServer((request, response) => answer(folder, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

function answer(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const { PATH = '' } = process.env;
  const program = spawn('git', ['http-backend'], {
    env: {
      PATH,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  });
  const chunks: Buffer[] = [];
  program.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  program.on('error', (error) => response.writeHead(500).end(error.message));
  program.on('close', () => send(Buffer.concat(chunks), response));
  program.stdin.on('error', () => undefined);
  request.pipe(program.stdin);
}

/** The headers of a CGI program end with an empty line. The header Status is for the status line. */
function send(output: Buffer, response: ServerResponse): void {
  if (response.headersSent) return;
  const end = output.indexOf('\r\n\r\n');
  const lines = output.subarray(0, Math.max(end, 0)).toString().split('\r\n');
  const headers = lines.map((line) => line.split(': ') as [string, string]).filter(([name]) => name !== '');
  const status = headers.find(([name]) => name === 'Status')?.[1];
  for (const [name, value] of headers) if (name !== 'Status') response.setHeader(name, value);
  response.writeHead(end === -1 ? 500 : Number.parseInt(status ?? '200', 10)).end(output.subarray(end + 4));
}
