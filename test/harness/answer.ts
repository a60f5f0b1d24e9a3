import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Body } from './body.js';
import { readFrames, type WatchFrames } from './frames.js';

/** An answer. Its body is read completely, unless it is a watch. */
export interface Answer {
  readonly status: number;
  /** By lower-case name. Headers that may occur several times have lists. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
  /** The failure that the server logged, for messages of tests. */
  readonly failure: string;
  json(): Body;
  /** The frames of a watch. */
  readonly frames: WatchFrames;
}

const LISTS: ReadonlySet<string> = new Set(['set-cookie', 'warning']);

export async function answerOf(response: IncomingMessage, isWatch: boolean, failure: () => string): Promise<Answer> {
  const { statusCode: status = 0 } = response;
  const frames = isWatch && status === 200 ? framesOf(response) : undefined;
  const whole = frames === undefined ? await text(response) : '';
  return {
    status,
    headers: headersOf(response),
    text: whole,
    failure: status >= 500 ? failure() : '',
    json: () => JSON.parse(whole) as Body,
    get frames(): WatchFrames {
      if (frames === undefined) throw new Error(`the answer is not a watch: ${status} ${whole}`);
      return frames;
    },
  };
}

function framesOf(response: IncomingMessage): WatchFrames {
  let isClosed = false;
  const chunks = async function* (): AsyncIterable<Uint8Array> {
    try {
      yield* response;
    } catch (error) {
      if (!isClosed) throw error;
    }
  };
  return readFrames(chunks(), () => {
    isClosed = true;
    response.destroy();
  });
}

function headersOf({ headersDistinct }: IncomingMessage): Answer['headers'] {
  const all = Object.entries(headersDistinct).map(([name, values = []]) => [
    name,
    LISTS.has(name) ? values : values.join(', '),
  ]);
  return Object.fromEntries(all) as Answer['headers'];
}
