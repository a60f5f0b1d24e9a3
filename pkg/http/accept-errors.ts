import type { Server } from 'node:net';
import { seldom } from '../system/log/seldom.js';

/** Milliseconds between two reports. While the process may open no more files, every new connection fails. */
const REPORT_EVERY = 10_000;

/** Called when a server could not accept a connection. */
export type OnAcceptError = (error: Error) => void;

/** Lets a server continue after it could not accept a connection. Without this listener, Node would end the process. */
export function goOnAccepting(server: Server, onError: OnAcceptError): void {
  server.on('error', onError);
}

/** Passes on the first of many errors, and then at most one every ten seconds. `now` gives milliseconds. */
export function sometimes(onError: OnAcceptError, now = () => performance.now()): OnAcceptError {
  const report = seldom((_what, error: Error) => onError(error), now, REPORT_EVERY);
  return (error) => report('accept', error);
}
