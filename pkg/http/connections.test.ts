import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { TrustedProxies } from '../system/net/proxies.js';
import { type Connection, type ConnectionLimits, Connections } from './connections.js';

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string;
  isDestroyed = false;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }
}

const LIMITS: ConnectionLimits = { max: 100, anonymousIdle: 10_000 };

function started(limits: Partial<ConnectionLimits> = {}, proxies?: TrustedProxies) {
  const connections = new Connections({ ...LIMITS, ...limits }, proxies);
  /** Opens a connection, and returns undefined if it was refused. */
  const open = (address: string): { readonly socket: FakeSocket; readonly connection: Connection } | undefined => {
    const socket = new FakeSocket(address);
    const connection = connections.admit(socket as unknown as Socket);
    return connection && { socket, connection };
  };
  const openAll = (count: number, address: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => open(address(i)));
  const total = (): number => connections.counts.identified + connections.counts.anonymous;
  return { connections, open, openAll, total };
}

const identified = (opened: ReturnType<ReturnType<typeof started>['open']>) => {
  opened?.connection.identify();
  return opened;
};

describe('Connections', () => {
  it('give one address half of all, also if its clients are known', () => {
    const { open, total } = started();
    const known = Array.from({ length: 80 }, () => identified(open('10.0.0.1')));
    expect(known.filter((one) => one !== undefined)).to.have.length(50);
    expect(total()).to.equal(50);
    expect(open('10.0.0.2')).to.not.equal(undefined);
  });

  it('count the addresses of an IPv6 /64 as one', () => {
    const { open } = started();
    const known = Array.from({ length: 80 }, (_, i) => identified(open(`2001:db8::${i + 1}`)));
    expect(known.filter((one) => one !== undefined)).to.have.length(50);
    expect(open('2001:db8:0:1::1')).to.not.equal(undefined);
  });

  // Promise: security work
  it('always have room for another address, however many addresses have taken what they can', () => {
    const { open, openAll, total } = started();
    for (let address = 0; address < 300; address++) openAll(60, () => `10.0.${address % 7}.${address}`);
    expect(total()).to.be.at.most(100);
    for (let i = 0; i < 20; i++) expect(open(`192.0.2.${i}`)?.socket.isDestroyed).to.equal(false);
  });

  it('keep known connections, whatever others open', () => {
    const { open, openAll } = started();
    const known = openAll(20, (i) => `192.0.2.${i}`).map(identified);
    openAll(1_000, (i) => `10.0.${i % 3}.1`);
    openAll(1_000, (i) => `10.1.${i % 250}.${i % 7}`);
    expect(known.filter((one) => one?.socket.isDestroyed !== false)).to.deep.equal([]);
    // An address with many connections does not take the places of others, unless it has less than they have.
    const many = Array.from({ length: 60 }, () => identified(open('198.51.100.1')));
    expect(many.filter((one) => one !== undefined).length).to.be.within(1, 50);
  });

  it('take the place of the connection of their own address that has rested for the longest time', () => {
    const { open, openAll, connections } = started({ max: 8 });
    const [first, second, third] = openAll(4, () => '10.0.0.1');
    first?.connection.begin();
    first?.connection.end();
    expect(open('10.0.0.1')).to.not.equal(undefined);
    expect([first, second, third].map((one) => one?.socket.isDestroyed)).to.deep.equal([false, true, false]);
    expect(connections.closed).to.deep.equal({ refused: 0, idle: 0, displaced: 1 });
  });

  it('of trusted proxies have no share and are never displaced, but count', () => {
    const { open, openAll, total } = started({}, new TrustedProxies(['10.0.0.0/8']));
    const proxied = openAll(90, () => '10.0.0.1');
    openAll(500, (i) => `192.0.2.${i % 200}`);
    expect(proxied.filter((one) => one?.socket.isDestroyed !== false)).to.deep.equal([]);
    expect(total()).to.equal(100);
    expect(open('10.0.0.2')).to.not.equal(undefined);
    openAll(9, () => '10.0.0.2');
    expect([open('10.0.0.2'), open('192.0.2.1'), total()]).to.deep.equal([undefined, undefined, 100]);
  });

  it('are counted until they close, known or not', () => {
    const { openAll, connections } = started();
    const opened = openAll(10, (i) => `10.0.0.${i % 3}`);
    for (const one of opened.slice(0, 4)) one?.connection.begin();
    for (const one of opened.slice(0, 4)) identified(one);
    expect(connections.counts).to.deep.equal({ identified: 4, anonymous: 6 });
    for (const one of opened) one?.socket.destroy();
    for (const one of opened.slice(0, 4)) one?.connection.end();
    expect(connections.counts).to.deep.equal({ identified: 0, anonymous: 0 });
  });
});
