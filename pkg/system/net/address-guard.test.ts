import type { lookup } from 'node:dns';
import { expect } from 'chai';
import { addressGuard, ForbiddenAddress } from './address-guard.js';

const INTERNAL = [
  '127.0.0.1',
  '10.1.2.3',
  '169.254.169.254',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:0:7f00:1',
  '::ffff:7f00:1',
  'fd00::1',
  '0.0.0.0',
  '::',
];

describe('an address guard', () => {
  const answering = (...addresses: readonly string[]) =>
    ((_: string, __: object, done: (error: null, found: unknown) => void) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )) as unknown as typeof lookup;

  const found = (guard: ReturnType<typeof addressGuard>, all: boolean) =>
    new Promise<unknown>((resolve) => {
      guard.lookup('hook.example', { all }, (error, address, family) => resolve(error ?? [address, family]));
    });

  it('allows the internet, and of internal addresses those that are listed', () => {
    const guard = addressGuard([], 'webhooks.networks');
    for (const address of INTERNAL) expect(guard.allows(address), address).to.equal(false);
    for (const address of ['192.0.3.1', '8.8.8.8', '2606:4700::1']) expect(guard.allows(address)).to.equal(true);
    const listing = addressGuard(['10.1.0.0/16', '::1'], 'webhooks.networks');
    expect(INTERNAL.filter((address) => listing.allows(address))).to.deep.equal(['10.1.2.3', '::1']);
  });

  it('allows only what is listed for requests that are not encrypted', () => {
    const guard = addressGuard(['10.1.0.0/16'], 'webhooks.networks', { listedOnly: true });
    expect(['10.1.2.3', '10.2.2.3', '8.8.8.8'].map((address) => guard.allows(address))).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect(guard.problem('http://8.8.8.8/')).to.equal(
      'the address 8.8.8.8 is asked without encryption, and not in the setting webhooks.networks. The operator of this server can allow it there',
    );
  });

  it('says who can allow an address that somebody has written', () => {
    expect(addressGuard([], 'webhooks.networks').problem('https://localhost:8443/')).to.equal(
      'the address 127.0.0.1 is internal, and not in the setting webhooks.networks. The operator of this server can allow it there',
    );
  });

  it('checks hosts that are addresses in any form', () => {
    const guard = addressGuard([], 'webhooks.networks');
    for (const host of ['127.0.0.1', '[::1]', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]'])
      expect(() => guard.checkHost(`https://${host}:8443/`), host).to.throw(ForbiddenAddress, /webhooks\.networks/);
    for (const host of ['8.8.8.8', 'hook.example']) guard.checkHost(`https://${host}/`);
  });

  it('connects to no other address than one that it has checked', async () => {
    const mixed = addressGuard([], 's', { find: answering('10.0.0.1', '8.8.8.8') });
    expect(await found(mixed, true)).to.deep.equal([[{ address: '8.8.8.8', family: 4 }], undefined]);
    expect(await found(mixed, false)).to.deep.equal(['8.8.8.8', 4]);
    const internal = addressGuard([], 's', { find: answering('10.0.0.1', '::1') });
    expect(await found(internal, true)).to.be.instanceOf(ForbiddenAddress);
    expect(String(await found(internal, false))).to.include('10.0.0.1, ::1 is internal');
  });
});
