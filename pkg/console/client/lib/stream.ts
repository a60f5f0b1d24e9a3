import { parseJson } from '../../../kube/json/parse.js';
import { ApiError, type CallOptions, send } from './api.js';
import type { WatchEvent } from './object.js';

/** The events of a watch, until the server ends it. Throws ApiError for an event that is an error. */
export async function* events<Item>(
  path: string,
  options: Pick<CallOptions, 'query' | 'accept' | 'signal'>,
): AsyncGenerator<WatchEvent<Item>, void, undefined> {
  const { body } = await send('GET', path, { ...options, query: { ...options.query, watch: 1 } });
  if (body === null) return;
  for await (const line of lines(body)) {
    const event = parseJson(line) as WatchEvent<Item>;
    if (event.type === 'ERROR') {
      const { code = 500, message = '', reason } = event.object as { code?: number; message?: string; reason?: string };
      throw new ApiError(code, message, reason);
    }
    yield event;
  }
}

/** The lines of a stream of UTF-8. The stream is closed when the reader ends. */
async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) if (part !== '') yield part;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
