import { expect } from 'chai';
import { parseRequestPath } from './request-info.js';
import { refusal } from './testing/requests.js';

/** The parts in the order of the path; `-` is an empty one. */
function parts(path: string): string {
  const { group, version, namespace, resource, name, subresource } = parseRequestPath(path);
  return [group, version, namespace, resource, name, subresource].map((part) => part || '-').join(' ');
}

describe('a path of the resource API', () => {
  for (const [path, expected] of [
    ['/apis/g.x/v1/folders', 'g.x v1 - folders - -'],
    ['/apis/g.x/v1/folders/', 'g.x v1 - folders - -'],
    ['/apis/g.x/v1/folders/a', 'g.x v1 - folders a -'],
    ['/apis/g.x/v1/folders/a/status', 'g.x v1 - folders a status'],
    ['/apis/g.x/v1/namespaces/here/folders', 'g.x v1 here folders - -'],
    ['/apis/g.x/v1/namespaces/here/folders/a', 'g.x v1 here folders a -'],
    ['/apis/g.x/v1/namespaces/here/folders/a/', 'g.x v1 here folders a -'],
    ['/apis/g.x/v1/namespaces/here/folders/a/status', 'g.x v1 here folders a status'],
    ['/api/v1/namespaces', '- v1 - namespaces - -'],
    ['/api/v1/namespaces/here', '- v1 - namespaces here -'],
    ['/api/v1/namespaces/here/status', '- v1 - namespaces here status'],
    ['/api/v1/namespaces/here/finalize', '- v1 - namespaces here finalize'],
    ['/api/v1/namespaces/here/events', '- v1 here events - -'],
    ['/api/v1/namespaces/here/status/a', '- v1 here status a -'],
    ['/apis/g.x/v1/namespaces/here/status', 'g.x v1 - namespaces here status'],
    ['/apis/g.x/v1/folders/a%20b', 'g.x v1 - folders a b -'],
    ['/apis/g.x/v1/folders/a%2Fb', 'g.x v1 - folders a/b -'],
    ['/apis/g.x/v1/namespaces/h%C3%A9/folders/a', 'g.x v1 hé folders a -'],
  ] as const) {
    it(`${path} is ${expected}, also the second time`, () => {
      expect(parts(path)).to.equal(expected);
      expect(parts(path)).to.equal(expected);
    });
  }

  it('is not taken for another one that ends in the same way', () => {
    expect(parts('/apis/g.x/v1/things/a')).to.equal('g.x v1 - things a -');
    expect(parts('/apis/g.x/v1/things/a/b')).to.equal('g.x v1 - things a b');
    expect(parts('/apis/g.x/v1/things/d/d')).to.equal('g.x v1 - things d d');
    expect(parts('/apis/g.x/v1/things/d/e')).to.equal('g.x v1 - things d e');
    expect(parts('/apis/g.x/v1/things/c')).to.equal('g.x v1 - things c -');
    expect(parts('/apis/g.x/v1/namespaces/c')).to.equal('g.x v1 - namespaces c -');
    expect(parts('/apis/g.x/v1/namespaces/c/status')).to.equal('g.x v1 - namespaces c status');
    expect(parts('/apis/g.x/v1/namespaces/c/things')).to.equal('g.x v1 c things - -');
  });

  for (const path of [
    '/apis',
    '/apis/g.x',
    '/apis/g.x/v1',
    '/apis/g.x/v1/',
    '/api/v1',
    '/apis/g.x/v1//a',
    '/openapi/g.x/v1/folders',
    '/openapi/g.x/v1/folders/a',
    '/apis/g.x/v1/folders/a/b/c',
    '/apis/g.x/v1/folders//',
    '/apis/g.x/v1/namespaces//folders',
    '/apis/g.x/v1/namespaces//folders/a',
    '/apis/g.x/v1/namespaces/a%2Fb/folders',
    '/apis/g.x/v1/namespaces/here/folders/a/b/c',
  ]) {
    it(`is not ${path}: 404`, () => {
      expect(refusal(() => parts(path))).to.deep.equal([404]);
    });
  }

  it('is refused if it is no UTF-8', () => {
    expect(refusal(() => parts('/apis/g.x/v1/folders/%ff'))).to.deep.equal([400]);
    expect(refusal(() => parts('/apis/g.x/v1/folders/%'))).to.deep.equal([400]);
  });

  it('is found in the same way after many others', () => {
    for (let i = 0; i < 2100; i++)
      expect(parts(`/apis/g.x/v1/namespaces/n${i}/folders/a`)).to.equal(`g.x v1 n${i} folders a -`);
    const long = 'n'.repeat(1100);
    for (const name of ['a', 'b'])
      expect(parts(`/apis/g.x/v1/namespaces/${long}/folders/${name}`)).to.contain(`folders ${name}`);
  });
});
