import { join } from 'node:path';
import { expect } from 'chai';
import { contents } from '../testing/engine/fixture.js';
import { NOTES } from '../testing/engine/resources.js';
import { BY_NOTES } from './testing/defined.js';
import { eachFolder } from './testing/objects.js';
import { change, expectSame, type KeptServer, memoryStoreOf, type Store, startKept } from './testing/server.js';

const THINGS = 'things.example.org';
const OTHERS = 'others.example.org';

describe('the files of resources that only objects define', () => {
  const root = eachFolder();
  const running = new Set<KeptServer>();
  let store: Store;

  beforeEach(() => {
    store = memoryStoreOf();
  });
  afterEach(async () => {
    for (const server of running) await kill(server);
  });

  async function start(): Promise<KeptServer> {
    const server = await startKept(store, { path: join(root(), 'objects'), isShared: true, defined: BY_NOTES });
    running.add(server);
    return server;
  }

  async function kill(server: KeptServer): Promise<void> {
    running.delete(server);
    await server.kill();
  }

  const names = ({ cacher }: KeptServer, of = THINGS): readonly string[] =>
    contents(cacher.state.resource(of), of).map(({ key }) => key.slice(key.lastIndexOf('/') + 1));
  const inMemory = ({ cacher }: KeptServer, of = THINGS): number => cacher.state.resource(of).inMemory;
  const files = ({ folder }: KeptServer): readonly string[] => folder.files.map(({ name }) => name);

  async function look({ cacher, follower, errors, backend }: KeptServer): Promise<void> {
    await cacher.reach(await backend.end());
    await follower.poll();
    expect(errors).to.deep.equal([]);
  }

  it('are followed by another process, whether they were defined before it started or later', async () => {
    const writer = await start();
    await change(writer, THINGS, {}, NOTES);
    await change(writer, 'a', { title: 'a' }, THINGS);
    await change(writer, 'b', { title: 'b' }, THINGS);
    await writer.checkpointer.flush();
    const follower = await start();
    expect([follower.reads.loaded, names(follower), inMemory(follower)]).to.deep.equal([[], ['a', 'b'], 0]);

    await change(writer, OTHERS, {}, NOTES);
    await change(writer, 'x', { title: 'x' }, OTHERS);
    await change(writer, 'a', undefined, THINGS);
    await change(writer, 'c', { title: 'c' }, THINGS);
    await follower.cacher.reach(await writer.backend.end());
    expect([inMemory(follower), inMemory(follower, OTHERS)]).to.deep.equal([1, 1]);
    await writer.checkpointer.flush();
    await look(follower);
    expect([inMemory(follower), inMemory(follower, OTHERS), files(follower)]).to.deep.equal([0, 0, files(writer)]);
    expect([names(follower), names(follower, OTHERS)]).to.deep.equal([['b', 'c'], ['x']]);
    await expectSame(follower);

    await kill(writer);
    await look(follower);
    await change(follower, 'd', { title: 'd' }, THINGS);
    await follower.checkpointer.flush();
    const next = await start();
    expect([next.reads.loaded, names(next), names(next, OTHERS)]).to.deep.equal([[], ['b', 'c', 'd'], ['x']]);
  });

  it('are followed by a process that does not have what another one deleted with its definition', async () => {
    const writer = await start();
    await change(writer, THINGS, {}, NOTES);
    await change(writer, 'a', { title: 'a' }, THINGS);
    await change(writer, 'b', { title: 'b' }, NOTES);
    await writer.checkpointer.flush();
    await change(writer, 'a', undefined, THINGS);
    await change(writer, THINGS, undefined, NOTES);
    const follower = await start();
    await writer.checkpointer.flush();
    await look(follower);
    expect([names(follower), files(follower)]).to.deep.equal([[], files(writer)]);
  });

  it('do not bring back what was deleted before they were defined again', async () => {
    let server = await start();
    const restart = async (): Promise<void> => {
      await server.checkpointer.flush();
      await kill(server);
      server = await start();
    };
    for (const name of [THINGS, 'kept']) await change(server, name, {}, NOTES);
    await change(server, 'a', { title: 'a' }, THINGS);
    await restart();
    await change(server, 'a', undefined, THINGS);
    await change(server, THINGS, undefined, NOTES);
    await restart();
    await change(server, 'later', {}, NOTES);
    await restart();
    await change(server, THINGS, {}, NOTES);
    await restart();
    expect([server.reads.loaded, names(server)]).to.deep.equal([[], []]);
    await change(server, 'b', { title: 'b' }, THINGS);
    await restart();
    expect([names(server), server.cacher.state.resource(THINGS).size]).to.deep.equal([['b'], 1]);
  });
});
