import { expect } from 'chai';
import { mountTable } from './mounts.js';

const tableOf = (...prefixes: readonly string[]) => {
  const find = mountTable(prefixes.map((prefix) => ({ prefix })));
  return (path: string) => find(path)?.prefix;
};

describe('mounts', () => {
  it('cover their path and all below it, not what only begins alike', () => {
    const find = tableOf('/api', '/apis');
    expect(find('/api')).to.equal('/api');
    expect(find('/api/folders/x')).to.equal('/api');
    expect(find('/apis/')).to.equal('/apis');
    expect(find('/apiserver')).to.equal(undefined);
    expect(find('')).to.equal(undefined);
    expect(find('*')).to.equal(undefined);
  });

  it('give way to longer ones', () => {
    const find = tableOf('/api', '/api/health', '/api/a/b');
    expect(find('/api/health')).to.equal('/api/health');
    expect(find('/api/health/x')).to.equal('/api/health');
    expect(find('/api/healthy')).to.equal('/api');
    expect(find('/api/a')).to.equal('/api');
    expect(find('/api/a/b/c')).to.equal('/api/a/b');
  });

  it('may choose path by path', () => {
    const [one, other] = [{ prefix: '/one' }, { prefix: '/other' }];
    const find = mountTable([{ prefix: '/api', select: (path) => (path.endsWith('1') ? one : other) }]);
    expect([find('/api/1'), find('/api/2'), find('/apis')]).to.deep.equal([one, other, undefined]);
  });

  it('are refused when there are two of one path, or it is none', () => {
    expect(() => tableOf('/api', '/api')).to.throw('There are two mounts /api.');
    for (const wrong of ['api', '/api/', '//', '']) expect(() => tableOf(wrong), wrong).to.throw('must be a path');
  });
});
