import { expect } from 'chai';
import { legacyRoutesOf } from '../harness/legacy-routes.js';
import { oneStore } from '../harness/stores.js';
import { type Cast, castOn } from './cast.js';
import { expectRow } from './expect-row.js';
import { legacyTry, ROWS, targetsOf } from './legacy-requests.js';

oneStore('permissions of the legacy API', (server) => {
  let cast: Cast;
  let shared: ReturnType<typeof targetsOf>;

  before(async () => {
    cast = await castOn(server());
    shared = targetsOf(cast);
    const { status } = await cast.call('editor', 'POST', '/api/folders', { body: { title: 'Of the editor' } });
    expect(status).to.equal(200);
  });

  // Promise: specification 5, specification 7
  it('have a row for each route, and no other rows', () => {
    expect(ROWS.map(({ what }) => what).sort()).to.deep.equal(
      legacyRoutesOf(server())
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    );
  });

  it('send only bodies that the documentation describes', async () => {
    for (const { method, path, body } of legacyRoutesOf(server())) {
      const { body: sent } = await legacyTry(cast, shared, 'admin', { method, path });
      if (sent === undefined) continue;
      const described = body?.safeParse(sent);
      expect(described?.data ?? described?.error, `${method} ${path}`).to.deep.equal(sent);
    }
  });

  for (const row of ROWS) {
    it(row.what, async () => {
      const [method = '', path = ''] = row.what.split(' ');
      await expectRow(cast, row, async (caller) => {
        const { path: at, shows, ...request } = await legacyTry(cast, shared, caller, { method, path });
        return () => ({ answer: cast.call(caller, method, `/api${at}`, request), ...(shows && { shows }) });
      });
    });
  }
});
