import { expect } from 'chai';
import fc from 'fast-check';
import { environmentName, HELP_TOPICS, helpText, KNOWN_SETTINGS, keyOfEnvironmentName, nearestKnown } from './known.js';
import { loadConfig } from './load.js';
import { IN_CLONE } from './places.js';
import { parseDuration, parseSize } from './values.js';

describe('known settings', () => {
  it('each have a description, and a default or a text about what applies without a value', () => {
    expect(KNOWN_SETTINGS.length).to.be.greaterThan(25);
    for (const { key, description, fallback, otherwise } of KNOWN_SETTINGS) {
      expect(description, key).to.match(/\.$/);
      expect(fallback ?? otherwise, key).to.not.equal(undefined);
    }
  });

  it('are all in the help text about everything, and each in that of its section', () => {
    for (const { key } of KNOWN_SETTINGS)
      for (const topic of ['all', key.slice(0, key.indexOf('.'))])
        expect(helpText(topic, IN_CLONE)).to.contain(`--${key}=`);
    expect(helpText('server', IN_CLONE)).to.contain('Default: 3000').and.not.contain('--storage.');
    expect(helpText('auth', IN_CLONE)).to.contain('--auth.<provider>.<key>=');
    expect(helpText('frog', IN_CLONE)).to.equal(undefined);
  });

  it('have the same default as a value that is given as the help text shows it', () => {
    const load = (argv: readonly string[]) => loadConfig({ argv, env: {}, readFile: () => '' });
    for (const { key, fallback } of KNOWN_SETTINGS)
      if (fallback !== undefined) expect(load([`--${key}=${fallback}`]).settings, key).to.deep.equal(load([]).settings);
    expect(helpText('webhooks', IN_CLONE)).to.contain('Default: empty');
  });

  it('are named by section in the short help text, which has exit codes and places, too', () => {
    const help = helpText(undefined, { data: '/srv/data', settings: '/srv/settings.ini' });
    for (const topic of HELP_TOPICS) expect(help).to.match(new RegExp(`^  ${topic} |=${topic}\\b`, 'm'));
    expect(help).to.contain('/srv/data').and.contain('/srv/settings.ini').and.contain('Exit codes: 0 ');
    expect(help).not.to.contain('Default: ');
    expect(helpText('paths', { data: '/srv/data', settings: undefined })).to.contain('Default: /srv/data');
  });

  it('each have their own environment variable', () => {
    for (const { key } of KNOWN_SETTINGS) expect(keyOfEnvironmentName(environmentName(key))).to.equal(key);
    expect(environmentName('server.http_port')).to.equal('APISERVER_SERVER_HTTP_PORT');
  });
});

describe('nearestKnown', () => {
  it('finds the setting with the smallest edit distance', () => {
    expect(nearestKnown('http_port')).to.equal('server.http_port');
    expect(nearestKnown('storage.mongo_uri')).to.equal('storage.mongodb_uri');
    expect(nearestKnown('auth.githib.client_id')).to.equal('auth.github.client_id');
  });

  it('finds a known setting itself, and finds some setting for any text', () => {
    for (const { key } of KNOWN_SETTINGS) expect(nearestKnown(key)).to.equal(key);
    fc.assert(fc.property(fc.string(), (key) => nearestKnown(key) !== ''));
    expect(nearestKnown('x'.repeat(1_000_000))).to.not.equal('');
  });
});

describe('values', () => {
  it('reads durations and refuses similar text', () => {
    expect(['250ms', '60s', '1.5h', '1h30m'].map(parseDuration)).to.deep.equal([250, 60_000, 5_400_000, 5_400_000]);
    expect(['60', '', '-5s', '5 m', '5y'].map(parseDuration)).to.deep.equal(Array(5).fill(undefined));
  });

  it('reads sizes and refuses similar text', () => {
    expect(['3 MiB', '3MiB', '1kb', '12'].map(parseSize)).to.deep.equal([3_145_728, 3_145_728, 1000, 12]);
    expect(['', 'MiB', '-1', '3 TiB'].map(parseSize)).to.deep.equal(Array(4).fill(undefined));
  });
});
