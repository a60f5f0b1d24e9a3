import { expect } from 'chai';
import { localPath } from './local-path.js';

describe('a path to go to after signing in', () => {
  // Promise: security browsers
  it('is one of this server', () => {
    for (const path of ['/', '/d/abc?x=1&y=//z#top', '/a%2Fb', '/d/a:b@c', '/loginx', '/%5Cevil.example'])
      expect(localPath(path), path).to.equal(path);
    expect(localPath('/a/../b')).to.equal('/b');
  });

  const elsewhere = [
    ...[
      '//evil.example',
      '/\\evil.example',
      '/\\/evil.example',
      '\\\\evil.example',
      '/..//evil.example',
      '/.//evil.example',
    ],
    ...[
      'https://evil.example',
      'https:evil.example',
      'javascript:alert(1)',
      'evil.example',
      '',
      ' /d',
      '/\t/evil.example',
    ],
    ...['/\n/evil.example', '/a\r\nset-cookie: x=1', '/\u0000', '/ä', '///evil.example', '/%2e%2e//evil.example'],
    ...['/login', '/login/github', '/logout', '/LOGOUT', '/a/../logout', `/${'a'.repeat(1000)}`],
  ];
  for (const text of elsewhere) {
    it(`is not ${JSON.stringify(text.slice(0, 40))}`, () => expect(localPath(text)).to.equal(undefined));
  }

  it('is not signing out below the path of server.root_url either', () => {
    expect(localPath('/dash/console/folders', '/dash')).to.equal('/dash/console/folders');
    expect(localPath('/dash/logout', '/dash')).to.equal(undefined);
    expect(localPath('/dashlogout', '/dash')).to.equal('/dashlogout');
  });

  it('need not be there', () => {
    expect([localPath(null), localPath(undefined)]).to.deep.equal([undefined, undefined]);
  });
});
