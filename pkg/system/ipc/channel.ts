import type { Port } from './calls.js';

interface Sent {
  readonly channel: string;
  readonly message: unknown;
}

/** One of several channels over one port. */
export function channelOf(port: Port, channel: string): Port {
  return {
    post: (message) => port.post({ channel, message } satisfies Sent),
    listen: (listener) =>
      port.listen((sent) => {
        if (isSent(sent) && sent.channel === channel) listener(sent.message);
      }),
    closed: port.closed,
  };
}

function isSent(value: unknown): value is Sent {
  return typeof value === 'object' && value !== null && 'channel' in value;
}
