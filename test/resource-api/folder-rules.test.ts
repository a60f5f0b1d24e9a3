import { expect } from 'chai';
import { bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { until } from '../identity/iam.js';
import { folder, foldersOf, PARENT, parentOf } from './folders.js';

const PARENT_FIELD = `metadata.annotations[${PARENT}]`;

oneStore('the parent of a folder', (server) => {
  const folders = foldersOf(server);
  const chain = async (length: number): Promise<string[]> => {
    const names: string[] = [];
    for (let i = 0; i < length; i++) {
      const parent = names.at(-1);
      const name = freshName();
      await folders.make(name, parent === undefined ? {} : { parent });
      names.push(name);
    }
    return names;
  };
  const refused = async (work: () => ReturnType<typeof folders.create>, message: string): Promise<void> => {
    const { details } = expectStatus(await changingNothing(server(), work), 400, 'Invalid', message);
    expect(details.causes?.map(({ field }) => field)).to.include(PARENT_FIELD);
  };

  // Promise: specification 2.1
  it('is the root for "general" and "", which are never stored', async () => {
    for (const parent of ['general', '']) {
      const body = await folders.make(freshName(), { parent });
      expect(body.metadata.annotations).to.not.have.property(PARENT);
      const [top = '', leaf = ''] = await chain(2);
      expect(parentOf(await folders.read(leaf))).to.equal(top);
      expect(parentOf(bodyOf(await folders.move(leaf, parent), 200))).to.equal(undefined);
    }
  });

  // Promise: contract 5.6
  it('may be missing in a dry run, which then answers with a warning', async () => {
    const body = folder(freshName(), { parent: 'nowhere' });
    const dry = await changingNothing(server(), () => folders.create(body, { query: { dryRun: 'All' } }));
    expect(bodyOf(dry, 201).metadata.annotations).to.include({ [PARENT]: 'nowhere' });
    expect(String(dry.headers['warning'])).to.include('there is no \\"nowhere\\" in folders.folder.svc.app');
    const [leaf = ''] = await chain(1);
    const query = { dryRun: 'All' };
    const patch = { metadata: { annotations: { [PARENT]: 'nowhere' } } };
    expect(String((await folders.merge(leaf, patch, { query })).headers['warning'])).to.include('nowhere');
  });

  it('is at level 3 at most, if folders at the root have level 1', async () => {
    const names = await chain(4);
    const last = names[3] ?? '';
    await refused(() => folders.create(folder(freshName(), { parent: last })), 'Maximum nested folder depth reached');
  });

  it('is refused if the subtree of a moved folder would be too deep', async () => {
    const [, second = ''] = await chain(2);
    const tall = await chain(3);
    const flat = await chain(2);
    await refused(() => folders.move(tall[0] ?? '', second), 'Maximum nested folder depth reached');
    expect(parentOf(bodyOf(await folders.move(flat[0] ?? '', second), 200))).to.equal(second);
    await refused(() => folders.create(folder(freshName(), { parent: flat[1] ?? '' })), 'Maximum nested folder depth');
  });

  it('is never the folder itself, or a folder below it', async () => {
    const [top = '', middle = '', leaf = ''] = await chain(3);
    await refused(() => folders.move(top, top), 'folder cannot be parent of itself');
    await refused(() => folders.move(top, middle), 'Circular reference detected');
    await refused(() => folders.move(top, leaf), 'Circular reference detected');
    const own = freshName();
    await refused(() => folders.create(folder(own, { parent: own })), 'folder cannot be parent of itself');
  });

  it('must be able to exist', async () => {
    for (const parent of ['no/where', '../x', ' ', '__proto__.x', 'sharedwithme', 'x'.repeat(5000)]) {
      await refused(() => folders.create(folder(freshName(), { parent })), 'there is no');
    }
    const [name = ''] = await chain(1);
    await refused(() => folders.move(name, 'no.where'), 'there is no "no.where"');
  });

  it('increments the generation when it changes, but not when it stays the same', async () => {
    const [top = '', leaf = ''] = await chain(2);
    await changingNothing(server(), async () => bodyOf(await folders.move(leaf, top), 200));
    const moved = bodyOf(await folders.move(leaf, null), 200);
    expect(moved.metadata.generation).to.equal(2);
    await changingNothing(server(), async () => bodyOf(await folders.move(leaf, 'general'), 200));
  });
});

oneStore('names and titles of folders', (server) => {
  const folders = foldersOf(server);

  it('may be names that existing callers use', async () => {
    for (const name of ['A-b_9', '-', '_', '0', 'x'.repeat(40), '__proto__', 'constructor', 'toString', 'watch']) {
      await folders.make(name);
      expect((await folders.read(name)).metadata.name).to.equal(name);
      bodyOf(await folders.remove(name), 200);
    }
  });

  // Promise: specification 2.1
  it('are refused otherwise, with the field metadata.name', async () => {
    const names = [
      'a b',
      'a/b',
      'a.b',
      '..',
      '.',
      'ä',
      'a\u0000',
      'a\n',
      '%41',
      'x'.repeat(41),
      'general',
      'sharedwithme',
      '😀',
    ];
    for (const name of names) {
      const answer = await changingNothing(server(), () => folders.create(folder(name, { title: 'x' })));
      const { details } = expectStatus(answer, 400, 'Invalid');
      expect(
        details.causes?.map(({ field }) => field),
        name,
      ).to.include('metadata.name');
    }
  });

  it('must include a name or a generateName', async () => {
    for (const metadata of [{}, { name: '' }, { name: '', generateName: '' }, { name: null }]) {
      const answer = await changingNothing(server(), () => folders.create({ metadata, spec: { title: 'x' } }));
      expectStatus(answer, 400, 'Invalid', 'name or generateName is required');
    }
  });

  // Promise: specification 2.1
  it('follow the same rule if they are generated', async () => {
    const answer = await changingNothing(server(), () =>
      folders.create({ metadata: { generateName: 'a/b' }, spec: { title: 'x' } }),
    );
    expectStatus(answer, 400, 'Invalid', 'metadata.generateName');
  });

  it('are trimmed, and the title "General" is reserved for the root in any case', async () => {
    const name = freshName();
    expect((await folders.make(name, { title: '  Ops \n' })).spec).to.deep.equal({ title: 'Ops' });
    for (const title of ['General', 'general', ' GENERAL ']) {
      const created = await changingNothing(server(), () => folders.create(folder(freshName(), { title })));
      expectStatus(created, 400, 'Invalid', 'a folder with that name already exists');
      const renamed = await changingNothing(server(), () => folders.merge(name, { spec: { title } }));
      expectStatus(renamed, 400, 'Invalid', 'a folder with that name already exists');
    }
  });

  // Promise: specification 2.1
  it('may be the same title for two folders', async () => {
    await folders.make(freshName(), { title: 'Same' });
    await folders.make(freshName(), { title: 'Same' });
  });
});

oneStore(
  'folders without nested folders',
  (server) => {
    const folders = foldersOf(server);

    it('can be at the root only', async () => {
      const top = freshName();
      await folders.make(top);
      const answer = await changingNothing(server(), () => folders.create(folder(freshName(), { parent: top })));
      expectStatus(answer, 400, 'Invalid', 'nested folders are disabled');
      const other = freshName();
      await folders.make(other, { parent: 'general' });
      expectStatus(await changingNothing(server(), () => folders.move(other, top)), 400, 'Invalid', 'nested folders');
    });

    it('are not deleted with hidden contents, also if their owner is gone', async () => {
      await server().restart({ features: { nestedFolders: true } });
      const [outer, name] = [freshName(), freshName()];
      await folders.make(outer);
      await folders.make(freshName(), { parent: outer });
      await server().restart({ features: { nestedFolders: false } });
      const apiVersion = 'iam.svc.app/v1beta1';
      const user = {
        apiVersion,
        kind: 'User',
        metadata: { name },
        spec: { login: name, email: `${name}@example.com` },
      };
      const { uid } = bodyOf(await server().call('POST', `/apis/${apiVersion}/users`, { body: user }), 201).metadata;
      const ownerReferences = [{ apiVersion, kind: 'User', name, uid }];
      bodyOf(await folders.merge(outer, { metadata: { ownerReferences } }), 200);
      const empty = freshName();
      await folders.make(empty);
      bodyOf(await folders.merge(empty, { metadata: { ownerReferences } }), 200);
      bodyOf(await server().call('DELETE', `/apis/${apiVersion}/users/${name}`), 200);
      await until(async () => (await folders.get(empty)).status === 404);
      expectStatus(
        await changingNothing(server(), () => folders.remove(outer)),
        400,
        'BadRequest',
        'folder is not empty',
      );
      expect((await folders.read(outer)).metadata.deletionTimestamp).to.equal(undefined);
    });
  },
  { features: { nestedFolders: false } },
);

oneStore(
  'folders with another maximum depth',
  (server) => {
    const folders = foldersOf(server);

    it('can be as deep as features.max_folder_depth', async () => {
      await folders.make('one');
      await folders.make('two', { parent: 'one' });
      const answer = await changingNothing(server(), () => folders.create(folder('three', { parent: 'two' })));
      expectStatus(answer, 400, 'Invalid', 'at most 2 levels, this would make 3');
    });
  },
  { features: { maxFolderDepth: 2 } },
);
