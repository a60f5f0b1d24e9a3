import { expect } from 'chai';
import { parseNetwork } from './networks.js';
import { TrustedProxies } from './proxies.js';

describe('TrustedProxies', () => {
  const proxies = new TrustedProxies(['10.0.0.0/8', '192.0.2.1', '2001:db8:1::/48', '::1']);
  const clientOf = (header: string | undefined): string => proxies.clientOf('10.0.0.1', header);

  it('trusts the listed addresses and networks alone', () => {
    const trusted = ['10.255.0.1', '192.0.2.1', '::ffff:10.0.0.9', '2001:db8:1:f::1', '::1'];
    for (const address of trusted) expect(proxies.trusts(address), address).to.equal(true);
    const others = ['11.0.0.1', '192.0.2.2', '2001:db8:2::1', '', 'unknown'];
    for (const address of others) expect(proxies.trusts(address), address).to.equal(false);
  });

  it('takes the last address that is not trusted, because clients write what is left of it', () => {
    expect(clientOf('198.51.100.7')).to.equal('198.51.100.7');
    expect(clientOf('1.1.1.1, 198.51.100.7, 10.9.9.9')).to.equal('198.51.100.7');
    expect(clientOf('10.0.0.5, 10.9.9.9')).to.equal('10.0.0.5');
    expect(clientOf('198.51.100.7,192.0.2.1')).to.equal('198.51.100.7');
  });

  it('reads addresses with ports and brackets', () => {
    expect(clientOf('198.51.100.7:4711')).to.equal('198.51.100.7');
    expect(clientOf('[2001:db8:2::7]:4711')).to.equal('2001:db8:2::7');
    expect(clientOf('2001:db8:2::7')).to.equal('2001:db8:2::7');
    expect(clientOf('::ffff:198.51.100.7')).to.equal('198.51.100.7');
  });

  it('takes the last known proxy where the header has no address, and bounds the work', () => {
    for (const header of [undefined, '', ',', 'unknown', '198.51.100.7, unknown', '198.51.100.7, ']) {
      expect(clientOf(header), header).to.equal('10.0.0.1');
    }
    expect(clientOf('198.51.100.7, unknown, 10.0.0.2')).to.equal('10.0.0.2');
    expect(clientOf(`198.51.100.7${', 10.0.0.3'.repeat(5_000)}`)).to.equal('10.0.0.3');
  });
});

describe('parseNetwork', () => {
  it('reads addresses and networks, and nothing that would trust everyone', () => {
    expect(parseNetwork('10.1.2.3')).to.deep.equal({ address: '10.1.2.3', prefix: 32 });
    expect(parseNetwork('fd00::/8')).to.deep.equal({ address: 'fd00::', prefix: 8 });
    for (const text of [
      '',
      'proxy.example',
      '10.0.0.0/33',
      '10.0.0.0/0',
      '::/0',
      '10.0.0.0/8/8',
      '::ffff:10.0.0.0/8',
    ]) {
      expect(parseNetwork(text), text).to.equal(undefined);
    }
  });
});
