import type { ApiResponse } from '../../pkg/http/handler.js';
import { yieldToLoop } from '../../pkg/system/yielding/yielding.js';
import { okBytes } from './respond.js';

/** Characters of a part of a long answer. */
const PART = 64 * 1024;

/** 200 with an array of any length. */
export function okArray(items: Iterable<unknown>): ApiResponse {
  return okJson(arrayText(items));
}

/** Translates items one by one, when they are asked for. */
export function* each<Item, Result>(
  items: Iterable<Item>,
  translate: (item: Item) => Result,
): Generator<Result, void, undefined> {
  for (const item of items) yield translate(item);
}

/** The JSON text of an array, in pieces. */
export function* arrayText(items: Iterable<unknown>): Generator<string, void, undefined> {
  let before = '[';
  for (const item of items) {
    yield before + JSON.stringify(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/**
 * 200 with a JSON text that is made while it is sent, if it is long. So it neither fills memory nor delays other
 * requests.
 */
export function okJson(pieces: Iterable<string>): ApiResponse {
  const parts = joined(pieces);
  const first = parts.next().value ?? '';
  const second = parts.next().value;
  return okBytes(second === undefined ? Buffer.from(first) : stream([first, second], parts));
}

/** Pieces of any length as parts of at least PART, except the last. */
function* joined(pieces: Iterable<string>): Generator<string, undefined, undefined> {
  let waiting: string[] = [];
  let size = 0;
  for (const piece of pieces) {
    waiting.push(piece);
    size += piece.length;
    if (size < PART) continue;
    yield waiting.join('');
    waiting = [];
    size = 0;
  }
  if (size > 0) yield waiting.join('');
}

async function* stream(
  ready: readonly string[],
  rest: Iterator<string, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (const part of ready) yield Buffer.from(part);
  for (let part = rest.next().value; part !== undefined; part = rest.next().value) {
    yield Buffer.from(part);
    await yieldToLoop();
  }
}
