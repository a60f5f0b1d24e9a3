import http from 'node:http';
import https from 'node:https';
import { z } from 'zod';
import { parseJson as readJson } from '../../../pkg/kube/json/parse.js';
import { messageOf } from '../../../pkg/system/errors/message.js';
import { warningsIn } from '../../../pkg/system/text/warning-header.js';
import { parseJson } from '../json.js';
import type { Target } from './kubeconfig.js';

/** An error Status of the server. */
export class Refused extends Error {
  readonly status: number;
  readonly causes: readonly string[];

  constructor(status: number, message: string, causes: readonly string[]) {
    super(message);
    this.status = status;
    this.causes = causes;
  }
}

export interface Connection {
  /** The body of the answer. Throws Refused, and an Error if the server cannot be reached. */
  ask(method: 'GET' | 'POST', path: string, request?: AskOptions): Promise<unknown>;
  close(): void;
}

export interface AskOptions {
  readonly accept?: string;
  /** JSON text. */
  readonly body?: string;
  /** Told what the server warns about, also when it refuses. */
  readonly onWarning?: (text: string) => void;
}

/** Longer than the server's own limit for a request. */
const TIMEOUT = 90_000;

/** A connection that is kept open between requests. */
export function connect({ url, tls, authorization }: Target): Connection {
  const protocol = url.startsWith('https:') ? https : http;
  const agent = new protocol.Agent({ keepAlive: true, maxSockets: 1, ...tls });
  const base = url.replace(/\/+$/, '');
  return {
    ask: async (method, path, { accept = 'application/json', body, onWarning } = {}) => {
      const headers = {
        accept,
        'user-agent': 'adminctl',
        ...(authorization && { authorization }),
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      };
      const request = protocol.request(new URL(`${base}${path}`), { method, headers, agent, timeout: TIMEOUT });
      const { status, text, warnings } = await answered(request, body, base);
      for (const warning of warnings) onWarning?.(warning);
      return bodyOf(status, text);
    },
    close: () => agent.destroy(),
  };
}

/** The body of an answer. Throws Refused for an error. */
export function bodyOf(status: number, text: string): unknown {
  if (status < 200 || status >= 300) throw refusal(status, text);
  return readJson(text);
}

function answered(
  request: http.ClientRequest,
  body: string | undefined,
  server: string,
): Promise<{ readonly status: number; readonly text: string; readonly warnings: readonly string[] }> {
  return new Promise((resolve, reject) => {
    const unreachable = (cause: unknown): void =>
      reject(new Error(`The server at ${server} cannot be reached: ${messageOf(cause)}`, { cause }));
    request.on('error', unreachable);
    request.on('timeout', () => request.destroy(new Error('it does not respond')));
    request.on('response', async (response) => {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const headers = response.headersDistinct['warning'] ?? [];
        const warnings = headers.flatMap(warningsIn).map((warning) => warning.text);
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8'), warnings });
      } catch (error) {
        unreachable(error);
      }
    });
    request.end(body);
  });
}

const Status = z.object({
  message: z.string(),
  details: z
    .object({ causes: z.array(z.object({ message: z.string().optional(), field: z.string().optional() })).optional() })
    .optional(),
});

function refusal(status: number, text: string): Refused {
  const told = Status.safeParse(parseJson(text));
  if (!told.success) return new Refused(status, `The server answered ${status}: ${text.slice(0, 200)}`, []);
  const { message, details } = told.data;
  const causes = (details?.causes ?? []).map((cause) => [cause.field, cause.message].filter(Boolean).join(': '));
  return new Refused(status, message, causes);
}
