import { Duplex } from 'node:stream';
import { expect } from 'chai';
import { MongoNetworkError } from 'mongodb';
import { Connection, type WritingConnection } from 'mongodb/lib/cmap/connection.js';
import { failWritesOfClosedConnections } from './stuck-writes.js';

/** A socket that takes nothing, and that emits `close` some time after it was destroyed, as those of Node do. */
function fullSocket(): Duplex {
  return new Duplex({
    writableHighWaterMark: 1,
    read: () => undefined,
    write: () => undefined,
    destroy: (error, done) => setImmediate(done, error),
  });
}

function writeTo(socket: Duplex): Promise<unknown> {
  const connection = Object.assign(Object.create(Connection.prototype) as WritingConnection, { socket, error: null });
  const command = { toBin: async () => [Buffer.from('some bytes')] };
  return connection.writeCommand(command, { agreedCompressor: 'none' }).catch((error: unknown) => error);
}

describe("a write of MongoDB's driver", () => {
  before(failWritesOfClosedConnections);

  it('fails if the socket was destroyed before, although it has not said so yet', async () => {
    const socket = fullSocket();
    socket.destroy();
    expect(await writeTo(socket)).to.be.instanceOf(MongoNetworkError);
  });

  it('fails if the socket is destroyed without an error while the write waits', async () => {
    const socket = fullSocket();
    const failed = writeTo(socket);
    setImmediate(() => socket.destroy());
    expect(await failed).to.be.instanceOf(MongoNetworkError);
  });

  it('is the one of this server again, whatever took its place', () => {
    const { prototype } = Connection;
    const { writeCommand } = prototype;
    try {
      prototype.writeCommand = async () => undefined;
      failWritesOfClosedConnections();
      expect(prototype.writeCommand).to.equal(writeCommand);
    } finally {
      prototype.writeCommand = writeCommand;
    }
  });

  it('leaves no listener on the socket', async () => {
    const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
    expect(await writeTo(socket)).to.equal(undefined);
    expect(socket.listenerCount('close')).to.equal(0);
  });
});
