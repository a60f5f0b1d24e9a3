import { expect } from 'chai';
import { addressKey } from './address.js';

describe('addressKey', () => {
  it('is the address itself for IPv4, however a socket tells it', () => {
    expect(['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:192.0.2.7'].map(addressKey)).to.deep.equal(
      Array(3).fill('192.0.2.7'),
    );
  });

  it('is the /64 for IPv6, however it is written', () => {
    const same = ['2001:db8:0:1::7', '2001:DB8:0:1:ffff::', '2001:0db8:0000:0001:0:0:0:1', '2001:db8::1:a:b:192.0.2.1'];
    expect(same.map(addressKey)).to.deep.equal(Array(4).fill('2001:db8:0:1::/64'));
    expect(['::1', 'fe80::1%eth0', '2001:db8::'].map(addressKey)).to.deep.equal([
      '0:0:0:0::/64',
      'fe80:0:0:0::/64',
      '2001:db8:0:0::/64',
    ]);
  });

  it('is any other text itself', () => {
    expect(['', 'unknown'].map(addressKey)).to.deep.equal(['', 'unknown']);
  });
});
