import { request } from 'node:http';
import type { BenchServer } from './server.js';

/** Starts a watch, and ends it after so many of the existing objects have come. */
export function initialEvents({ http, token }: BenchServer, path: string, count: number): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(`${path}?watch=true`, http), { headers, agent: false });
    let left = count;
    sent.on('error', reject).on('response', (response) => {
      response.on('data', (chunk: Buffer) => {
        for (const byte of chunk) if (byte === 0x0a) left--;
        if (left > 0) return;
        sent.off('error', reject).on('error', () => undefined);
        response.on('error', () => undefined).destroy();
        resolve();
      });
    });
    sent.end();
  });
}
