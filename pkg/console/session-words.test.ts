import { expect } from 'chai';
import { type SessionEvent, sessionWords } from './client/pages/server/session-words.js';

const event = (requestURI: string, code: number | undefined, username = 'system:anonymous'): SessionEvent => ({
  verb: 'post',
  requestURI,
  user: { username },
  responseStatus: code === undefined ? {} : { code },
});
const failed = (requestURI: string, login: string, code: number): SessionEvent => ({
  ...event(requestURI, code),
  annotations: { 'authentication.svc.app/login': login, 'authentication.svc.app/failure': 'no such user' },
});

describe('the audit log in the console', () => {
  it('says who signed in and out, with the provider', () => {
    expect(
      [
        event('/login', 303, 'nora'),
        event('/login', 200, 'nora'),
        event('/login/okta?code=x', 302, 'nora'),
        event('/saml/acs', 302, 'nora'),
        event('/saml/saml-west/acs', 302, 'nora'),
        event('/logout', 302, 'nora'),
        event('/saml/slo', 302, 'nora'),
      ].map(sessionWords),
    ).to.deep.equal([
      'signed in',
      'signed in',
      'signed in by okta',
      'signed in by saml',
      'signed in by saml-west',
      'signed out',
      'signed out',
    ]);
  });

  it('says that a sign-in failed, also one that leads back to the page', () => {
    expect(
      [
        event('/login', 401),
        event('/login', 403, 'nora'),
        failed('/login', 'ann', 401),
        failed('/login/okta?error=x', 'okta', 302),
        event('/logout', 403),
      ].map(sessionWords),
    ).to.deep.equal([
      'a sign-in failed',
      'a sign-in failed',
      'a sign-in as ann failed',
      'a sign-in by okta failed',
      'a sign-out failed',
    ]);
  });

  it('does not take a sign-in for done that has no answer, or only began', () => {
    const begun = { ...event('/login/okta', 302), verb: 'get' };
    expect([event('/login', undefined), begun].map(sessionWords)).to.deep.equal([
      'tried to sign in',
      'began to sign in by okta',
    ]);
  });

  it('leaves all other requests as they are', () => {
    for (const path of ['/api/login/ping', '/loginx', '/api/admin/stats', ''])
      expect(sessionWords(event(path, 200)), path).to.equal(undefined);
  });
});
