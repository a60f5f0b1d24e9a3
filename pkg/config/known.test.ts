import { expect } from 'chai';
import fc from 'fast-check';
import { environmentName, helpText, KNOWN_SETTINGS, keyOfEnvironmentName, nearestKnown } from './known.js';
import { parseDuration, parseSize } from './values.js';

describe('known settings', () => {
  it('each have a description, and a default or a text about what applies without a value', () => {
    expect(KNOWN_SETTINGS.length).to.be.greaterThan(25);
    for (const { key, description, fallback, otherwise } of KNOWN_SETTINGS) {
      expect(description, key).to.match(/\.$/);
      expect(fallback ?? otherwise, key).to.not.equal(undefined);
    }
  });

  it('are all in the help text', () => {
    const help = helpText();
    for (const { key } of KNOWN_SETTINGS) expect(help).to.contain(`--${key}=`);
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
