import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { isDamage } from '../../damage.js';
import { Definitions } from '../../state/definitions.js';
import type { Entry } from '../../state/entry.js';
import { ResourceState } from '../../state/resource-state.js';
import { State } from '../../state/state.js';
import { expectCode } from '../../testing/backend/fixture.js';
import { buildTable } from '../format/build.js';
import { END_LENGTH } from '../format/layout.js';
import { EntriesSource, PartSource } from '../format/source.js';
import { TableView } from '../format/table-view.js';
import { plain } from '../testing/model.js';
import { DEFINITION, eachFolder, entryFor, RESOURCE, type Thing } from '../testing/objects.js';
import type { Checkpoint, CheckpointPosition } from './checkpoint.js';
import { type FolderOptions, TableFolder } from './folder.js';

const POSITION: CheckpointPosition = {
  revision: 7,
  newest: 9,
  commit: 'c9',
};

function thingAt(i: number, length = 10): Thing {
  return { namespace: 'a', name: `n${i}`, rows: [['owner', 'u']], attributes: { container: 'c' }, length };
}

function entries(count: number, from = 0): readonly Entry[] {
  return Array.from({ length: count }, (_, i) => entryFor(thingAt(from + i), from + i + 1));
}

describe('the folder of the tables', () => {
  const root = eachFolder();
  const opened: TableFolder[] = [];
  const path = (): string => join(root(), 'objects');
  /** The names of files, without what makes them different from those of all others. */
  const names = (): readonly string[] => readdirSync(path()).map(shortName).sort();
  const fileAt = (name: string): string =>
    join(path(), readdirSync(path()).find((one) => shortName(one) === name) ?? name);

  async function open(options: Partial<FolderOptions> = {}): Promise<TableFolder> {
    const all = { path: path(), program: 'one', inMemory: () => false, ...options };
    const folder = await TableFolder.open(all, new Definitions([DEFINITION]));
    opened.push(folder);
    return folder;
  }

  async function closeAll(): Promise<void> {
    for (const folder of opened.splice(0)) await folder.close();
  }
  afterEach(closeAll);

  async function reopened(
    options: Partial<FolderOptions> = {},
  ): Promise<readonly [TableFolder, Checkpoint | undefined]> {
    await closeAll();
    const folder = await open(options);
    const loaded = await folder.load();
    return [folder, 'reason' in loaded ? undefined : loaded];
  }

  /** Writes a file, and uses it. */
  async function write(folder: TableFolder, all: readonly Entry[]): Promise<TableView> {
    const file = await folder.write(async (sink) => {
      return { [RESOURCE]: (await buildTable(sink, [new EntriesSource(all)])).layout };
    });
    folder.use(file);
    return new TableView(file.tables.get(RESOURCE) as TableView['table']);
  }

  async function stateOf(parts: readonly TableView[]): Promise<State> {
    const resource = await ResourceState.filled({ parts, rest: [] });
    return new State(POSITION.newest, undefined, new Map(), POSITION.commit).keptAs([[RESOURCE, resource]]);
  }

  /** A folder with two files, of which one object each is gone. Returns what is left. */
  async function fill(): Promise<readonly unknown[]> {
    const folder = await open();
    await folder.load();
    const parts = [await write(folder, entries(3)), await write(folder, entries(3, 3))];
    for (const part of parts) part.deleted.add(1);
    const state = await stateOf(parts);
    await folder.keep(state, POSITION.revision);
    return contentOf(state.resource(RESOURCE));
  }

  const contentOf = (state: ResourceState): readonly unknown[] => [...state.entries('', '~')].map(plain);

  async function expectEmpty(
    folder: TableFolder,
    checkpoint: Checkpoint | undefined,
    options: Partial<FolderOptions> = {},
  ): Promise<void> {
    expect([checkpoint, folder.position, folder.files.length]).to.deep.equal([undefined, undefined, 0]);
    expect(names()).to.deep.equal(['lock', 'writer']);
    // It can be used as a new one.
    await folder.keep(await stateOf([await write(folder, entries(2))]), POSITION.revision);
    const [, again] = await reopened(options);
    expect(again?.parts.get(RESOURCE)?.map(({ size }) => size)).to.deep.equal([2]);
  }

  it('is empty at first, and has nothing if nothing was kept', async () => {
    const folder = await open();
    const nothing = { reason: 'there was nothing' };
    expect([await folder.load(), folder.position, folder.keeps(RESOURCE)]).to.deep.equal([nothing, undefined, true]);
    await write(folder, entries(3));
    const [again, checkpoint] = await reopened();
    await expectEmpty(again, checkpoint);
  });

  it('has what was kept after it was opened again, without what was gone', async () => {
    const content = await fill();
    expect(content).to.have.length(4);
    for (let times = 0; times < 2; times++) {
      const [folder, checkpoint] = await reopened();
      expect([checkpoint?.revision, checkpoint?.commit]).to.deep.equal([POSITION.revision, POSITION.commit]);
      expect(folder.position).to.deep.equal(POSITION);
      const parts = checkpoint?.parts.get(RESOURCE) as readonly TableView[];
      expect(contentOf((await stateOf(parts)).resource(RESOURCE))).to.deep.equal(content);
    }
  });

  it('has the newest of what was kept, and goes on with other names of files', async () => {
    await fill();
    const [folder, checkpoint] = await reopened();
    const parts = [...(checkpoint?.parts.get(RESOURCE) ?? []), await write(folder, entries(2, 10))];
    parts[0]?.deleted.add(0);
    await folder.keep(await stateOf(parts), 12);
    const [, again] = await reopened();
    expect([again?.revision, again?.commit]).to.deep.equal([12, POSITION.commit]);
    expect(again?.parts.get(RESOURCE)?.map(({ size }) => size)).to.deep.equal([1, 2, 2]);
    expect(names()).to.deep.equal(['1.tables', '2.tables', '3.tables', 'lock', 'manifest', 'writer']);
  });

  it('removes files that were replaced, but only when others are kept in their place', async () => {
    await fill();
    const [folder, checkpoint] = await reopened();
    const second = checkpoint?.parts.get(RESOURCE)?.[1] as TableView;
    const replaced = await folder.write(async (sink) => {
      return { [RESOURCE]: (await buildTable(sink, [new EntriesSource(entries(1))])).layout };
    });
    folder.use(replaced, folder.files.slice(0, 1));
    expect(folder.files.map(({ name }) => shortName(name))).to.deep.equal(['3.tables', '2.tables']);
    expect(names()).to.include('1.tables');
    await folder.keep(
      await stateOf([new TableView(replaced.tables.get(RESOURCE) as TableView['table']), second]),
      POSITION.revision,
    );
    expect(names()).to.deep.equal(['2.tables', '3.tables', 'lock', 'manifest', 'writer']);
    const [, again] = await reopened();
    expect(again?.parts.get(RESOURCE)?.map(({ size }) => size)).to.deep.equal([1, 2]);
  });

  it('throws away what another program has kept', async () => {
    await fill();
    const options = { program: 'another' };
    const [folder, checkpoint] = await reopened(options);
    await expectEmpty(folder, checkpoint, options);
  });

  const damages: Readonly<Record<string, () => void>> = {
    'a manifest with another byte': () => flip(join(path(), 'manifest'), 100),
    'a manifest that is cut': () => truncateSync(join(path(), 'manifest'), 50),
    'an empty manifest': () => writeFileSync(join(path(), 'manifest'), ''),
    'a manifest of an unknown form': () => writeFileSync(join(path(), 'manifest'), '12345\n{}'),
    'no manifest': () => rmSync(join(path(), 'manifest')),
    'a file that is cut': () => truncateSync(fileAt('1.tables'), 100),
    'a file whose last byte is missing': () => truncateSync(fileAt('2.tables'), sizeOf('2.tables') - 1),
    'an empty file': () => truncateSync(fileAt('2.tables'), 0),
    'no file': () => rmSync(fileAt('2.tables')),
    'a file with another byte in its layout': () => flip(fileAt('1.tables'), sizeOf('1.tables') - END_LENGTH - 5),
    'a file with another byte at its end': () => flip(fileAt('1.tables'), sizeOf('1.tables') - 1),
    'a file with another length of its layout': () => flip(fileAt('1.tables'), sizeOf('1.tables') - END_LENGTH + 3),
  };
  const sizeOf = (name: string): number => statSync(fileAt(name)).size;

  for (const [name, damage] of Object.entries(damages))
    it(`throws everything away if there is ${name}`, async () => {
      await fill();
      await closeAll();
      damage();
      const [folder, checkpoint] = await reopened();
      await expectEmpty(folder, checkpoint);
    });

  it('removes files that are left over, also a manifest that was not finished', async () => {
    const content = await fill();
    // An earlier version had a folder for each worker.
    mkdirSync(join(path(), '0'));
    for (const name of ['99.tables', 'manifest.next', '0/1.tables']) writeFileSync(join(path(), name), 'x');
    const [, checkpoint] = await reopened();
    expect(names()).to.deep.equal(['1.tables', '2.tables', 'lock', 'manifest', 'writer']);
    const parts = checkpoint?.parts.get(RESOURCE) as readonly TableView[];
    expect(contentOf((await stateOf(parts)).resource(RESOURCE))).to.deep.equal(content);
  });

  it('keeps files and folders that no server has made', async () => {
    await fill();
    const foreign = ['anything', 'x.tables', '7/photo', 'photos/1.tables'];
    for (const name of ['7', 'photos']) mkdirSync(join(path(), name));
    for (const name of foreign) writeFileSync(join(path(), name), 'x');
    const [folder] = await reopened();
    await folder.clean(await folder.names());
    await folder.clear();
    for (const name of foreign) expect(readFileSync(join(path(), name), 'utf8'), name).to.equal('x');
  });

  it('is refused, and stays as it is, if it has files of another program and was never used', async () => {
    for (const name of ['photos', '1.tables.bak', 'lock', 'manifest.json']) {
      mkdirSync(path());
      writeFileSync(join(path(), name), 'x');
      if (name === 'lock') writeFileSync(join(path(), 'pack'), 'x');
      const before = readdirSync(path());
      await expectCode(open(), 'refused');
      expect(readdirSync(path())).to.deep.equal(before);
      rmSync(path(), { recursive: true });
    }
  });

  it('can be where a file system is mounted, and one that only has its locks', async () => {
    mkdirSync(join(path(), 'lost+found'), { recursive: true });
    await (await open()).load();
    await reopened();
    expect(names()).to.deep.equal(['lock', 'lost+found', 'writer']);
  });

  it('leaves no file behind whose writing fails, and writes others afterwards', async () => {
    const folder = await open();
    await folder.load();
    const failure = await folder.write(() => Promise.reject(new Error('on purpose'))).catch(String);
    expect([failure, names()]).to.deep.equal(['Error: on purpose', ['lock', 'writer']]);
    expect((await write(folder, entries(2))).size).to.equal(2);
    const unused = await folder.write(async () => ({}));
    await folder.discard(unused);
    expect(names()).to.deep.equal(['2.tables', 'lock', 'writer']);
  });

  it('keeps no copy of a file that somebody has written to while it was copied', async () => {
    const folder = await open();
    await folder.load();
    const part = await write(folder, entries(3));
    const copy = folder.write(async (sink) => {
      const { layout } = await buildTable(sink, [new PartSource(part)]);
      const bytes = readFileSync(fileAt('1.tables'));
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      writeFileSync(fileAt('1.tables'), bytes);
      return { [RESOURCE]: layout };
    });
    expect(isDamage(await copy.catch((error: unknown) => error))).to.equal(true);
    expect(folder.damage).to.not.equal(undefined);
    expect(names()).to.deep.equal(['1.tables', 'lock', 'writer']);
  });

  it('is refused to a second server, and free after the first has closed it', async () => {
    await open();
    await expectCode(open(), 'refused');
    const message = await open().catch(String);
    expect(message).to.include(path());
    await closeAll();
    await open();
  });

  it('can be read by its owner only', async () => {
    const mask = process.umask(0);
    try {
      await fill();
    } finally {
      process.umask(mask);
    }
    expect(statSync(path()).mode & 0o777).to.equal(0o700);
    for (const name of names()) expect(statSync(fileAt(name)).mode & 0o777, name).to.equal(0o600);
    expect(names()).to.have.length(5);
  });

  it('keeps no objects of a resource that stays in memory', async () => {
    const folder = await open({ inMemory: (resource) => resource === RESOURCE });
    expect(folder.keeps(RESOURCE)).to.equal(false);
  });

  it('is empty after it was cleared, while what is used stays readable', async () => {
    const content = await fill();
    const [folder, checkpoint] = await reopened();
    const state = await stateOf(checkpoint?.parts.get(RESOURCE) as readonly TableView[]);
    await folder.clear();
    expect([names(), folder.position, folder.files]).to.deep.equal([['lock', 'writer'], undefined, []]);
    expect(contentOf(state.resource(RESOURCE))).to.deep.equal(content);
    await expectEmpty(folder, undefined);
  });
});

function shortName(name: string): string {
  return name.replace(/-[0-9a-f]{12}/, '');
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x20, at);
  writeFileSync(path, bytes);
}
