import { expect } from 'chai';
import { oneStore } from '../harness/stores.js';
import { legacyOf } from '../legacy-api/legacy.js';
import { peopleOf } from '../legacy-api/people.js';
import { expectSwitched, type Switched, turn } from './switches.js';

const QUERY_HISTORY: Switched = {
  feature: 'queryHistory',
  apiVersion: 'queryhistory.svc.app/v1beta1',
  kind: 'QueryHistory',
  resource: 'queryhistories',
  routes: [
    ['GET', '/query-history'],
    ['POST', '/query-history'],
    ['PATCH', '/query-history/x'],
    ['DELETE', '/query-history/x'],
    ['POST', '/query-history/star/x'],
    ['DELETE', '/query-history/star/x'],
  ],
  setting: 'queryHistoryEnabled',
};

oneStore('the switch features.query_history', (server) => {
  const { ask } = legacyOf(server);
  const { person } = peopleOf(server);
  beforeEach(() => turn(server(), 'queryHistory', true));

  // Promise: specification 1, specification 4.9
  for (const isOn of [true, false])
    it(`${isOn ? 'on: the query history is' : 'off: no query history is'} in the APIs, discovery, OpenAPI and the frontend settings`, async () => {
      await turn(server(), 'queryHistory', isOn);
      await expectSwitched(server, QUERY_HISTORY, isOn);
    });

  it('off: stored items are kept, and are there when the query history is on again', async () => {
    const { info: user } = await person();
    const body = { datasourceUid: 'metrics', queries: [{ refId: 'A' }] };
    const { result } = await ask(200, 'POST', '/query-history', body, { user });
    await turn(server(), 'queryHistory', false);
    await ask(404, 'GET', '/query-history', undefined, { user });
    await turn(server(), 'queryHistory', true);
    const { result: found } = await ask(200, 'GET', '/query-history', undefined, { user });
    expect(found.queryHistory.map(({ uid }: { uid: string }) => uid)).to.deep.equal([result.uid]);
  });
});
