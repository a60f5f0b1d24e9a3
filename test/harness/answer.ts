import type { ApiResponse } from '../../pkg/http/exchange.js';
import type { Body } from './body.js';
import { readFrames, type WatchFrames } from './frames.js';

/** An answer, read whole unless it is a watch. */
export interface Answer {
  readonly status: number;
  readonly headers: ApiResponse['headers'];
  readonly text: string;
  /** What was thrown, for the message of a test that did not expect it. */
  readonly error: unknown;
  json(): Body;
  /** Frames of a watch. */
  readonly frames: WatchFrames;
}

export async function answerOf(response: ApiResponse, error: unknown, close: () => void): Promise<Answer> {
  const { status, headers, body, longRunning } = response;
  const stream = body !== undefined && !(body instanceof Uint8Array) ? body : undefined;
  const frames = longRunning === true && stream !== undefined ? readFrames(stream, close) : undefined;
  const text = frames === undefined ? await textOf(body) : '';
  return {
    status,
    headers,
    text,
    error,
    json: () => JSON.parse(text) as Body,
    get frames(): WatchFrames {
      if (frames === undefined) throw new Error(`the answer is no watch: ${status} ${text}`);
      return frames;
    },
  };
}

async function textOf(body: ApiResponse['body']): Promise<string> {
  if (body === undefined) return '';
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8');
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
