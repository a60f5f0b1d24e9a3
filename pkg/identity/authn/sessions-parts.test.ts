import { expect } from 'chai';
import { cookieOf, setCookie } from './cookies.js';
import { isForeign, isSameOrigin } from './origin.js';
import { isTokenText, newToken } from './token-text.js';
import { parseUserAgent } from './user-agent.js';

const site = (more: object) => ({
  method: 'POST',
  host: 'dash.example',
  isSecure: false,
  origin: undefined,
  referer: undefined,
  fetchSite: undefined,
  ...more,
});

describe('isSameOrigin', () => {
  it('accepts pages of the requested host and port', () => {
    expect(isSameOrigin(site({ origin: 'http://dash.example' }))).to.equal(true);
    expect(isSameOrigin(site({ origin: 'HTTP://DASH.example:80' }))).to.equal(true);
    expect(isSameOrigin(site({ origin: 'https://dash.example' }))).to.equal(true);
    expect(isSameOrigin(site({ host: '[::1]:3000', origin: 'http://[::1]:3000' }))).to.equal(true);
    expect(isSameOrigin(site({ referer: 'http://dash.example/a?b#c' }))).to.equal(true);
  });

  it('refuses other hosts, ports and schemes, and text that is not a URL', () => {
    for (const origin of [
      'http://dash.example:8080',
      'http://dash.example.evil.example',
      'http://evil.example',
      'http://dash.example@evil.example',
      'file://dash.example',
      'null',
      '',
      'dash.example',
    ]) {
      expect(isSameOrigin(site({ origin })), origin).to.equal(false);
    }
    expect(isSameOrigin(site({}))).to.equal(false);
    expect(isSameOrigin(site({ host: undefined, origin: 'http://undefined' }))).to.equal(false);
  });

  it('refuses HTTP pages for an HTTPS request', () => {
    expect(isSameOrigin(site({ isSecure: true, origin: 'http://dash.example' }))).to.equal(false);
    expect(isSameOrigin(site({ isSecure: true, origin: 'https://dash.example' }))).to.equal(true);
  });

  it('decides by Origin and ignores Referer if both are there', () => {
    const both = { origin: 'http://evil.example', referer: 'http://dash.example/' };
    expect(isSameOrigin(site(both))).to.equal(false);
  });

  it('accepts pages of the root URL for any host', () => {
    const asked = site({ host: 'internal:3000', origin: 'https://dash.example' });
    expect(isSameOrigin(asked)).to.equal(false);
    expect(isSameOrigin(asked, 'https://dash.example/sub/path')).to.equal(true);
    expect(isSameOrigin(asked, 'http://dash.example/')).to.equal(false);
  });
});

describe('isForeign', () => {
  const ours = { origin: 'http://dash.example' };

  it('is false for requests that name no page, and for our own pages', () => {
    expect(isForeign(site({}))).to.equal(false);
    expect(isForeign(site(ours))).to.equal(false);
    expect(isForeign(site({ referer: 'http://dash.example/a' }))).to.equal(false);
    expect(isForeign(site({ ...ours, fetchSite: 'same-origin' }))).to.equal(false);
    expect(isForeign(site({ fetchSite: 'same-origin' }))).to.equal(false);
  });

  it('is true for requests that name another origin or hide it', () => {
    for (const more of [
      { origin: 'null' },
      { origin: '' },
      { referer: '' },
      { origin: 'http://evil.example' },
      { referer: 'http://evil.example/' },
      { origin: 'http://evil.example', fetchSite: 'same-origin' },
      { fetchSite: 'cross-site' },
      { fetchSite: 'same-site' },
      { fetchSite: 'none' },
      { ...ours, fetchSite: 'cross-site' },
    ]) {
      expect(isForeign(site(more)), JSON.stringify(more)).to.equal(true);
    }
  });
});

describe('cookies', () => {
  it('are found by their full name', () => {
    expect(cookieOf('a=1; grafana_session=x=y ; b=2', 'grafana_session')).to.equal('x=y');
    expect(cookieOf('xgrafana_session=1; grafana_session_expiry=2', 'grafana_session')).to.equal(undefined);
    expect(cookieOf(undefined, 'a')).to.equal(undefined);
    expect(cookieOf('; ;=;a', 'a')).to.equal(undefined);
  });

  it('are for the whole site, and hidden from scripts and plain HTTP on request', () => {
    expect(setCookie('a', 'b', { maxAge: 1.5, isSecure: true, httpOnly: true })).to.equal(
      'a=b; Path=/; Max-Age=1; SameSite=Lax; HttpOnly; Secure',
    );
    expect(setCookie('a', '', { maxAge: 0, isSecure: false, httpOnly: false })).to.equal(
      'a=; Path=/; Max-Age=0; SameSite=Lax',
    );
  });
});

describe('tokens', () => {
  it('are unique and can be recognized', () => {
    expect(newToken()).to.not.equal(newToken());
    expect(isTokenText(newToken())).to.equal(true);
    for (const text of ['', 'glsa_', `glsa_${'a'.repeat(32)}_00000000`, `${newToken()}x`, newToken().toUpperCase()]) {
      expect(isTokenText(text), text).to.equal(false);
    }
  });
});

describe('parseUserAgent', () => {
  it('recognizes browsers and operating systems', () => {
    const chrome =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
    expect(parseUserAgent(chrome)).to.include({ browser: 'Chrome', browserVersion: '126.0.0.0', os: 'Windows' });
    const iphone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
    expect(parseUserAgent(iphone)).to.include({ browser: 'Safari', os: 'iOS', osVersion: '17.5', device: 'iPhone' });
  });

  it('leaves unknown parts empty and bounds its input', () => {
    const nothing = { device: '', os: '', osVersion: '', browser: '', browserVersion: '' };
    expect(parseUserAgent(undefined)).to.deep.equal(nothing);
    expect(parseUserAgent('  ')).to.deep.equal(nothing);
    const fields = Object.values(parseUserAgent(`${'('.repeat(50_000)}${'a/'.repeat(50_000)}`));
    expect(Math.max(...fields.map(({ length }) => length))).to.be.at.most(60);
  });
});
