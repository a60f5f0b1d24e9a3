import { expect } from 'chai';
import type { UserInfo } from '../../identity/authn/user.js';
import { assertExpected } from './expected-user.js';

const named = (name: string): UserInfo => ({ name, uid: '', groups: [], extra: {} });

describe('the person for whom a page was made', () => {
  it('may have a name that no URL can have', () => {
    expect(() => assertExpected('half%EF%BF%BD', named('half\ud800'))).to.not.throw();
    expect(() => assertExpected('half', named('half\ud800'))).to.throw('this page was made for somebody else');
  });
});
