import { expect } from 'chai';
import { repeatedHeader } from './single-headers.js';

describe('repeatedHeader', () => {
  it('names a header that has several lines and may have one, in any case, even if they are the same', () => {
    const found = (...names: readonly string[]) => repeatedHeader(names.flatMap((name) => [name, 'x']));
    for (const name of ['Authorization', 'Content-Type', 'Impersonate-User', 'X-Grafana-Org-Id', 'Origin'])
      expect([found(name, 'Accept', name.toUpperCase()), found(name)]).to.deep.equal([name.toLowerCase(), undefined]);
  });

  it('passes over headers that are lists, cookies, and others of the same length', () => {
    for (const name of ['Accept', 'Cookie', 'If-Match', 'X-Forwarded-For', 'Impersonate-Group', 'X-Something-Els'])
      expect(repeatedHeader([name, 'a', name, 'b']), name).to.equal(undefined);
    expect(repeatedHeader(['Authorization', 'a', 'Origin', 'b', 'Referer', 'c'])).to.equal(undefined);
  });
});
