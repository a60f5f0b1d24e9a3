import { expect } from 'chai';
import { ApiError } from '../../kube/status/status.js';
import type { Credentials } from './authenticator.js';
import { ownPagesOnly } from './own-pages.js';
import { ANONYMOUS } from './user.js';

const CERTIFICATE = { commonName: 'admin', organizations: ['system:masters'] };
const BASIC = 'Basic YTpi';
const SITE = { method: 'POST', host: 'dash.example', isSecure: true, referer: undefined, fetchSite: undefined };
const EVIL = { ...SITE, origin: 'https://evil.example' };

describe('ownPagesOnly', () => {
  let asked = 0;
  const authenticate = ownPagesOnly(() => {
    asked++;
    return ANONYMOUS;
  }, 'https://root.example');
  const isLetIn = (more: Partial<Credentials>): boolean => {
    asked = 0;
    const credentials = { authorization: undefined, cookie: undefined, certificate: undefined, remoteAddress: '' };
    try {
      authenticate({ ...credentials, site: EVIL, ...more }, new AbortController());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      expect([error.code, asked]).to.deep.equal([403, 0]);
    }
    return asked === 1;
  };

  it('refuses writes of other sites with a certificate or Basic, before anything is looked up', () => {
    expect(isLetIn({ certificate: CERTIFICATE })).to.equal(false);
    expect(isLetIn({ authorization: BASIC })).to.equal(false);
    expect(isLetIn({ authorization: 'bAsIc %%%' })).to.equal(false);
    expect(isLetIn({ authorization: BASIC, certificate: CERTIFICATE })).to.equal(false);
    expect(isLetIn({ authorization: 'Digest x', certificate: CERTIFICATE })).to.equal(false);
    expect(isLetIn({ authorization: 'Bearer ', certificate: CERTIFICATE })).to.equal(false);
  });

  it('lets bearer tokens, other credentials, reads, own pages and programs in', () => {
    expect(isLetIn({ authorization: 'Bearer x' })).to.equal(true);
    expect(isLetIn({ authorization: 'Bearer x', certificate: CERTIFICATE })).to.equal(true);
    expect(isLetIn({ cookie: 'a=b' })).to.equal(true);
    for (const site of [
      { ...EVIL, method: 'GET' },
      { ...SITE, origin: 'https://dash.example' },
      { ...SITE, origin: 'https://root.example' },
      { ...SITE, origin: undefined },
    ]) {
      expect(isLetIn({ authorization: BASIC, site }), JSON.stringify(site)).to.equal(true);
      expect(isLetIn({ certificate: CERTIFICATE, site }), JSON.stringify(site)).to.equal(true);
    }
  });
});
