import type { PolledBody } from '../../pkg/http/polled-body.js';
import type { Body, Received } from './served.js';

/** A frame of a watch. */
export interface Frame {
  readonly type: string;
  readonly object: Body;
}

/** Reads the frames of a watch one by one. */
export interface Watched {
  /** Waits for the next frame. Undefined at the end of the watch. */
  next(): Promise<Frame | undefined>;
  /** The next frames, as type and name. */
  take(count: number): Promise<readonly string[]>;
  close(): void;
}

/** Fails if the server refuses the watch. */
export function watched({ status, body, stream }: Received): Watched {
  if (stream === undefined) throw new Error(`no watch: ${status} ${JSON.stringify(body)}`);
  const chunks = stream[Symbol.asyncIterator]();
  const frames: Frame[] = [];
  // A watch begins when it is read.
  let coming = chunks.next();
  const next = async (): Promise<Frame | undefined> => {
    if (frames.length > 0) return frames.shift();
    const { done, value } = await coming;
    if (done === true) return undefined;
    coming = chunks.next();
    const lines = Buffer.from(value).toString('utf8').trimEnd().split('\n');
    frames.push(...lines.map((line) => JSON.parse(line) as Frame));
    return frames.shift();
  };
  return {
    next,
    take: async (count) => {
      const taken: string[] = [];
      while (taken.length < count) taken.push(shown(await next()));
      return taken;
    },
    close: () => (stream as unknown as PolledBody).close(),
  };
}

function shown(frame: Frame | undefined): string {
  if (frame === undefined) return 'end';
  const { type, object } = frame;
  return type === 'BOOKMARK' ? `BOOKMARK ${object.metadata.resourceVersion}` : `${type} ${object.metadata.name}`;
}
