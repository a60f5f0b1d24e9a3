import { expect } from 'chai';
import { LegacyFailure, Unreachable } from '../../../pkg/legacyclient/failure.js';
import { ForbiddenAddress } from '../../../pkg/system/net/address-guard.js';
import { outageOf } from './outage.js';

describe('why another server cannot be asked', () => {
  const asked = { method: 'GET', path: '/api/org' };
  const unreachable = (cause: unknown): Unreachable =>
    new Unreachable(asked, 'the server at https://host cannot be reached: connect 10.1.2.3:443', cause, true);
  const coded = (code: string): Error => Object.assign(new Error('connect 10.1.2.3:443'), { code });

  it('does not tell which address a name has here', () => {
    const all = [
      new ForbiddenAddress('10.1.2.3', 'webhooks.networks'),
      new ForbiddenAddress('10.1.2.3', 'webhooks.networks', true),
      unreachable(coded('ECONNREFUSED')),
      unreachable(new AggregateError([coded('EHOSTUNREACH')])),
    ].map(outageOf);
    expect(all).to.deep.equal([
      'It is an internal address. The operator of this server can allow it in the setting webhooks.networks',
      'It is asked without encryption. The operator of this server can allow it in the setting webhooks.networks',
      'GET /api/org: the server cannot be reached. The host refuses the connection: nothing listens at this port',
      'GET /api/org: the server cannot be reached. There is no way to the host from the network of this server',
    ]);
  });

  it('says what can be done about a certificate, and what the server has answered', () => {
    expect(outageOf(unreachable(coded('SELF_SIGNED_CERT_IN_CHAIN')))).to.include('NODE_EXTRA_CA_CERTS');
    expect(outageOf(new LegacyFailure(asked, 401, 'the server answered 401'))).to.include('answered 401');
    expect(outageOf(new Unreachable(asked, 'no answer within 30 s', undefined, false))).to.include('within 30 s');
  });
});
