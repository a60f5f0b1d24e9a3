/** The frames of HTTP/2 (RFC 9113) that flood-http2.ts sends: Node's client cannot send most of these. */
import { FOLDERS } from './fixtures.js';

export const FRAME_FLOODS = [
  'rapid reset',
  'reset of watches',
  'continuation',
  'settings',
  'ping',
  'priority',
  'window updates',
  'empty data',
  'tiny windows',
  'handshakes',
] as const;

export interface FrameFlood {
  readonly https: string;
  readonly authorization: string;
  readonly frames: (typeof FRAME_FLOODS)[number];
  readonly connections: number;
}

const TYPE = { data: 0, headers: 1, priority: 2, reset: 3, settings: 4, ping: 6, window: 8, continuation: 9 } as const;
const [END_STREAM, END_HEADERS] = [1, 4];
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
/** Frames that are written together. */
const TOGETHER = 200;
const STREAMS = 900;

/** What a client begins with. */
export function preface(frames: FrameFlood['frames']): Buffer {
  const window = frames === 'tiny windows' ? [0, 4, 0, 0, 0, 1] : [];
  return Buffer.concat([PREFACE, frame(TYPE.settings, 0, 0, Buffer.from(window))]);
}

/** Returns a function that makes the next frames. */
export function framesOf({ frames: kind, authorization }: FrameFlood): () => readonly Buffer[] {
  const get = requestHead('GET', `${FOLDERS}/folder-1`, authorization);
  const watch = requestHead('GET', `${FOLDERS}?watch=true`, authorization);
  let [id, turn] = [-1, 0];
  const nextId = (): number => {
    id += 2;
    return id;
  };
  const many = (make: () => readonly Buffer[]) => () => Array.from({ length: TOGETHER }, make).flat();
  const resetOf = (head: Buffer) => () => {
    const stream = nextId();
    return [frame(TYPE.headers, END_STREAM | END_HEADERS, stream, head), frame(TYPE.reset, 0, stream, number(8))];
  };
  const first = (frames: readonly Buffer[], then: () => readonly Buffer[]) => () => (turn++ === 0 ? frames : then());
  switch (kind) {
    case 'rapid reset':
      return many(resetOf(get));
    case 'reset of watches':
      return many(resetOf(watch));
    case 'continuation': {
      const more = Buffer.from([0, 1, 120, 1, 121]);
      return first(
        [frame(TYPE.headers, END_STREAM, 1, get)],
        many(() => [frame(TYPE.continuation, 0, 1, more)]),
      );
    }
    case 'settings':
      return many(() => [frame(TYPE.settings, 0, 0, Buffer.from([0, 4, 0, 0, 255, 255]))]);
    case 'ping':
      return many(() => [frame(TYPE.ping, 0, 0, Buffer.alloc(8))]);
    case 'priority':
      return many(() => [frame(TYPE.priority, 0, nextId(), Buffer.from([0, 0, 0, 0, 1]))]);
    case 'window updates':
      return many(() => [frame(TYPE.window, 0, 0, number(1))]);
    case 'empty data':
      return first(
        [frame(TYPE.headers, END_HEADERS, 1, requestHead('POST', FOLDERS, authorization))],
        many(() => [frame(TYPE.data, 0, 1, Buffer.alloc(0))]),
      );
    default:
      return slowReader(requestHead('GET', FOLDERS, authorization), nextId);
  }
}

/** Asks for many large lists, and takes them byte by byte. */
function slowReader(list: Buffer, nextId: () => number): () => readonly Buffer[] {
  const ids = Array.from({ length: STREAMS }, nextId);
  let turn = 0;
  return () =>
    turn++ === 0
      ? ids.map((id) => frame(TYPE.headers, END_STREAM | END_HEADERS, id, list))
      : ids.map((id) => frame(TYPE.window, 0, id, number(1)));
}

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** The headers of a request, without compression (HPACK: literals that are not indexed). */
function requestHead(method: string, path: string, authorization: string): Buffer {
  const headers = [
    [':method', method],
    [':scheme', 'https'],
    [':path', path],
    [':authority', 'localhost'],
    ['authorization', authorization],
    ['content-type', 'application/json'],
  ] as const;
  return Buffer.concat(headers.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) length.push(128 + (rest % 128));
  return Buffer.concat([Buffer.from([...length, rest]), bytes]);
}
