import { expect } from 'chai';
import { load } from 'js-yaml';
import { ADMIN } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { rulesOn } from '../resource-api/rules.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { peopleOf } from './people.js';

const RULES = '/v1/provisioning/alert-rules';

oneStore('alert rules in the legacy API', (server) => {
  const { ask, call, refused } = legacyOf(server);
  const { person } = peopleOf(server);
  const rules = rulesOn(server);
  const { resource } = rules;

  const folder = async (): Promise<string> => {
    const uid = fresh('alerts');
    await ask(200, 'POST', '/folders', { uid, title: `Title of ${uid}` });
    return uid;
  };
  const draft = (folderUID: string, more: Json = {}): Json => ({
    title: fresh('Rule'),
    ruleGroup: 'group',
    folderUID,
    orgID: 1,
    condition: 'B',
    data: [
      { refId: 'A', queryType: '', relativeTimeRange: { from: 600, to: 0 }, datasourceUid: 'm', model: { expr: 'up' } },
      { refId: 'B', datasourceUid: '__expr__', model: { type: 'threshold' } },
    ],
    noDataState: 'NoData',
    execErrState: 'Error',
    for: '5m',
    labels: { severity: 'critical' },
    annotations: { summary: 'Down' },
    isPaused: false,
    ...more,
  });
  const add = async (folderUID: string, more: Json = {}): Promise<Json> =>
    ask(201, 'POST', RULES, draft(folderUID, more));

  // Promise: specification 2.10
  it('POST answers 201 with the rule, which GET, the list and kubectl show', async () => {
    const uid = fresh('rule');
    const sent = draft(await folder(), { uid, keep_firing_for: '1m', notification_settings: { receiver: 'ops' } });
    const rule = await ask(201, 'POST', RULES, sent);
    expect(rule).to.deep.include({ uid, orgID: 1, folderUID: sent.folderUID, ruleGroup: 'group', title: sent.title });
    expect(rule).to.deep.include({ for: '5m', keep_firing_for: '1m', noDataState: 'NoData', execErrState: 'Error' });
    expect(rule).to.deep.include({ labels: sent.labels, annotations: sent.annotations, isPaused: false, record: null });
    expect(rule).to.deep.include({ provenance: 'api', notification_settings: { receiver: 'ops' } });
    expect(rule.data[0]).to.deep.equal(sent.data[0]);
    expect(rule.data[1]).to.deep.include({ queryType: '', relativeTimeRange: { from: 0, to: 0 } });
    expect(rule.id).to.be.a('number').above(0);
    expect(rule.updated).to.match(/^\d{4}-\d\d-\d\dT/);
    expect(await ask(200, 'GET', `${RULES}/${uid}`)).to.deep.equal(rule);
    const all = await ask(200, 'GET', RULES);
    expect(all.filter((one: Json) => one.uid === uid)).to.deep.equal([rule]);
    const object = (await resource.get(uid)).json();
    expect(object.metadata.annotations).to.include({ 'svc.app/folder': sent.folderUID, 'svc.app/provenance': 'api' });
    expect(object.spec).to.deep.include({ title: sent.title, condition: 'B', keepFiringFor: '1m' });
  });

  it('POST without uid makes one, and X-Disable-Provenance leaves out the provenance', async () => {
    const headers = { 'x-disable-provenance': 'true' };
    const rule = await ask(201, 'POST', RULES, draft(await folder()), { headers });
    expect(rule.uid).to.match(/^[a-z0-9]{26}$/);
    expect(rule).to.not.have.property('provenance');
  });

  it('PUT replaces the rule, moves it, and keeps its uid and id', async () => {
    const [from, to] = [await folder(), await folder()];
    const rule = await add(from);
    const sent = draft(to, { title: rule.title, labels: null, for: '', uid: 'ignored' });
    const changed = await ask(200, 'PUT', `${RULES}/${rule.uid}`, sent);
    expect(changed).to.deep.include({ uid: rule.uid, id: rule.id, folderUID: to, labels: {}, for: '0s' });
    expect((await resource.get(rule.uid)).json().metadata.generation).to.equal(2);
    await refused(404, { message: 'alert rule not found' }, 'PUT', `${RULES}/none`, sent);
  });

  it('DELETE answers 204 without a body, also for a rule that is gone', async () => {
    const rule = await add(await folder());
    for (const _ of [1, 2]) {
      const answer = await call('DELETE', `${RULES}/${rule.uid}`);
      expect([answer.status, answer.text]).to.deep.equal([204, '']);
    }
    await refused(404, { message: 'alert rule not found' }, 'GET', `${RULES}/${rule.uid}`);
  });

  it('what kubectl writes is in the list', async () => {
    const object = await rules.made(await folder(), { isPaused: true });
    const rule = await ask(200, 'GET', `${RULES}/${object.metadata.name}`);
    expect(rule).to.include({ isPaused: true, title: object.metadata.name, for: '0s' });
    expect(rule).to.not.have.property('provenance');
  });

  it('what one API writes, watches of the other one see', async () => {
    const uid = await folder();
    const { resourceVersion } = (await resource.list()).json().metadata;
    const frames = await resource.watch({ resourceVersion: resourceVersion ?? '' });
    const rule = await add(uid);
    await ask(200, 'PUT', `${RULES}/${rule.uid}`, draft(uid, { title: rule.title, for: '9m' }));
    await call('DELETE', `${RULES}/${rule.uid}`);
    const events = await frames.take(3);
    await frames.close();
    expect(events.map(({ type }) => type)).to.deep.equal(['ADDED', 'MODIFIED', 'DELETED']);
    expect(events.map(({ object }) => object.metadata.name)).to.deep.equal([rule.uid, rule.uid, rule.uid]);
  });

  // Promise: specification 4.11
  it('are exported as the files that provision them, in YAML or JSON', async () => {
    const uid = await folder();
    const rule = await add(uid);
    await add(uid);
    const { title } = await ask(200, 'GET', `/folders/${uid}`);
    const [group] = (await ask(200, 'GET', `${RULES}/${rule.uid}/export?format=json`)).groups;
    expect(group).to.include({ orgId: 1, folder: title, name: rule.ruleGroup, interval: '1m' });
    const { uid: exported, data, condition, isPaused } = group.rules[0];
    expect({ uid: exported, data, condition, isPaused }).to.deep.equal({
      uid: rule.uid,
      data: rule.data,
      condition: rule.condition,
      isPaused: rule.isPaused,
    });
    expect(group.rules).to.have.length(1);
    const path = `/v1/provisioning/folder/${uid}/rule-groups/${rule.ruleGroup}/export`;
    const file = await call('GET', `${path}?download=true`);
    expect(file.headers).to.include({
      'content-type': 'application/yaml',
      'content-disposition': 'attachment;filename=export.yaml',
    });
    const parsed = load(file.text) as Json;
    expect(parsed).to.deep.equal(await ask(200, 'GET', `${path}?format=json`));
    expect(parsed.groups[0].rules).to.have.length(2);
    expect(await ask(200, 'GET', `${RULES}/export?format=json&folderUid=${uid}`)).to.deep.equal(parsed);
    expect((await call('GET', `${RULES}/export?folderUid=none`)).text).to.equal('apiVersion: 1\ngroups: []\n');
    for (const query of ['format=hcl', 'format=x', 'folder=x']) await ask(400, 'GET', `${RULES}/export?${query}`);
    await ask(404, 'GET', `${RULES}/none/export`);
    await ask(404, 'GET', `/v1/provisioning/folder/${uid}/rule-groups/none/export`);
  });

  // Promise: specification 2.10, specification 4.12
  it('refuses wrong rules with 400, and a uid that is taken with 409', async () => {
    const uid = await folder();
    const rule = await add(uid);
    const message = 'rule title under the same organisation and folder should be unique';
    await refused(400, { message }, 'POST', RULES, draft(uid, { title: rule.title }));
    await add(await folder(), { title: rule.title });
    await refused(
      409,
      { message: 'rule UID under the same organisation should be unique' },
      'POST',
      RULES,
      draft(uid, { uid: rule.uid }),
    );
    await refused(400, { message: 'folder does not exist' }, 'POST', RULES, draft('nowhere'));
    const wrong: readonly (readonly [Json, RegExp])[] = [
      [{ folderUID: '' }, /a rule lies in a folder/],
      [{ condition: 'Z' }, /condition does not exist, it must be one of \[A B\]/],
      [{ condition: '' }, /condition/],
      [{ data: [] }, /at least one query/],
      [{ title: '' }, /title/],
      [{ title: 'x'.repeat(191) }, /title/],
      [{ ruleGroup: null }, /ruleGroup/],
      [{ for: 'soon' }, /duration/],
      [{ noDataState: 'Fine' }, /noDataState/],
      [{ uid: 'a b' }, /^uid contains illegal characters$/],
      [{ uid: 'x'.repeat(41) }, /^uid too long, max 40 characters$/],
      [{ isPaused: 'no' }, /^bad request data: isPaused: expected boolean, received string$/],
      [
        { data: Array.from({ length: 1001 }, () => ({ refId: 'A' })) },
        /^bad request data: data: Too many: must have at most 1000 items$/,
      ],
    ];
    for (const [more, says] of wrong) {
      const { message: said } = await ask(400, 'POST', RULES, draft(uid, more));
      expect(said, JSON.stringify(more).slice(0, 100)).to.match(says);
    }
    await refused(400, { message: 'bad request data' }, 'POST', RULES, '{');
  });

  it('shows only the rules in folders that the caller may view', async () => {
    const { info } = await person({ role: 'None' });
    const [open, closed] = [await folder(), await folder()];
    const binding = { items: [{ userId: Number((await person()).id), permission: 1 }] };
    await ask(200, 'POST', `/folders/${closed}/permissions`, binding);
    const [seen, hidden] = [await add(open), await add(closed)];
    const denied = await ask(403, 'GET', RULES, undefined, { user: info });
    expect(denied.message).to.match(/alert\.rules:read$/);
    const { id } = await ask(200, 'GET', `/users/lookup?loginOrEmail=${info.uid}`);
    await ask(200, 'POST', `/folders/${open}/permissions`, { items: [{ userId: id, permission: 1 }] });
    const uids = (await ask(200, 'GET', RULES, undefined, { user: info })).map(({ uid }: Json) => uid);
    expect(uids).to.deep.equal([seen.uid]);
    await ask(403, 'GET', `${RULES}/${hidden.uid}`, undefined, { user: info });
    await ask(404, 'GET', `/v1/provisioning/folder/${closed}/rule-groups/group`, undefined, { user: info });
    const states = await ask(200, 'GET', '/prometheus/grafana/api/v1/rules', undefined, { user: info });
    expect(states.data.groups.map(({ folderUid }: Json) => folderUid)).to.deep.equal([open]);
    const ruler = await ask(200, 'GET', '/ruler/grafana/api/v1/rules', undefined, { user: info });
    expect(Object.keys(ruler)).to.deep.equal([`Title of ${open}`]);
  });

  it('are counted in a folder only for callers who may view them', async () => {
    const { info, uid: name } = await person({ role: 'None' });
    const uid = await folder();
    await add(uid);
    const { made } = iam(server);
    const role = { kind: 'Role', name: fresh('reader') };
    await made('Role', role.name, { permissions: [{ action: 'folders:read', scope: `folders:uid:${uid}` }] });
    await made('RoleBinding', fresh('reading'), { subject: { kind: 'User', name }, roleRef: role });
    const counts = (user = ADMIN) => ask(200, 'GET', `/folders/${uid}/counts`, undefined, { user });
    expect((await counts(info)).alertrule).to.equal(0);
    expect((await counts()).alertrule).to.equal(1);
  });
});
