import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What the proxy does on all of its connections, old and new. */
export type Mode =
  | 'forward'
  /** Old and new connections are reset. */
  | 'cut'
  /** Connections stay open, but nothing is forwarded. */
  | 'stall'
  /** All data is forwarded later. */
  | 'delay'
  /** Requests are forwarded, and answers are dropped. */
  | 'swallow-answers';

export interface TcpProxy {
  readonly port: number;
  set(mode: Mode): void;
  /** Calls `action` before each request that contains `text` is forwarded. Returns a function that ends this. */
  before(text: string, action: () => void): () => void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  readonly late: { readonly client: Late; readonly server: Late };
}

/** Milliseconds by which data is late in the mode `delay`. */
const DELAY = 100;

/** Sends data to a socket later, in order. */
class Late {
  readonly #socket: Socket;
  readonly #waiting: Buffer[] = [];

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  write(data: Buffer): void {
    this.#waiting.push(data);
    setTimeout(() => this.#arrive(1), DELAY);
  }

  /** Sends all waiting data now. */
  flush(): void {
    this.#arrive(this.#waiting.length);
  }

  #arrive(count: number): void {
    for (const data of this.#waiting.splice(0, count)) this.#socket.write(data);
  }
}

/** A TCP proxy on loopback that can lose connections, requests and answers. */
export async function startProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let mode: Mode = 'forward';
  let trap: { readonly text: string; readonly action: () => void } | undefined;

  const listener = createServer((client) => {
    if (mode === 'cut') {
      client.destroy();
      return;
    }
    const server = connect(target, '127.0.0.1');
    const pair = { client, server, late: { client: new Late(client), server: new Late(server) } };
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
    client.on('data', (data) => {
      if (trap !== undefined && data.includes(trap.text)) trap.action();
      if (mode === 'forward' || mode === 'swallow-answers') server.write(data);
      else if (mode === 'delay') pair.late.server.write(data);
      else lost(pair);
    });
    server.on('data', (data) => {
      if (mode === 'forward') client.write(data);
      else if (mode === 'delay') pair.late.client.write(data);
      else lost(pair);
    });
  });

  /** Connections that have lost data. They must end when the mode changes back. */
  const holed = new Set<Pair>();
  const lost = (pair: Pair): void => {
    holed.add(pair);
  };
  const drop = (dropped: Iterable<Pair>): void => {
    for (const { client, server } of [...dropped]) {
      client.destroy();
      server.destroy();
    }
  };

  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    set: (next) => {
      mode = next;
      for (const { late } of pairs) for (const way of [late.client, late.server]) way.flush();
      if (next === 'cut') drop(pairs);
      if (next === 'forward') drop(holed);
      if (next === 'cut' || next === 'forward') holed.clear();
    },
    before: (text, action) => {
      trap = { text, action };
      return () => {
        trap = undefined;
      };
    },
    close: async () => {
      drop(pairs);
      listener.close();
      await once(listener, 'close');
    },
  };
}
