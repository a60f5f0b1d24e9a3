import { expect } from 'chai';
import type { Credentials } from '../../pkg/identity/authn/authenticator.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { residentIdentities } from './resident.js';

const ANN: UserInfo = { name: 'ann', uid: '', groups: [], extra: {} };
const REQUEST = { signal: new AbortController().signal };

describe('a caller', () => {
  const order: string[] = [];
  const authenticate = () => {
    order.push('authenticated');
    return ANN;
  };

  it('is looked up when that needs not wait for the disk', async () => {
    const whenResident = async (): Promise<void> => {
      order.push('loaded');
    };
    expect(await residentIdentities(authenticate, { whenResident })({} as Credentials, REQUEST)).to.equal(ANN);
    expect(order).to.deep.equal(['loaded', 'authenticated']);
  });

  it('is looked up at once if it needs not wait now', () => {
    const known = residentIdentities(authenticate, { whenResident: () => undefined })({} as Credentials, REQUEST);
    expect(known).to.equal(ANN);
  });
});
