import type { Writable } from 'node:stream';
import { Presets, SingleBar } from 'cli-progress';

export interface Bar {
  update(done: number, total: number): void;
  /** Removes the bar. */
  stop(): void;
}

/** Where commands write. The bar is on the standard error, and only if that is a terminal. */
export interface Terminal {
  readonly out: Writable & { readonly isTTY?: boolean };
  readonly err: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Whether the output may have colours (https://no-color.org). */
export function isColoured({ out, env }: Terminal): boolean {
  return out.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

export function progressBar({ err }: Terminal, what: string): Bar {
  if (err.isTTY !== true) return { update: () => undefined, stop: () => undefined };
  const format = `${what} {bar} {value}/{total}`;
  const bar = new SingleBar({ format, stream: err, clearOnComplete: true, hideCursor: true }, Presets.shades_classic);
  return {
    update: (done, total) => {
      if (!bar.isActive) bar.start(total, done);
      bar.setTotal(total);
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}
