import { expect } from 'chai';
import { routeTable } from './routes.js';

const handler = () => Promise.reject(new Error('not called'));
const tableOf = (...prefixes: readonly string[]) => {
  const find = routeTable(prefixes.map((prefix) => ({ prefix, handler })));
  return (path: string) => find(path)?.prefix;
};

describe('routes', () => {
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

  it('are refused when there are two of one path, or it is none', () => {
    expect(() => tableOf('/api', '/api')).to.throw('There are two routes /api.');
    for (const wrong of ['api', '/api/', '//', '']) expect(() => tableOf(wrong), wrong).to.throw('must be a path');
  });
});
