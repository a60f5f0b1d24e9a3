import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Writable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { backup } from '../../cmd/adminctl/store/backup.js';
import type { Place } from '../../cmd/adminctl/store/place.js';
import { restore } from '../../cmd/adminctl/store/restore.js';
import { contentsOf, failureOf, LASTING, openAt, places, quiet, settingsOf, using, write } from './fixture.js';

const ROUNDS = 4;

/** The names of the file, and of temporary files beside it. */
async function filesOf(file: string): Promise<readonly string[]> {
  const names = await readdir(dirname(file));
  return names.filter((name) => name === basename(file) || name.startsWith(`${basename(file)}.`));
}

for (const store of LASTING) {
  describe(`backup and restore (${store})`, function () {
    this.timeout(60_000);
    const { folder, fresh, embedded } = places();
    let source: Place;

    before(async () => {
      source = fresh(store);
      await using(source, async (backend) => {
        for (let round = 0; round < ROUNDS; round++) await write(backend, round);
      });
    });

    const saved = async (from: Place = source): Promise<string> => {
      const file = folder();
      await backup({ file, settings: settingsOf(from) }, quiet());
      return file;
    };
    const restored = async (file: string, to: Place, options = {}): Promise<string> =>
      restore({ file, settings: settingsOf(to), force: false, advance: 0, ...options }, quiet());
    for (const target of LASTING) {
      it(`keeps objects, revisions, counters, index rows and counts on ${target}`, async () => {
        const to = fresh(target);
        await restored(await saved(), to);
        expect(await contentsOf(to)).to.deep.equal(await contentsOf(source));
      });
    }

    it('leaves nothing of a backup that the operator interrupts', async () => {
      const file = folder();
      const before = process.listenerCount('SIGTERM');
      // The progress bar is drawn while the backup is written.
      const write = (_chunk: unknown, _encoding: unknown, done: () => void): void => {
        process.emit('SIGTERM');
        done();
      };
      const err = Object.assign(new Writable({ write }), { isTTY: true });
      const message = await failureOf(backup({ file, settings: settingsOf(source) }, { ...quiet(), err }));
      expect(message).to.include(`The backup was interrupted before ${file} was complete.`);
      expect(await filesOf(file)).to.deep.equal([]);
      expect(process.listenerCount('SIGTERM')).to.equal(before);
    });

    it('restores a store that goes on where the backup ended, and has no earlier changes', async () => {
      const to = fresh(store);
      await restored(await saved(), to);
      await using(to, async (backend) => {
        const end = await backend.end();
        expect(await backend.compacted()).to.equal(end);
        await write(backend, ROUNDS);
        const tail = backend.tail(end, AbortSignal.timeout(10_000))[Symbol.asyncIterator]();
        expect((await tail.next()).value.changes).to.have.length(6);
        await tail.return?.();
      });
    });

    it('lets the store begin later with --advance, so that no revision is used twice', async () => {
      const to = fresh(store);
      await restored(await saved(), to, { advance: 1000 });
      await using(to, async (backend) => {
        expect(await backend.end()).to.equal(ROUNDS * 6 + 1000);
        await write(backend, ROUNDS);
        expect(await backend.end()).to.equal(ROUNDS * 6 + 1006);
      });
    });

    it('writes one revision while a server writes', async () => {
      const place = fresh(store);
      const backend = await openAt(place);
      try {
        await write(backend, 0, 400);
        let isOver = false;
        const writing = (async () => {
          for (let round = 1; !isOver; round++) await write(backend, round, 20);
        })();
        const files = [await saved(place), await saved(place)];
        isOver = true;
        await writing;
        for (const file of files) await expectPrefix(file);
      } finally {
        await backend.close();
      }
    });

    /** Expects all revisions up to that of the backup. Each round writes its objects once, in order. */
    async function expectPrefix(file: string): Promise<void> {
      const to = embedded();
      await restored(file, to);
      const [head, ...objects] = await contentsOf(to);
      const end = Number(head?.split(' ')[1]);
      const revisions = objects
        .map((line) => Number(/"resourceVersion":"(\d+)"/.exec(line)?.[1]))
        .sort((a, b) => a - b);
      expect(revisions).to.deep.equal(Array.from({ length: end }, (_, i) => i + 1));
    }

    it('can be read by its owner only, and has its name only when it is complete', async () => {
      const file = await saved();
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
      expect(await filesOf(file)).to.deep.equal([basename(file)]);
    });

    describe('refuses before anything is written', () => {
      const refused = async (file: string): Promise<string> => {
        const to = fresh(store);
        const message = await failureOf(restored(file, to));
        if ('data' in to) expect(existsSync(to.data), 'a folder was made').to.equal(false);
        else expect(await failureOf(contentsOf(to))).to.include('There is no data');
        return message;
      };
      const changed = async (change: (bytes: Buffer) => Uint8Array): Promise<string> => {
        const file = await saved();
        await writeFile(file, change(await readFile(file)));
        return file;
      };

      it('a torn file, wherever it ends', async () => {
        const { length } = await readFile(await saved());
        for (const part of [0.3, 0.6, 0.9, (length - 1) / length]) {
          const file = await changed((bytes) => bytes.subarray(0, Math.floor(bytes.length * part)));
          expect(await refused(file)).to.match(/is damaged|is not a backup/);
        }
      });

      it('a file without its end', async () => {
        const file = await changed((bytes) => {
          const text = gunzipSync(bytes);
          return gzipSync(text.subarray(0, text.lastIndexOf('{"end"')));
        });
        expect(await refused(file)).to.include('it has no end');
      });

      it('a file with one changed character', async () => {
        const file = await changed((bytes) => {
          const text = gunzipSync(bytes);
          text[text.indexOf('uid-7')] = 0x55;
          return gzipSync(text);
        });
        expect(await refused(file)).to.include('SHA-256');
      });

      it('a file of something else', async () => {
        const file = folder();
        for (const bytes of [
          Buffer.from('hello'),
          gzipSync('hello\n'),
          gzipSync('{"format":"other"}\n'),
          Buffer.alloc(0),
        ]) {
          await writeFile(file, bytes);
          expect(await refused(file)).to.include('is not a backup of this server');
        }
        expect(await refused(folder())).to.include('cannot be read');
      });

      // Promise: security tools
      it('a file of a later version, and one of another API domain', async () => {
        const renamed = (from: string, to: string) =>
          changed((bytes) => gzipSync(gunzipSync(bytes).toString('latin1').replace(from, to)));
        expect(await refused(await renamed('"version":2', '"version":3'))).to.include('later version');
        const file = await saved();
        const to = fresh(store);
        const settings = { ...settingsOf(to), api: { ...settingsOf(to).api, domain: 'other.app' } };
        expect(await failureOf(restore({ file, settings, force: false, advance: 0 }, quiet()))).to.include(
          'API domain svc.app',
        );
      });
    });

    // Promise: security tools
    it('restores over other data only with --force, and then leaves nothing of it', async () => {
      const to = fresh(store);
      await using(to, (backend) => write(backend, 77, 5));
      const before = await contentsOf(to);
      const file = await saved();
      expect(await failureOf(restored(file, to))).to.include('--force');
      expect(await contentsOf(to)).to.deep.equal(before);
      await restored(file, to, { force: true });
      expect(await contentsOf(to)).to.deep.equal(await contentsOf(source));
    });

    it('is refused while a server uses the store', async () => {
      const to = fresh(store);
      const file = await saved();
      await using(to, async (backend) => {
        await write(backend, 0);
        expect(await failureOf(restored(file, to, { force: true }))).to.match(/in use|server uses/);
      });
    });
  });
}
