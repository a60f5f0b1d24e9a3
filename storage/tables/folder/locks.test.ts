import { expect } from 'chai';
import { expectCode } from '../../testing/backend/fixture.js';
import { eachFolder } from '../testing/objects.js';
import { lockFolder, lockWriter, type Unlock } from './locks.js';

describe('the locks of a folder', () => {
  const path = eachFolder();

  it('refuse a second server, also while no process of the first one writes', async () => {
    const { server, writer } = await lockFolder(path());
    await expectCode(lockFolder(path()), 'refused');
    await writer();
    await expectCode(lockFolder(path()), 'refused');
    await server();
    const again = await lockFolder(path());
    for (const unlock of Object.values(again)) await unlock();
  });

  it('let one process write', async () => {
    const first = (await lockWriter(path())) as Unlock;
    expect(await lockWriter(path())).to.equal(undefined);
    await first();
    const second = (await lockWriter(path())) as Unlock;
    expect(second).to.be.a('function');
    await second();
  });

  it('wait for a process of an earlier server that ends', async () => {
    const left = (await lockWriter(path())) as Unlock;
    const opened = lockFolder(path());
    setTimeout(() => void left(), 200);
    const { server, writer } = await opened;
    for (const unlock of [server, writer]) await unlock();
  });

  it('refuse a server if that does not end, and do not keep the folder from the next one', async () => {
    const left = (await lockWriter(path())) as Unlock;
    await expectCode(lockFolder(path()), 'refused');
    await left();
    const { server, writer } = await lockFolder(path());
    for (const unlock of [server, writer]) await unlock();
  });
});
