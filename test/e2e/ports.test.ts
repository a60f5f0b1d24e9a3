import { createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { drawPort, PortTaken, untilPortIsFree } from '../../hack/ports.js';

const listen = (port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', () => reject(new PortTaken(`${port}`)));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });

describe('the ports for programs that tests start', () => {
  it('differ, and are outside of the range of outgoing connections', () => {
    const ports = Array.from({ length: 20 }, drawPort);
    expect(new Set(ports).size).to.equal(ports.length);
    for (const port of ports) expect(port).to.be.within(15_000, 31_999);
  });

  it('are drawn again if another program listens', async () => {
    const taken = await untilPortIsFree(async () => {
      const port = drawPort() + 1;
      return { port, server: await listen(port) };
    });
    const tried: number[] = [];
    const second = await untilPortIsFree(() => {
      tried.push(drawPort());
      return listen(tried.at(-1) ?? 0);
    });
    expect(tried[0]).to.equal(taken.port);
    expect(tried).to.have.length.above(1);
    for (const server of [taken.server, second]) server.close();
  });

  it('are drawn again only if a start fails because its port is taken', async () => {
    let starts = 0;
    const start = async (failure: Error): Promise<number> => {
      starts++;
      if (starts < 3) throw failure;
      return starts;
    };
    expect(await untilPortIsFree(() => start(new PortTaken('taken')))).to.equal(3);
    starts = 0;
    const error = await untilPortIsFree(() => start(new Error('broken'))).catch((reason: unknown) => reason);
    expect([String(error), starts]).to.deep.equal(['Error: broken', 1]);
  });
});
