import { expect } from 'chai';
import { type ListedRoute, legacyRoutesOf } from '../harness/legacy-routes.js';
import { oneStore } from '../harness/stores.js';
import { fresh, legacyOf } from './legacy.js';

const isParameter = (segment: string): boolean => segment.startsWith(':');

/**
 * Whether some request matches both routes, and the earlier one has a parameter where the later one has a fixed
 * segment.
 */
function hides(earlier: ListedRoute, later: ListedRoute): boolean {
  const [first, second] = [earlier.path.split('/'), later.path.split('/')];
  if (earlier.method !== later.method || first.length !== second.length) return false;
  const pairs = first.map((segment, index) => [segment, second[index] ?? ''] as const);
  if (pairs.some(([a, b]) => a !== b && !isParameter(a) && !isParameter(b))) return false;
  const decisive = pairs.find(([a, b]) => isParameter(a) !== isParameter(b));
  return decisive === undefined || isParameter(decisive[0]);
}

/** The routes that an earlier route hides, for some or all of their requests. */
function hidden(routes: readonly ListedRoute[]): readonly string[] {
  return routes
    .filter((route, index) => routes.slice(0, index).some((earlier) => hides(earlier, route)))
    .map(({ method, path }) => `${method} ${path}`);
}

const listed = (...keys: readonly string[]): readonly ListedRoute[] =>
  keys.map((key) => {
    const [method = '', path = ''] = key.split(' ');
    return { method, path };
  });

oneStore('the routes of the legacy API', (server) => {
  const { ask, call } = legacyOf(server);
  const uid = fresh('routed');
  before(() => ask(200, 'POST', '/folders', { uid, title: uid }));

  // Promise: specification 4.12
  it('are none for a path with an empty part, and take no byte order mark before a body', async () => {
    for (const path of ['//folders', '/folders//', `//folders/${uid}`])
      expect((await call('GET', path)).status, path).to.equal(404);
    const body = Buffer.from(`\ufeff${JSON.stringify({ title: fresh('Marked') })}`);
    expect((await call('POST', '/folders', { body })).status).to.equal(400);
  });

  it('are not hidden by earlier routes', () => {
    const routes = legacyRoutesOf(server());
    expect(routes.length).to.be.greaterThan(90);
    expect(hidden(routes)).to.deep.equal([]);
  });

  it('are found by this check if they are hidden', () => {
    expect(hidden(listed('GET /teams/:teamId', 'GET /teams/search'))).to.deep.equal(['GET /teams/search']);
    expect(hidden(listed('GET /a/:x/b', 'GET /a/id/:y'))).to.deep.equal(['GET /a/id/:y']);
    expect(hidden(listed('PUT /a/:x', 'PUT /a/:y'))).to.deep.equal(['PUT /a/:y']);
    expect(hidden(listed('GET /a/b', 'GET /a/:x', 'PUT /a/b', 'GET /a/:x/b', 'GET /a/c/b'))).to.deep.equal([
      'GET /a/c/b',
    ]);
    expect(hidden(listed('GET /teams/search', 'GET /teams/:teamId', 'PUT /teams/:teamId'))).to.deep.equal([]);
  });

  it('match a fixed segment before a parameter', async () => {
    expect(await ask(200, 'GET', '/teams/search')).to.have.property('teams');
    expect((await ask(400, 'GET', '/folders/id/counts')).message).to.equal('id is invalid');
  });

  it('accept one slash at the end, but not two', async () => {
    expect((await ask(200, 'GET', `/folders/${uid}/`)).uid).to.equal(uid);
    for (const path of [`/folders/${uid}//`, '/folders//', '/folders//counts'])
      expect(await ask(404, 'GET', path), path).to.deep.equal({ message: 'Not found' });
  });

  it('are case-sensitive', async () => {
    expect(await ask(404, 'GET', '/Folders')).to.deep.equal({ message: 'Not found' });
  });

  it('answer HEAD as GET, without a body', async () => {
    const answer = await call('HEAD', `/folders/${uid}`);
    expect([answer.status, answer.text]).to.deep.equal([200, '']);
    expect((await call('HEAD', '/folders/none')).status).to.equal(404);
  });

  it('answer 400 for a malformed percent-encoding in a parameter', async () => {
    for (const bad of ['%', '%zz', '%c3', 'a%2'])
      expect(await ask(400, 'GET', `/folders/${bad}`), bad).to.deep.equal({ message: 'bad request data' });
    expect(await ask(404, 'GET', '/none/%')).to.deep.equal({ message: 'Not found' });
    expect((await ask(404, 'GET', '/folders/a%2Fb')).message).to.equal('folder not found');
  });

  it('do not normalize paths', async () => {
    for (const odd of [`${uid}#x`, `${uid}\\x`, `${uid}%23`])
      expect((await call('GET', `/folders/${odd}`)).status, odd).to.equal(404);
  });

  // Promise: specification 4.13
  it('answer 404 for what existing servers have beside the specification, in the form of the legacy API', async () => {
    for (const [method, path] of [
      ['POST', '/dashboards/calculate-diff'],
      ['POST', '/preferences/set-home-dash'],
      ['POST', '/dashboards/trim'],
      ['POST', '/dashboards/validate'],
      ['POST', '/snapshots'],
      ['GET', '/playlists'],
      ['POST', '/short-urls'],
      ['POST', `/dashboards/uid/${uid}/public-dashboards`],
      ['PUT', '/user/helpflags/1'],
      ['POST', '/datasources'],
      ['POST', '/ds/query'],
      ['POST', '/v1/provisioning/contact-points'],
      ['POST', '/reports'],
      ['GET', '/plugins'],
      ['POST', '/auth/keys'],
    ] as const)
      expect(await ask(404, method, path, method === 'GET' ? undefined : {}), path).to.deep.equal({
        message: 'Not found',
      });
  });

  it('answer 404 for unknown methods and paths', async () => {
    for (const [method, path] of [
      ['DELETE', '/folders'],
      ['PATCH', `/folders/${uid}`],
      ['OPTIONS', `/folders/${uid}`],
      ['GET', '/nothing'],
      ['GET', `/folders/${uid}/counts/more`],
    ] as const) {
      const answer = await call(method, path);
      expect(answer.status, `${method} ${path}`).to.equal(404);
    }
  });
});
