import { expect } from 'chai';
import { inputsOf } from './inputs.js';
import { jsonText } from './json-text.js';
import { contentOf, dashboardsIn, uidOf } from './model.js';
import { shared } from './shared.js';

describe('the JSON of dashboards', () => {
  it('is that of one, of a list, or an answer of the legacy API', () => {
    const one = { uid: 'a', title: ' A ' };
    expect(dashboardsIn(one)).to.deep.equal([{ dashboard: { uid: 'a', title: 'A' } }]);
    const answer = { dashboard: one, meta: { folderUid: 'ops' } };
    expect(dashboardsIn([answer, one]).map((found) => found?.folder)).to.deep.equal(['ops', undefined]);
    const spec = { title: 'A', panels: [] };
    const object = { kind: 'Dashboard', metadata: { name: 'a', annotations: { 'example.com/folder': 'ops' } }, spec };
    expect(dashboardsIn(object)).to.deep.equal([{ dashboard: { ...spec, uid: 'a' }, folder: 'ops' }]);
    expect(dashboardsIn({ kind: 'List', items: [object, one] }).map((found) => found?.folder)).to.deep.equal([
      'ops',
      undefined,
    ]);
    expect(dashboardsIn({ kind: 'Dashboard', metadata: null, spec })).to.deep.equal([{ dashboard: spec }]);
    for (const wrong of [
      { kind: 'Dashboard', spec: 'A' },
      { kind: 'Dashboard', spec: null },
      { kind: 'Dashboard', spec: {} },
    ])
      expect(dashboardsIn(wrong), JSON.stringify(wrong)).to.deep.equal([undefined]);
    for (const wrong of [null, 7, 'text', {}, { title: '' }, { title: 'A', uid: 7 }, { dashboard: {} }])
      expect(dashboardsIn(wrong), JSON.stringify(wrong)).to.deep.equal([undefined]);
  });

  it('is stored without what repeats the metadata', () => {
    const dashboard = { id: 7, uid: 'a', version: 3, title: 'A', panels: [] };
    expect(contentOf(dashboard)).to.deep.equal({ title: 'A', panels: [] });
    expect([uidOf(dashboard), uidOf({ title: 'A', uid: null })]).to.deep.equal(['a', '']);
  });

  it('declares inputs, each once, and others than texts are ignored', () => {
    const source = { name: 'DS', type: 'datasource', pluginId: 'prometheus', label: 'Prometheus' };
    const found = inputsOf({
      title: 'A',
      __inputs: [source, source, { name: 7 }, null, 'x', { name: 'C', value: '5' }],
    });
    expect(found).to.deep.equal([
      { ...source, description: '', value: '' },
      { name: 'C', label: 'C', description: '', type: '', pluginId: '', value: '5' },
    ]);
    expect(inputsOf({ title: 'A', __inputs: 'none' })).to.deep.equal([]);
  });

  it('is shared with inputs in place of data sources, each with a name of its own', () => {
    const prometheus = (uid: string) => ({ type: 'prometheus', uid });
    const panels = [
      { datasource: prometheus('one'), targets: [{ datasource: prometheus('two'), expr: 'up' }] },
      { datasource: 'Old name' },
      { datasource: null },
      { datasource: { type: 'datasource', uid: '-- Mixed --' } },
      { datasource: prometheus(`$\{ds}`) },
    ];
    const element = { uid: 'e', name: 'E', kind: 1, model: { datasource: prometheus('one') } };
    const made = shared({ title: 'A', panels }, [element]);
    expect(inputsOf(made).map(({ name, label, pluginId }) => [name, label, pluginId])).to.deep.equal([
      ['DS_PROMETHEUS', 'one', 'prometheus'],
      ['DS_PROMETHEUS_2', 'two', 'prometheus'],
      ['DS_OLD_NAME', 'Old name', ''],
    ]);
    expect(made['panels']).to.deep.equal([
      {
        datasource: prometheus(`$\{DS_PROMETHEUS}`),
        targets: [{ datasource: prometheus(`$\{DS_PROMETHEUS_2}`), expr: 'up' }],
      },
      { datasource: `$\{DS_OLD_NAME}` },
      ...panels.slice(2),
    ]);
    expect(made['__elements']).to.deep.equal({
      e: { ...element, model: { datasource: prometheus(`$\{DS_PROMETHEUS}`) } },
    });
  });

  it('keeps large integers', () => {
    const text = jsonText({ large: 12345678901234567890n, list: [1, -9007199254740993n], text: '5' });
    expect(text).to.equal('{"large":12345678901234567890,"list":[1,-9007199254740993],"text":"5"}');
  });
});
