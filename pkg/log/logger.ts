import { type DestinationStream, destination, type Logger, pino, stdSerializers } from 'pino';
import { textLine } from './text.js';

export interface LogOptions {
  readonly level: string;
  readonly format: 'auto' | 'json' | 'text';
  /** Where lines go; standard error unless told. */
  readonly write?: (line: string) => void;
  readonly isTerminal?: boolean;
}

const STDERR = 2;

/** Written at once: the last lines before a crash are the ones that matter. */
export function createLogger({ level, format, write, isTerminal = process.stderr.isTTY === true }: LogOptions): Logger {
  const isText = format === 'text' || (format === 'auto' && isTerminal);
  const out: DestinationStream = write === undefined ? destination({ fd: STDERR, sync: true }) : { write };
  const options = {
    level,
    base: null,
    serializers: { err: stdSerializers.err },
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  };
  return pino(options, isText ? { write: (line: string) => out.write(textLine(line)) } : out);
}
