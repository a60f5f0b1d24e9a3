import { existsSync, mkdirSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type AccountsCommand, runAccountsCommand } from '../../cmd/adminctl/accounts/commands.js';
import { parseAccounts } from '../../cmd/adminctl/accounts/options.js';
import { compact } from '../../cmd/adminctl/store/compact.js';
import { parseStoreCommand } from '../../cmd/adminctl/store/options.js';
import type { Place } from '../../cmd/adminctl/store/place.js';
import { restore } from '../../cmd/adminctl/store/restore.js';
import { supportBundle } from '../../cmd/adminctl/support/bundle.js';
import { UsageError } from '../../cmd/adminctl/usage.js';
import type { Settings } from '../../pkg/config/schema.js';
import { uriWarnings } from '../../storage/mongodb/connection/options.js';
import { failureOf, LASTING, places, quiet, settingsOf } from './fixture.js';

const FIXTURE = join(import.meta.dirname, '../upgrade/version-1.gz');

for (const store of LASTING) {
  describe(`commands about accounts, without a server (${store})`, function () {
    this.timeout(60_000);
    const { fresh, folder } = places();
    let place: Place;
    let settings: Settings;

    before(async () => {
      place = fresh(store);
      const data = 'data' in place ? place.data : folder();
      mkdirSync(data, { recursive: true });
      settings = { ...settingsOf(place), paths: { ...settingsOf(place).paths, data } };
      settings = { ...settings, audit: { ...settings.audit, output: 'none' } };
      await restore({ file: FIXTURE, settings, force: false, advance: 0 }, quiet());
    });

    const run = (...argv: readonly string[]): Promise<string> => runWith(settings, argv);
    const runWith = async (settings: Settings, argv: readonly string[]): Promise<string> => {
      let text = '';
      const out = new Writable({
        write: (chunk, _encoding, done) => {
          text += String(chunk);
          done();
        },
      });
      const command = parseAccounts(argv, {});
      if (command === undefined) throw new Error('it is another command');
      await runAccountsCommand({ ...command, settings }, { ...quiet(), out });
      return text;
    };

    it('list users, and disable and enable them', async () => {
      expect(await run('users', 'list')).to.match(/^2 +ada +ada@example\.com +by hand +never$/m);
      expect(await run('users', 'disable', 'ada')).to.include('ada is disabled');
      expect(await run('users', 'list')).to.match(/^2 +ada +ada@example\.com +disabled/m);
      expect(await run('users', 'enable', 'ada@example.com')).to.include('is enabled');
      expect(await failureOf(run('users', 'disable', 'nobody'))).to.include('user not found');
    });

    it('list and end sessions, and list and revoke tokens', async () => {
      expect(await run('sessions', 'list', 'ada')).to.match(/^ID +CREATED/);
      expect(await run('sessions', 'end', 'ada')).to.include('All sessions of ada are ended');
      expect(await run('tokens', 'list')).to.match(/^1 +sa-3-robot +robot +deploys/m);
      expect(await run('tokens', 'revoke', 'sa-3-robot', '--id=1')).to.include('is revoked');
      expect(await run('tokens', 'list')).not.to.include('deploys');
    });

    it('write the events of an audit log on the standard output to the standard error, apart from what they print', async () => {
      const [out, err] = [new PassThrough(), new PassThrough()];
      const written: string[] = [];
      const { write } = process.stdout;
      process.stdout.write = ((text: unknown, ...rest: never[]) => {
        written.push(String(text));
        return Reflect.apply(write, process.stdout, [text, ...rest]);
      }) as typeof write;
      try {
        const command = parseAccounts(['sessions', 'end', 'ada'], {});
        const audited = { ...settings, audit: { ...settings.audit, output: 'stdout' as const } };
        await runAccountsCommand({ ...(command as AccountsCommand), settings: audited }, { out, err, env: {} });
      } finally {
        process.stdout.write = write;
      }
      expect(String(out.read())).to.equal('All sessions of ada are ended.\n');
      expect(String(err.read())).to.match(/^\{.*"auditID"/m);
      expect(written.join('')).not.to.include('auditID');
    });

    it('make no store and no data folder, so that a mistyped setting is noticed', async () => {
      const [missing, empty] = [folder(), folder()];
      mkdirSync(empty);
      const elsewhere = (data: string): Settings => ({ ...settings, paths: { ...settings.paths, data } });
      const listed = (settings: Settings) => failureOf(runWith(settings, ['users', 'list']));
      expect(await listed(elsewhere(missing)))
        .to.include(missing)
        .and.include('--paths.data');
      expect(existsSync(missing)).to.equal(false);
      const typo = { ...elsewhere(empty).storage, mongodb_database: `${settings.storage.mongodb_database}-typo` };
      for (let again = 0; again < 2; again++)
        expect(await listed({ ...elsewhere(empty), storage: typo })).to.match(
          /^There is no (?:store|data) in .*\. (?:Name|Set) /,
        );
      expect(await readdir(empty)).to.deep.equal([]);
    });

    // Promise: security browsers
    it('collect a support bundle, with the end of the log and without secrets', async () => {
      const [file, log] = [folder(), folder()];
      await writeFile(log, 'the last line\n');
      const secret = { ...settings, security: { ...settings.security, admin_password: 'very secret' } };
      const told = await supportBundle({ file, settings: secret, log });
      expect(told).to.match(/: settings\.json, versions\.json, store\.json, server\.log\. /);
      for (const name of ['metrics.txt', 'readyz.txt'])
        expect(told).to.include(`\n${name} is missing: The server of ${settings.paths.data} cannot be asked: `);
      const text = gunzipSync(await readFile(file)).toString();
      for (const part of ['"users.iam.svc.app"', 'the last line', '"product"', 'Not available', '*********'])
        expect(text).to.include(part);
      expect(text).not.to.include('very secret');
    });

    it('collect no support bundle without the log or the data folder that is named', async () => {
      const [file, missing] = [folder(), folder()];
      const elsewhere = { ...settings, paths: { ...settings.paths, data: missing } };
      const noLog = await failureOf(supportBundle({ file, settings, log: missing }));
      expect(noLog).to.include(`The log ${missing} cannot be read. Set --log`);
      const noFile = await failureOf(supportBundle({ file, settings, log: settings.paths.data }));
      expect(noFile).to.include('Set --log').and.include('It is no file.');
      const noData = await failureOf(supportBundle({ file, settings: elsewhere, log: undefined }));
      expect(noData).to.include(`The data folder ${missing} cannot be read. Set --paths.data`);
      expect(existsSync(file)).to.equal(false);
    });

    it('compact the log', async () => {
      const old = { ...settings, storage: { ...settings.storage, history: 0 } };
      expect(await compact({ settings: old })).to.match(
        /the log begins after revision \d+, and \d+ changes were removed/,
      );
    });
  });
}

describe('the arguments of adminctl', () => {
  it('are refused if they do not belong to the command', () => {
    const wrong = [
      'users',
      'users frog',
      'users list ada',
      'users disable',
      'sessions list',
      'tokens revoke a',
      'tokens revoke a --id=x',
      'users list --id=1',
    ];
    for (const text of wrong) expect(() => parseAccounts(text.split(' '), {}), text).to.throw(UsageError);
    for (const text of [
      'backup',
      'backup a b',
      'restore a --advance=-1',
      'copy --from=a',
      'copy --from=a --to=b --frog',
      'copy --from=a --to=mongodb:x',
    ])
      expect(() => parseStoreCommand(text.split(' '), {}), text).to.throw(UsageError);
    expect(() => parseStoreCommand(['backup', 'a', '--frog'], {})).to.throw('--frog');
    expect(parseStoreCommand(['frog'], {})).to.equal(undefined);
  });

  it('warn about parts of the URI of a database that nobody uses, as the server does, and name no value', () => {
    const { write } = process.stderr;
    let told = '';
    process.stderr.write = ((text: string) => {
      told += text;
      return true;
    }) as typeof write;
    try {
      const to = 'mongodb://h/db?replicaSet=rs&w=1&readPreference=nearest&maxPoolSize=1';
      parseStoreCommand(['copy', '--from=a', `--to=${to}`], {});
    } finally {
      process.stderr.write = write;
    }
    const server = uriWarnings('mongodb://h/db?w=1&readPreference=nearest&maxPoolSize=1', '--to');
    expect(server).to.have.length(2);
    for (const warning of server) expect(told).to.contain(`adminctl: ${warning}\n`);
    expect(told).to.contain('--to: w, readPreference: ignored').and.not.contain('nearest');
  });
});
