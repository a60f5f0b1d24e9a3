import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The requests of one client and the answers that it got, in the order in which it sent them. */
export interface Transcript {
  /** The client and its version, in its own words. */
  readonly client: string;
  /** Headers that all requests have. */
  readonly headers: Readonly<Record<string, string>>;
  readonly exchanges: readonly Exchange[];
}

export interface Exchange extends Content {
  /** Method and path with query: `GET /version?timeout=32s`. */
  readonly request: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: RecordedAnswer;
}

export interface RecordedAnswer extends Content {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The name of a large document, instead of its content, which other tests check. */
  readonly document?: string;
  /** The events of a watch, instead of a body. */
  readonly events?: readonly unknown[];
}

/** At most one of these members. */
export interface Content {
  readonly body?: unknown;
  readonly text?: string;
  readonly base64?: string;
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

export const pathOf = (client: string): string => join(FOLDER, `${client}.json`);

/** The clients with transcripts. */
export async function recordedClients(): Promise<readonly string[]> {
  const files = await readdir(FOLDER);
  return files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -'.json'.length));
}

export async function readTranscript(client: string): Promise<Transcript> {
  return JSON.parse(await readFile(pathOf(client), 'utf8')) as Transcript;
}

/** Bytes as JSON, as text, or, if they are neither, in base64. */
export function contentOf(bytes: Uint8Array): Content {
  if (bytes.length === 0) return {};
  const text = Buffer.from(bytes).toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) return { base64: Buffer.from(bytes).toString('base64') };
  try {
    return { body: JSON.parse(text) as unknown };
  } catch {
    return { text };
  }
}

export function bytesOf({ body, text, base64 }: Content): Uint8Array | undefined {
  if (base64 !== undefined) return Buffer.from(base64, 'base64');
  const sent = body === undefined ? text : JSON.stringify(body);
  return sent === undefined ? undefined : Buffer.from(sent);
}
