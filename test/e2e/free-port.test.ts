import { createServer } from 'node:net';
import { expect } from 'chai';
import { freePort, PortTaken, untilPortIsFree } from '../../hack/free-port.js';

describe('the ports for programs that tests start', () => {
  it('differ, and are outside of the range of outgoing connections', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, freePort));
    expect(new Set(ports).size).to.equal(ports.length);
    for (const port of ports) expect(port).to.be.within(15_000, 31_999);
  });

  it('are free', async () => {
    const port = (await freePort()) + 1;
    const taken = createServer();
    // After this, either this server or another one listens on the port.
    await new Promise((resolve) => taken.once('error', resolve).listen(port, '127.0.0.1', () => resolve(undefined)));
    expect(await freePort()).not.to.equal(port);
    taken.close();
  });

  it('are chosen again only if a start fails because its port is taken', async () => {
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
