import { expect } from 'chai';
import { load } from 'js-yaml';
import { cells, create, FOLDERS_PATH, read, type Setup } from './setup.js';

export function events(setup: Setup): void {
  describe('events', () => {
    before(async () => {
      await create(setup, 'watched-by-controller');
      const { uid } = (await read(setup, 'watched-by-controller')).metadata;
      const event = {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'watched.1', namespace: 'default' },
        involvedObject: {
          apiVersion: 'folder.svc.app/v1beta1',
          kind: 'Folder',
          namespace: 'default',
          name: 'watched-by-controller',
          uid,
        },
        reason: 'Synced',
        message: 'the folder is as it should be',
        type: 'Normal',
        firstTimestamp: new Date().toISOString(),
        lastTimestamp: new Date().toISOString(),
        count: 1,
      };
      await setup.kubectl.ok(['create', '-f', '-'], { input: JSON.stringify(event) });
    });

    // Promise: contract 8
    it('events --for prints what happened to an object', async () => {
      const lines = cells(await setup.kubectl.ok(['events', '--for', 'folder/watched-by-controller']));
      expect(lines[0]?.slice(-4)).to.deep.equal(['TYPE', 'REASON', 'OBJECT', 'MESSAGE']);
      const line = ['Normal', 'Synced', 'Folder/watched-by-controller', 'the folder is as it should be'];
      expect(lines[1]?.slice(-4)).to.deep.equal(line);
    });

    // Promise: contract 8
    it('get events prints them as a table, and describe prints them below the object', async () => {
      const line = cells(await setup.kubectl.ok(['get', 'events', '--field-selector', 'reason=Synced']))[1];
      expect(line).to.include.members(['Normal', 'Synced', 'folder/watched-by-controller']);
      const described = await setup.kubectl.ok(['describe', 'folder', 'watched-by-controller']);
      expect(described).to.match(/Events:[\s\S]*Normal +Synced +.*the folder is as it should be/);
    });

    it('YAML is answered to clients that accept it', async () => {
      const path = `${FOLDERS_PATH}/watched-by-controller`;
      const answer = await setup.server.client.request('GET', path, { headers: { accept: 'application/yaml' } });
      expect(load(answer.text)).to.deep.equal((await setup.server.client.request('GET', path)).json());
    });
  });
}
