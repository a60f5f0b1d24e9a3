import { expect } from 'chai';
import { changingNothing } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { fresh, type Json, legacyOf } from './legacy.js';

const data = [{ refId: 'A', datasourceUid: 'm', model: { expr: 'up == 0' } }];

oneStore('groups of alert rules in the legacy API', (server) => {
  const { ask, call } = legacyOf(server);

  const folder = async (): Promise<string> => {
    const uid = fresh('grouped');
    await ask(200, 'POST', '/folders', { uid, title: `Title of ${uid}` });
    return uid;
  };
  const rule = (title: string, more: Json = {}): Json => ({ title, condition: 'A', data, for: '1m30s', ...more });
  const path = (uid: string, group = 'group'): string => `/v1/provisioning/folder/${uid}/rule-groups/${group}`;
  const titles = ({ rules }: Json): readonly string[] => rules.map(({ title }: Json) => title);

  it('PUT makes the rules of the group those of the body, in their order, and keeps the uids of those that stay', async () => {
    const uid = await folder();
    const made = await ask(200, 'PUT', path(uid), { interval: 120, rules: [rule('b'), rule('a'), rule('c')] });
    expect(made).to.include({ title: 'group', folderUid: uid, interval: 120 });
    expect(titles(made)).to.deep.equal(['b', 'a', 'c']);
    const [b, a, c] = made.rules;
    const sent = { rules: [rule('c'), rule('new'), rule('renamed', { uid: b.uid })] };
    const changed = await ask(200, 'PUT', path(uid), sent);
    expect(titles(changed)).to.deep.equal(['c', 'new', 'renamed']);
    expect(changed.interval).to.equal(120);
    expect(changed.rules[0].uid).to.equal(c.uid);
    expect(changed.rules[2].uid).to.equal(b.uid);
    await ask(404, 'GET', `/v1/provisioning/alert-rules/${a.uid}`);
    expect(await ask(200, 'GET', path(uid))).to.deep.equal(changed);
  });

  it('PUT without rules is refused and deletes none, and an empty list deletes all', async () => {
    const uid = await folder();
    await ask(200, 'PUT', path(uid), { rules: [rule('a')] });
    for (const body of [undefined, {}, { interval: 120 }, { rules: null }, { rule: [] }, { rules: 'x' }])
      await changingNothing(server(), () => ask(400, 'PUT', path(uid), body));
    await ask(200, 'PUT', path(uid), { rules: [] });
    await ask(404, 'GET', path(uid));
  });

  it('PUT lets rules exchange their titles, in chains and in circles', async () => {
    const uid = await folder();
    const { rules } = await ask(200, 'PUT', path(uid), { rules: ['a', 'b', 'c', 'd'].map((title) => rule(title)) });
    const named = (...list: readonly string[]) =>
      list.map((title, index) => rule(title, { uid: rules[index].uid, for: '2m' }));
    for (const wanted of [
      ['b', 'c', 'd', 'e'],
      ['c', 'd', 'b', 'e'],
      ['d', 'c', 'e', 'b'],
    ]) {
      const group = await ask(200, 'PUT', path(uid), { rules: named(...wanted) });
      expect(titles(group)).to.deep.equal(wanted);
      expect(group.rules.map((one: Json) => one.uid)).to.deep.equal(rules.map((one: Json) => one.uid));
    }
  });

  it('a rule that is added alone comes last, and takes the interval of the group', async () => {
    const uid = await folder();
    await ask(200, 'PUT', path(uid), { interval: 30, rules: [rule('z')] });
    const alone = rule('a', { folderUID: uid, ruleGroup: 'group' });
    const { uid: added } = await ask(201, 'POST', '/v1/provisioning/alert-rules', alone);
    const group = await ask(200, 'GET', path(uid));
    expect([group.interval, titles(group)]).to.deep.equal([30, ['z', 'a']]);
    await ask(200, 'PUT', path(uid), group);
    await ask(200, 'PUT', `/v1/provisioning/alert-rules/${added}`, { ...alone, for: '2m' });
    expect(titles(await ask(200, 'GET', path(uid)))).to.deep.equal(['z', 'a']);
  });

  // Promise: specification 2.10
  it('PUT changes all rules or none', async () => {
    const uid = await folder();
    await ask(200, 'PUT', path(uid), { interval: 60, rules: [rule('kept')] });
    const before = await ask(200, 'GET', path(uid));
    const wrong: readonly Json[] = [
      { rules: [rule('first'), rule('second', { condition: 'Z' })] },
      { rules: [rule('twice'), rule('twice')] },
      { interval: 0, rules: [rule('kept')] },
      { interval: 'often', rules: [] },
      { rules: 'none' },
    ];
    for (const body of wrong) {
      const answer = await changingNothing(server(), () => call('PUT', path(uid), { body }));
      expect(answer.status, answer.text).to.equal(400);
    }
    expect(await ask(200, 'GET', path(uid))).to.deep.equal(before);
    expect((await ask(400, 'PUT', path('nowhere'), { rules: [rule('x')] })).message).to.equal('folder does not exist');
  });

  it('DELETE removes the rules of the group, and GET and DELETE of a group without rules answer 404', async () => {
    const uid = await folder();
    await ask(200, 'PUT', path(uid), { rules: [rule('a'), rule('b')] });
    await ask(200, 'PUT', path(uid, 'other'), { rules: [rule('c')] });
    expect((await call('DELETE', path(uid))).status).to.equal(204);
    for (const method of ['GET', 'DELETE'])
      expect((await ask(404, method, path(uid))).message).to.equal('alert rule group not found');
    expect(titles(await ask(200, 'GET', path(uid, 'other')))).to.deep.equal(['c']);
  });

  it('GET /api/prometheus/grafana/api/v1/rules shows the groups, with inactive rules', async () => {
    const uid = await folder();
    await ask(200, 'PUT', path(uid), { interval: 120, rules: [rule('a', { labels: { team: 'ops' } })] });
    await ask(200, 'PUT', path(uid, 'second'), { rules: [rule('b', { isPaused: true, keep_firing_for: '1h' })] });
    const url = `/prometheus/grafana/api/v1/rules?folder_uid=${uid}`;
    const { status, data: found } = await ask(200, 'GET', url);
    expect([status, found.totals]).to.deep.equal(['success', { inactive: 2 }]);
    const [first, second] = found.groups;
    expect(first).to.include({ name: 'group', file: `Title of ${uid}`, folderUid: uid, interval: 120 });
    expect(first.rules[0]).to.deep.include({ name: 'a', state: 'inactive', query: 'up == 0', duration: 90 });
    expect(first.rules[0]).to.deep.include({ type: 'alerting', labels: { team: 'ops' }, alerts: [] });
    expect(second.rules[0]).to.include({ isPaused: true, keepFiringFor: 3600 });
    expect((await ask(200, 'GET', `${url}&rule_group=second`)).data.groups).to.have.lengthOf(1);
    const several = '&rule_group=second&rule_group=none&rule_group=';
    for (const base of [url, '/prometheus/grafana/api/v1/rules?folder_uid=']) {
      const { groups } = (await ask(200, 'GET', base + several)).data;
      expect(groups).to.have.lengthOf(1);
      expect(groups[0]).to.include({ name: 'second', folderUid: uid });
    }
    expect((await ask(200, 'GET', `${url}&rule_group=second&rule_group=group`)).data.groups).to.have.lengthOf(2);
    expect((await ask(200, 'GET', '/prometheus/grafana/api/v1/rules?folder_uid=none')).data.groups).to.deep.equal([]);
  });

  it('GET /api/ruler/grafana/api/v1/rules shows the groups by folder', async () => {
    const uid = await folder();
    await ask(200, 'PUT', path(uid), { interval: 120, rules: [rule('a')] });
    const all = await ask(200, 'GET', '/ruler/grafana/api/v1/rules');
    const [group] = all[`Title of ${uid}`];
    expect(group).to.include({ name: 'group', interval: '2m' });
    expect(group.rules[0]).to.include({ for: '1m30s', expr: '' });
    expect(group.rules[0].grafana_alert).to.include({
      title: 'a',
      namespace_uid: uid,
      rule_group: 'group',
      version: 1,
    });
    expect(group.rules[0].grafana_alert).to.include({
      intervalSeconds: 120,
      is_paused: false,
      no_data_state: 'NoData',
    });
    const one = await ask(202, 'GET', `/ruler/grafana/api/v1/rules/${uid}`);
    expect(one).to.deep.equal({ [`Title of ${uid}`]: [group] });
    const twin = fresh('twin');
    await ask(200, 'POST', '/folders', { uid: twin, title: `Title of ${uid}` });
    await ask(200, 'PUT', path(twin), { rules: [rule('b')] });
    const both = (await ask(200, 'GET', '/ruler/grafana/api/v1/rules'))[`Title of ${uid}`];
    expect(both.map(({ rules }: Json) => rules[0].grafana_alert.title)).to.have.members(['a', 'b']);
    expect(await ask(202, 'GET', '/ruler/grafana/api/v1/rules/none')).to.deep.equal({});
  });
});
