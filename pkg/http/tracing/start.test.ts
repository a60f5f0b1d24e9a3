import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { startTracing } from './start.js';

describe('tracing', () => {
  /** What is reported about one span that is sent to a collector that answers with the status. */
  async function reportedFor(status: number): Promise<readonly unknown[]> {
    const collector = createServer((_, response) => response.writeHead(status).end()).listen(0, '127.0.0.1');
    await once(collector, 'listening');
    const { port } = collector.address() as AddressInfo;
    const reported: unknown[] = [];
    const { tracer, close } = startTracing({
      endpoint: `http://127.0.0.1:${port}/v1/traces`,
      ratio: 1,
      version: '0',
      onFailure: (error) => void reported.push(error),
    });
    tracer.startSpan('one').end();
    await close();
    collector.close();
    return reported;
  }

  it('reports that a collector refuses spans', async () => {
    const reported = await reportedFor(400);
    expect(reported).to.have.length(1);
    expect(String(reported[0])).to.contain('Bad Request');
  });

  it('reports nothing while spans are accepted', async () => {
    expect(await reportedFor(200)).to.deep.equal([]);
  });
});
