/**
 * Sends frames of HTTP/2 that take the server more work than the client, on a connection of its own, and connects again when the server ends it.
 * fairness.ts starts it. Prints as JSON what it sent, when it gets SIGTERM.
 */
import { connect, type TLSSocket } from 'node:tls';
import { type FrameFlood, framesOf, preface } from './flood-frames.js';

/** Milliseconds between two writes of a flood that has to wait for the server. */
const PAUSE = 50;

const flood: FrameFlood = JSON.parse(process.argv[2] ?? '');
const counts: Record<string, number> = {};
process.on('SIGTERM', () => {
  process.stdout.write(JSON.stringify(counts));
  process.exit();
});
for (let i = 0; i < flood.connections; i++) begin();

function count(what: string, by = 1): void {
  counts[what] = (counts[what] ?? 0) + by;
}

function begin(): void {
  const { hostname, port } = new URL(flood.https);
  const socket = connect({ host: hostname, port: Number(port), ALPNProtocols: ['h2'], rejectUnauthorized: false });
  let isOver = false;
  const again = (): void => {
    if (!isOver) setImmediate(begin);
    isOver = true;
  };
  socket.on('error', () => count('lost'));
  socket.on('close', again);
  socket.on('secureConnect', () => {
    count('connections');
    if (flood.frames === 'handshakes') socket.destroy();
    else run(socket);
  });
  // What the server answers is read, and not looked at. A client that does not read is `tiny windows`.
  socket.resume();
}

function run(socket: TLSSocket): void {
  socket.write(preface(flood.frames));
  const next = framesOf(flood);
  const isSlow = flood.frames === 'tiny windows';
  const write = (): void => {
    if (socket.destroyed) return;
    const frames = next();
    count('frames', frames.length);
    if (!socket.write(Buffer.concat(frames))) socket.once('drain', write);
    else if (isSlow) setTimeout(write, PAUSE);
    else setImmediate(write);
  };
  write();
}
