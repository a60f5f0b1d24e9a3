import { Writable } from 'node:stream';
import { expect } from 'chai';
import { backup } from '../../cmd/adminctl/store/backup.js';
import { check } from '../../cmd/adminctl/store/check.js';
import { copy } from '../../cmd/adminctl/store/copy.js';
import type { Place } from '../../cmd/adminctl/store/place.js';
import { restore } from '../../cmd/adminctl/store/restore.js';
import { bodyOf } from '../harness/resource.js';
import { openServer, type Server } from '../harness/server.js';
import { worldOf } from '../history/past.js';
import { LASTING, openAt, places, quiet, settingsOf } from '../tools/fixture.js';
import { DEFINITIONS, define, definitionOf, resourceOfDefinition } from './definition.js';

for (const store of LASTING) {
  describe(`stored definitions and custom objects (${store})`, function () {
    this.timeout(120_000);
    const { folder, fresh } = places();
    let source: Place;

    const working = async <T>(place: Place, work: (server: Server) => Promise<T>): Promise<T> => {
      const server = await openServer(await openAt(place));
      try {
        return await work(server);
      } finally {
        await server.close();
      }
    };
    const checked = async (place: Place): Promise<string> => {
      const lines: string[] = [];
      const write = (chunk: unknown, _encoding: unknown, done: () => void): void => {
        lines.push(String(chunk));
        done();
      };
      const out = new Writable({ write });
      await check({ settings: settingsOf(place) }, { out, err: out, env: {} });
      return lines.join('');
    };
    const fill = async (server: Server): Promise<void> => {
      const reports = await define(() => server);
      await worldOf(() => server).folder('box');
      for (const name of ['a', 'b', 'c']) {
        const metadata = { annotations: { 'svc.app/folder': 'box' } };
        bodyOf(await reports.objects.create(reports.object(name, { title: name, color: 'red' }, metadata)), 201);
        bodyOf(await reports.objects.merge(name, { spec: { note: 'second' } }), 200);
      }
      bodyOf(await reports.objects.remove('c'), 200);
    };
    const expectAll = async (server: Server): Promise<void> => {
      const { objects } = resourceOfDefinition(() => server, definitionOf());
      const { restore: bringBack, versions } = worldOf(() => server);
      const red = bodyOf(await objects.list({ query: { fieldSelector: 'spec.color=red' } }), 200);
      expect(red.items.map(({ metadata }) => metadata.name)).to.deep.equal(['a', 'b']);
      expect(await versions(objects, 'a')).to.have.lengthOf(2);
      bodyOf(await bringBack(objects, 'c'), 201);
      bodyOf(await objects.remove('c'), 200);
      bodyOf(await server.call('GET', `${DEFINITIONS}/folders.folder.svc.app`), 200);
    };

    before(async () => {
      source = fresh(store);
      await working(source, fill);
    });

    it('are served after a restart, also if the log is compacted', async () => {
      await working(source, async (server) => {
        await expectAll(server);
        await server.restart();
        await expectAll(server);
        await server.restart({ compact: true });
        await expectAll(server);
      });
    });

    it('have nothing wrong', async () => {
      expect(await checked(source)).to.match(/: nothing is wrong\.\n$/);
    });

    for (const target of LASTING) {
      it(`are restored from a backup and copied to ${target}`, async () => {
        const file = folder();
        await backup({ file, settings: settingsOf(source) }, quiet());
        const restored = fresh(target);
        await restore({ file, settings: settingsOf(restored), force: false, advance: 0 }, quiet());
        expect(await checked(restored)).to.match(/: nothing is wrong\.\n$/);
        await working(restored, expectAll);
        const copied = fresh(target);
        await copy({ from: source, to: copied, force: false }, quiet());
        await working(copied, expectAll);
      });
    }
  });
}
