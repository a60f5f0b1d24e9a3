import { expect } from 'chai';
import { routeMatcher } from './matcher.js';

const find = routeMatcher([
  { method: 'GET', path: '/folders' },
  { method: 'GET', path: '/folders/:uid' },
  { method: 'PUT', path: '/folders/:uid' },
  { method: 'GET', path: '/folders/:uid/counts' },
  { method: 'GET', path: '/folders/id/:id' },
  { method: 'POST', path: '/teams/:teamId/members/:userId' },
]);
const pathOf = (method: string, path: string): string | undefined => find(method, path)?.route.path;

describe('legacy routes', () => {
  it('are found by method and path', () => {
    expect(pathOf('GET', '/folders')).to.equal('/folders');
    expect(find('PUT', '/folders/a')?.route.method).to.equal('PUT');
    expect(pathOf('DELETE', '/folders/a')).to.equal(undefined);
    expect(pathOf('GET', '/folder')).to.equal(undefined);
    expect(pathOf('GET', '')).to.equal(undefined);
  });

  it('give the segments of their parameters as they were sent', () => {
    expect(find('GET', '/folders/a%20b')?.params).to.deep.equal({ uid: 'a%20b' });
    expect(find('POST', '/teams/1/members/2')?.params).to.deep.equal({ teamId: '1', userId: '2' });
  });

  it('put a fixed segment before a parameter, and go on with the parameter where the fixed one leads nowhere', () => {
    expect(pathOf('GET', '/folders/id/7')).to.equal('/folders/id/:id');
    expect(pathOf('GET', '/folders/id')).to.equal('/folders/:uid');
    expect(pathOf('GET', '/folders/ops/counts')).to.equal('/folders/:uid/counts');
  });

  it('take one slash at the end, and no empty parameter', () => {
    expect(pathOf('GET', '/folders/')).to.equal('/folders');
    expect(pathOf('GET', '/folders//')).to.equal(undefined);
    expect(pathOf('GET', '/folders//counts')).to.equal(undefined);
  });

  it('answer HEAD as GET', () => {
    expect(pathOf('HEAD', '/folders/a')).to.equal('/folders/:uid');
  });

  it('are refused when two could not be told apart', () => {
    const two = [
      { method: 'GET', path: '/users/:id' },
      { method: 'GET', path: '/users/:userId' },
    ];
    expect(() => routeMatcher(two)).to.throw('There are two legacy routes GET /users/:userId.');
  });
});
