import type { Address } from '../harness/server.js';
import { firstDifference } from './difference.js';
import { WatchEvents } from './events.js';
import { answerOf, contentOfMessage, send } from './messages.js';
import { Placeholders } from './placeholders.js';
import { bytesOf, type Exchange, type RecordedAnswer, type Transcript } from './transcript.js';

/** Milliseconds in which the events of a watch must come after the last request. */
const PATIENCE = 5_000;
const POLL = 5;

interface OpenWatch {
  readonly what: string;
  readonly expected: readonly unknown[];
  readonly events: WatchEvents;
  close(): void;
}

/** Sends the requests of a transcript one after another to a fresh server, and expects the recorded answers. */
export async function replay(transcript: Transcript, server: Address): Promise<void> {
  const values = new Placeholders();
  const watches: OpenWatch[] = [];
  try {
    for (const [index, exchange] of transcript.exchanges.entries()) {
      const what = `${index + 1}. ${exchange.request}`;
      const headers = { ...transcript.headers, ...exchange.headers };
      await exchanged({ ...exchange, headers }, { what, server, values, watches });
    }
    for (const watch of watches) await expectEvents(watch, values);
  } finally {
    for (const watch of watches) watch.close();
  }
}

interface Run {
  readonly what: string;
  readonly server: Address;
  readonly values: Placeholders;
  readonly watches: OpenWatch[];
}

async function exchanged(recorded: Exchange, { what, server, values, watches }: Run): Promise<void> {
  const { answer: expected, ...asked } = recorded;
  const { request, headers = {}, ...content } = values.filled(asked) as Exchange;
  const [method = '', target = ''] = request.split(/ (.*)/s);
  const body = bytesOf(content);
  const length = body === undefined ? {} : { 'content-length': `${body.length}` };
  const answer = await send(server, method, target, { headers: { ...headers, ...length }, body });
  const { statusCode: status = 0 } = answer;
  const { events: expectedEvents, ...expectedAnswer } = expected;
  if (expectedEvents === undefined || status !== 200) {
    const got = answerOf(target, { status, headers: answer.headers, ...(await contentOfMessage(answer)) }, values);
    return expectSame(got, expected, what);
  }
  const events = new WatchEvents();
  answer.setEncoding('utf8').on('data', (chunk: string) => events.add(chunk));
  answer.on('error', () => undefined);
  watches.push({ what, expected: expectedEvents, events, close: () => answer.destroy() });
  expectSame(answerOf(target, { status, headers: answer.headers }, values), expectedAnswer, what);
}

function expectSame(got: RecordedAnswer | readonly unknown[], expected: typeof got, what: string): void {
  const difference = firstDifference(got, expected);
  if (difference !== undefined) throw new Error(`${what}: ${difference}`);
}

async function expectEvents({ what, expected, events }: OpenWatch, values: Placeholders): Promise<void> {
  const end = Date.now() + PATIENCE;
  while (events.count < expected.length && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, POLL));
  // The client did not see later events, because it had ended its watch.
  expectSame(events.of(values, expected.length), expected, what);
}
