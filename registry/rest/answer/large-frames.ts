import type { Delivered } from '../../../storage/cacher/watch-step.js';
import type { Entry } from '../../../storage/state/entry.js';
import { isLong } from '../../read/reader.js';
import { entryOf, type FrameEncoder } from './frame-encoder.js';
import type { PreparedStep } from './prepared-watch.js';

/**
 * The step with its frames, if one of its objects is large and takes time to encode. All frames are made, because they
 * are in the order of the events.
 */
export function preparedFrames(encoder: FrameEncoder, step: PreparedStep): Promise<PreparedStep> | undefined {
  const isLarge = encoder.ahead !== undefined && step.deliveries.some((delivery) => isLong(entryOf(delivery)));
  return isLarge ? withFrames(encoder, step) : undefined;
}

async function withFrames(encoder: FrameEncoder, step: PreparedStep): Promise<PreparedStep> {
  const frames: Buffer[] = [];
  for (const delivery of step.deliveries) frames.push(await eventFrame(encoder, delivery));
  return { ...step, frames };
}

async function eventFrame(encoder: FrameEncoder, delivery: Delivered): Promise<Buffer> {
  const { type, event } = delivery;
  return (await encoder.ahead?.(type, entryOf(delivery), event.revision)) ?? encoder.event(delivery);
}

/** The frames of objects that exist when the watch begins, together up to a size. */
export async function* initialFrames(
  encoder: FrameEncoder,
  entries: readonly Entry[],
): AsyncGenerator<Buffer, void, undefined> {
  let frames: Buffer[] = [];
  for (const entry of entries) {
    const isLarge = isLong(entry);
    const made = isLarge ? await encoder.ahead?.('ADDED', entry, entry.revision) : undefined;
    frames.push(made ?? encoder.object('ADDED', entry.value));
    if (!isLarge) continue;
    yield Buffer.concat(frames);
    frames = [];
  }
  if (frames.length > 0) yield Buffer.concat(frames);
}
