import { expect } from 'chai';
import { internalId } from '../../apis/testing/legacy-examples.js';
import { openMemory } from '../../storage/memory/backend.js';
import type { Body } from '../harness/body.js';
import { KINDS_OF_CALLERS } from './callers.js';
import { Markers } from './markers.js';
import { makeBeginning, openWorld, type World } from './world.js';

const NS = 'namespaces/default';
const FOLDERS = `/apis/folder.svc.app/v1beta1/${NS}/folders`;
const DASHBOARDS = `/apis/dashboard.svc.app/v1beta1/${NS}/dashboards`;
const REPORTS = `/apis/example.com/v1/${NS}/reports`;
const TRASH = 'labelSelector=svc.app/get-trash%3Dtrue';
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

describe('the oracle of the random requests', () => {
  let world: World;
  let stored: ReadonlyMap<string, readonly Body[]>;

  before(async () => {
    await makeBeginning(1, async (_, beginning) => {
      stored = beginning.stored;
      world = await openWorld(beginning, openMemory(), new Markers('oracle'));
    });
  });
  after(() => world.close());

  const named = (resource: string, holds: (object: Body) => boolean): Body => {
    const found = stored.get(resource)?.find(holds);
    if (found === undefined) throw new Error(`there is no such object of ${resource}`);
    return found;
  };
  const annotation = ({ metadata }: Body, key: string): string | undefined => metadata.annotations?.[`svc.app/${key}`];
  const shut = (): Body => named('folders', (one) => annotation(one, 'basic-roles') === 'none');
  const inside = (resource: string): Body =>
    named(resource, (one) => annotation(one, 'folder') === shut().metadata.name);

  /** Paths that would show private objects without a filter. */
  const doors = (): Readonly<Record<string, string>> => {
    const [folder, dashboard, element] = [shut(), inside('dashboards'), inside('libraryelements')];
    return {
      get: `${FOLDERS}/${folder.metadata.name}`,
      list: DASHBOARDS,
      page: `${DASHBOARDS}?limit=2`,
      table: `${FOLDERS}?as=table`,
      watch: `${FOLDERS}?watch=true`,
      history: `${DASHBOARDS}/${dashboard.metadata.name}/history?version=1`,
      trash: `${DASHBOARDS}?${TRASH}`,
      'trash of a custom kind': `${REPORTS}?${TRASH}`,
      'custom kind': REPORTS,
      search: '/api/search',
      tags: '/api/dashboards/tags',
      'legacy dashboard': `/api/dashboards/uid/${dashboard.metadata.name}`,
      'number of a folder': `/api/folders/id/${internalId(folder)}`,
      elements: '/api/library-elements',
      connections: `/api/library-elements/${element.metadata.name}/connections`,
      annotations: '/api/annotations',
      'tags of annotations': '/api/annotations/tags',
      rules: '/api/v1/provisioning/alert-rules',
      'groups of rules': '/api/ruler/grafana/api/v1/rules',
    };
  };

  it('finds what is private, wherever a door would show it to an editor, and nothing in what the doors show', async () => {
    for (const [door, path] of Object.entries(doors())) {
      const headers = path.endsWith('as=table') ? TABLE : {};
      const all = await world.send('operator', 'GET', path, { headers });
      expect(all.answer.status, `${door}: ${all.answer.text}`).to.equal(200);
      const shown = door === 'watch' ? JSON.stringify(await all.answer.frames.take(8)) : all.answer.text;
      if (door === 'watch') await all.answer.frames.close();
      const part = { text: shown, headers: all.answer.headers };
      for (const reader of KINDS_OF_CALLERS) {
        const expected = ['admin', 'root', 'botA', 'operator'].includes(reader);
        expect(all.hiddenIn(part, reader).length === 0, `${door}, shown to ${reader}`).to.equal(expected);
      }
    }
  });

  it('follows what is moved, opened, made private and written', async () => {
    const { name } = shut().metadata;
    const path = `${FOLDERS}/${name}`;
    const read = () => world.send('operator', 'GET', path, {});
    const patch = (annotations: object) =>
      world.send('admin', 'PATCH', path, {
        body: { metadata: { annotations } },
        headers: { 'content-type': 'application/merge-patch+json' },
      });
    const isHidden = async (): Promise<boolean> => {
      const { answer, hiddenIn } = await read();
      return hiddenIn(answer, 'viewer').length > 0;
    };
    expect(await isHidden()).to.equal(true);
    await patch({ 'svc.app/basic-roles': null });
    expect(await isHidden()).to.equal(false);
    await patch({ 'svc.app/basic-roles': 'none' });
    expect(await isHidden()).to.equal(true);
  });
});
