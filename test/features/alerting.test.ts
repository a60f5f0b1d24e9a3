import { expect } from 'chai';
import { freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { legacyOf } from '../legacy-api/legacy.js';
import { foldersOf } from '../resource-api/folders.js';
import { rulesOn } from '../resource-api/rules.js';
import { expectSwitched, type Switched, turn } from './switches.js';

const GROUP = '/v1/provisioning/folder/f/rule-groups/g';

const ALERTING: Switched = {
  feature: 'alerting',
  apiVersion: 'rules.alerting.svc.app/v1beta1',
  kind: 'AlertRule',
  resource: 'alertrules',
  routes: [
    ['GET', '/v1/provisioning/alert-rules'],
    ['POST', '/v1/provisioning/alert-rules'],
    ['GET', '/v1/provisioning/alert-rules/x'],
    ['PUT', '/v1/provisioning/alert-rules/x'],
    ['GET', GROUP],
    ['PUT', GROUP],
    ['DELETE', GROUP],
    ['GET', '/prometheus/grafana/api/v1/rules'],
    ['GET', '/ruler/grafana/api/v1/rules'],
    ['GET', '/ruler/grafana/api/v1/rules/f'],
  ],
  setting: 'unifiedAlertingEnabled',
};

oneStore('the switch features.alerting', (server) => {
  const folders = foldersOf(server);
  const rules = rulesOn(server);
  const { ask } = legacyOf(server);
  beforeEach(() => turn(server(), 'alerting', true));

  const folderWithRule = async () => {
    const folder = freshName('switched');
    await folders.make(folder);
    return { folder, rule: await rules.add(folder) };
  };

  // Promise: specification 1
  for (const isOn of [true, false])
    it(`${isOn ? 'on: alert rules are' : 'off: no alert rules are'} in the APIs, discovery, OpenAPI and the frontend settings`, async () => {
      await turn(server(), 'alerting', isOn);
      await expectSwitched(server, ALERTING, isOn);
      expect(await ask(200, 'GET', '/v1/provisioning/contact-points')).to.deep.equal([]);
    });

  // Promise: specification 4.1
  for (const isOn of [true, false])
    it(`${isOn ? 'on: DELETE of a folder has' : 'off: DELETE of a folder has not'} the parameter forceDeleteRules in OpenAPI`, async () => {
      await turn(server(), 'alerting', isOn);
      const { paths } = (await server().call('GET', '/openapi/v3/apis/folder.svc.app/v1beta1')).json() as never;
      const path = '/apis/folder.svc.app/v1beta1/namespaces/{namespace}/folders';
      for (const one of [path, `${path}/{name}`]) {
        const { parameters } = paths[one]['delete'] as { parameters: readonly { name: string; schema: unknown }[] };
        const found = parameters.filter(({ name }) => name === 'forceDeleteRules').map(({ schema }) => schema);
        expect(found).to.deep.equal(isOn ? [{ type: 'string', enum: ['true', 'false'] }] : []);
      }
    });

  it('off: stored rules are kept, and are there when alerting is on again', async () => {
    const { folder, rule } = await folderWithRule();
    await turn(server(), 'alerting', false);
    await folders.merge(folder, { spec: { title: 'Renamed' } });
    await turn(server(), 'alerting', true);
    await rules.expectThere(rule);
    expect((await ask(200, 'GET', `/v1/provisioning/alert-rules/${rule}`)).folderUID).to.equal(folder);
  });

  // Promise: specification 1, specification 4.1
  it('off: a folder is deleted with its rules, without forceDeleteRules and whatever its value', async () => {
    const made = [await folderWithRule(), await folderWithRule(), await folderWithRule()];
    await turn(server(), 'alerting', false);
    const [first, second, third] = made.map(({ folder }) => folder);
    expect((await folders.remove(first ?? '')).status).to.equal(200);
    expect((await folders.remove(second ?? '', { query: { forceDeleteRules: 'perhaps' } })).status).to.equal(200);
    await ask(200, 'DELETE', `/folders/${third}?forceDeleteRules=perhaps`);
    await turn(server(), 'alerting', true);
    await rules.expectGone(...made.map(({ rule }) => rule));
  });
});
