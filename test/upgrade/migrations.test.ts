import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Migration } from '../../registry/upgrade/migration.js';
import { SCHEMA_NAME } from '../../registry/upgrade/schema.js';
import { type UpgradeOptions, upgrade } from '../../registry/upgrade/upgrade.js';
import { keyOf } from '../../storage/key.js';
import { decodeObject } from '../../storage/state/codec.js';
import type { Server } from '../harness/server.js';
import { eachStore } from '../harness/stores.js';

const [FOLDERS, ANNOTATIONS] = ['folders.folder.svc.app', 'annotations.annotation.svc.app'] as const;
/** More objects than one step changes. */
const COUNT = 210;

/** A migration that marks folders and annotations. Counts how often each object is changed. */
function marking(to: number, reads: number, changed = new Map<string, number>()): Migration {
  const change = (object: KubeObject): KubeObject => {
    const { name } = object.metadata;
    changed.set(name, (changed.get(name) ?? 0) + 1);
    const { annotations = {} } = object.metadata;
    return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [`mark-${to}`]: 'yes' } } };
  };
  return { to, reads, resources: [FOLDERS, ANNOTATIONS], change };
}

eachStore('upgrades of stored data', (server) => {
  before(async () => {
    for (let i = 0; i < COUNT; i++) await created(server(), '/api/folders', { title: `folder ${i}` });
    for (let i = 0; i < 3; i++) await created(server(), '/api/annotations', { text: `annotation ${i}`, time: i + 1 });
  });

  const created = async (server: Server, path: string, body: object): Promise<void> => {
    const { status, text } = await server.call('POST', path, { body });
    expect(status, text).to.equal(200);
  };
  const run = (migrations: readonly Migration[], more: Partial<UpgradeOptions> = {}): Promise<void> => {
    const { registry } = server().api;
    return upgrade({ registry, migrations, report: () => undefined, ...more });
  };
  const annotationsOf = async (path: string): Promise<readonly (object | undefined)[]> => {
    const { items } = (await server().call('GET', path)).json();
    return items.map(({ metadata }) => metadata.annotations);
  };
  const marked = async (mark: string): Promise<number> => {
    const all = await Promise.all(
      [
        '/apis/folder.svc.app/v1beta1/namespaces/default/folders',
        '/apis/annotation.svc.app/v1beta1/namespaces/default/annotations',
      ].map(annotationsOf),
    );
    return all.flat().filter((annotations) => annotations !== undefined && mark in annotations).length;
  };
  const schema = async (): Promise<unknown> => {
    const key = keyOf('storeschemas.internal.svc.app', '', SCHEMA_NAME);
    const found = (await server().api.backend.get([key])).get(key);
    return found && (decodeObject(found.value) as KubeObject).spec;
  };

  it('write nothing if there is nothing to migrate', async () => {
    const end = await server().end();
    await run([]);
    expect(await server().end()).to.equal(end);
  });

  it('stop between two steps, continue there, and change each object once', async () => {
    const changed = new Map<string, number>();
    const stop = new AbortController();
    await run([marking(2, 1, changed)], { signal: stop.signal, report: () => stop.abort() });
    expect(changed.size).to.be.greaterThan(100).and.lessThan(COUNT);
    expect(await schema()).to.have.nested.property('migration.to', 2);
    const progress: number[] = [];
    await run([marking(2, 1, changed)], { report: (_migration, done) => progress.push(done) });
    expect(await schema()).to.deep.equal({ version: 2, reads: 1 });
    expect(progress).to.deep.equal([COUNT, COUNT + 3]);
    expect(await marked('mark-2')).to.equal(COUNT + 3);
    expect([...changed.values()].every((times) => times === 1)).to.equal(true);
  });

  it('are done once by several servers that start together', async () => {
    const migrations = [marking(2, 1), marking(3, 2)];
    const end = await server().end();
    await Promise.all([run(migrations), run(migrations), run(migrations)]);
    expect(await schema()).to.deep.equal({ version: 3, reads: 2 });
    // Each object is written once, and the version of the data in each of three steps.
    expect(await server().end()).to.equal(end + COUNT + 3 + 3);
    expect(await marked('mark-3')).to.equal(COUNT + 3);
  });

  it('let a server of the version before go on, and refuse an older one with a sentence', async () => {
    const end = await server().end();
    await run([marking(2, 1)]);
    expect(await server().end()).to.equal(end);
    const refused = await run([]).then(
      () => 'it started',
      (error: Error) => error.message,
    );
    expect(refused).to.include('written by a later version').and.include('version 3').and.include('up to 1');
  });
});
