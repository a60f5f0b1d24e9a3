import { expect } from 'chai';
import type { Body } from '../harness/body.js';
import { bodyOf, resourceOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { foldersOf, namesOf } from './folders.js';

type Query = Readonly<Record<string, string | number>>;

const TEAMS = { apiVersion: 'iam.svc.app/v1beta1', resource: 'teams', scope: 'Namespaced' } as const;

oneStore('lists by selector', (server) => {
  const folders = foldersOf(server);
  const teams = resourceOf(server, TEAMS);
  const list = async (query: Query): Promise<Body> => bodyOf(await folders.list({ query }), 200);
  const labelled = async (labelSelector: string, query: Query = {}): Promise<readonly string[]> =>
    namesOf(await list({ labelSelector, ...query }));
  before(async () => {
    for (const name of ['e', 'c', 'a', 'd', 'b'])
      await folders.make(name, { labels: { team: name < 'd' ? 'red' : 'blue', [`only-${name}`]: '' } });
  });

  it('contain the objects with the label, in order of names', async () => {
    expect(await labelled('team=red')).to.deep.equal(['a', 'b', 'c']);
    expect(await labelled('team in (blue)')).to.deep.equal(['d', 'e']);
    expect(await labelled('team=green')).to.deep.equal([]);
    expect(await labelled('only-b=')).to.deep.equal(['b']);
    expect(
      namesOf(bodyOf(await server().call('GET', '/apis/folder.svc.app/v1beta1/folders?labelSelector=team%3Dred'), 200)),
    ).to.deep.equal(['a', 'b', 'c']);
  });

  it('contain only objects that satisfy everything that is asked for', async () => {
    expect(await labelled('team=red,only-b=')).to.deep.equal(['b']);
    expect(await labelled('team=red,!only-b')).to.deep.equal(['a', 'c']);
    expect(await labelled('team=red', { fieldSelector: 'metadata.name=b' })).to.deep.equal(['b']);
    expect(await labelled('team=red', { fieldSelector: 'metadata.name=d' })).to.deep.equal([]);
  });

  it('find the number of the legacy API, which must be equal as text', async () => {
    const { metadata } = await folders.read('c');
    const id = metadata.labels?.['svc.app/deprecatedInternalID'] ?? '';
    expect(await labelled(`svc.app/deprecatedInternalID=${id}`)).to.deep.equal(['c']);
    for (const other of [`0${id}`, 'none', ''])
      expect(await labelled(`svc.app/deprecatedInternalID=${other}`)).to.deep.equal([]);
  });

  it('find the values of fields', async () => {
    for (const title of ['One', 'Two, three']) {
      const metadata = { name: title.slice(0, 3).toLowerCase() };
      const team = { apiVersion: TEAMS.apiVersion, kind: 'Team', metadata, spec: { title } };
      bodyOf(await teams.create(team), 201);
    }
    const byField = async (fieldSelector: string) =>
      namesOf(bodyOf(await teams.list({ query: { fieldSelector } }), 200));
    expect(await byField('spec.title=Two\\, three')).to.deep.equal(['two']);
    expect(await byField('spec.email=,spec.title=One')).to.deep.equal(['one']);
    expect(await byField('spec.email=')).to.deep.equal(['one', 'two']);
    expect(await byField('spec.email=nobody@example.test')).to.deep.equal([]);
  });

  it('follow changes of labels, and have pages of one revision', async () => {
    const query = { limit: 2 };
    const first = await list({ ...query, labelSelector: 'team=red' });
    expect(namesOf(first)).to.deep.equal(['a', 'b']);
    await folders.merge('c', { metadata: { labels: { team: 'blue' } } });
    await folders.merge('d', { metadata: { labels: { team: 'red' } } });
    await folders.remove('a');
    expect(await labelled('team=red', { ...query, continue: first.metadata.continue ?? '' })).to.deep.equal(['c']);
    expect(await labelled('team=red')).to.deep.equal(['b', 'd']);
    const exact = { resourceVersion: first.metadata.resourceVersion ?? '', resourceVersionMatch: 'Exact' };
    expect(await labelled('team=red', exact)).to.deep.equal(['a', 'b', 'c']);
  });

  it('begin watches with the objects of the selection', async () => {
    const frames = await folders.watch({ labelSelector: 'team=blue' });
    const events = await frames.take(2);
    await frames.close();
    expect(events.map(({ object }) => object.metadata.name)).to.deep.equal(['c', 'e']);
  });
});
