import { type DestinationStream, destination, type Logger, pino, stdSerializers } from 'pino';
import { printable, printableLines } from '../text/printable.js';

export interface LogOptions {
  readonly level: string;
  readonly format: 'auto' | 'json' | 'text';
  /** Receives the lines; standard error by default. */
  readonly write?: (line: string) => void;
  readonly isTerminal?: boolean;
}

const STDERR = 2;

/**
 * Creates the log. Lines are written synchronously, because the last lines before a crash are the most important ones.
 */
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

/**
 * Turns a JSON line of the log into a line for people: time, level, message, the other fields as `name=value`, and the
 * stack of an error. It has no characters that a terminal obeys. By hand because it is short, and pino-pretty is a
 * package with a dozen dependencies.
 */
function textLine(json: string): string {
  const record: unknown = JSON.parse(json);
  const { time, level, msg, err, ...rest } = record as Readonly<Record<string, unknown>>;
  const clock = String(time).slice(11, 23);
  const fields = Object.entries(rest).map(([name, value]) => `${name}=${valueText(value)}`);
  const head = [clock, String(level).toUpperCase().padEnd(5), oneLine(String(msg ?? '')), ...fields].join(' ');
  return `${head}${errorText(err)}\n`;
}

const oneLine = (text: string): string => printable(text.replaceAll(/[\r\n]+/g, ' '));

const valueText = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : printable(JSON.stringify(value));

function errorText(error: unknown): string {
  if (error === null || typeof error !== 'object') return '';
  const { stack, message } = error as { readonly stack?: unknown; readonly message?: unknown };
  return `\n    ${printableLines(String(stack ?? message ?? '')).replaceAll('\n', '\n    ')}`;
}
