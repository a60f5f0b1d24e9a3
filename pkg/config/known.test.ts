import { expect } from 'chai';
import fc from 'fast-check';
import { helpText } from './help.js';
import { editDistance, environmentName, KNOWN_SETTINGS, keyOfEnvironmentName } from './known.js';
import { parseDuration, parseSize } from './values.js';

describe('known settings', () => {
  it('have each a description, and a default or a word on what happens without one', () => {
    expect(KNOWN_SETTINGS.length).to.be.greaterThan(25);
    for (const { key, description, fallback, otherwise } of KNOWN_SETTINGS) {
      expect(description, key).to.match(/\.$/);
      expect(fallback ?? otherwise, key).to.not.equal(undefined);
    }
  });

  it('are all in the help', () => {
    const help = helpText();
    for (const { key } of KNOWN_SETTINGS) expect(help).to.contain(`--${key}=`);
  });

  it('have each a name of their own in the environment', () => {
    for (const { key } of KNOWN_SETTINGS) expect(keyOfEnvironmentName(environmentName(key))).to.equal(key);
    expect(environmentName('server.http_port')).to.equal('APISERVER_SERVER_HTTP_PORT');
  });
});

describe('editDistance', () => {
  it('is zero for equal words only, symmetric, and one for one changed letter', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        expect(editDistance(a, b) === 0).to.equal(a === b);
        expect(editDistance(a, b)).to.equal(editDistance(b, a));
      }),
    );
    expect(editDistance('http_port', 'http_prt')).to.equal(1);
  });
});

describe('values', () => {
  it('reads durations and refuses what only looks like one', () => {
    expect(['250ms', '60s', '1.5h', '1h30m'].map(parseDuration)).to.deep.equal([250, 60_000, 5_400_000, 5_400_000]);
    expect(['60', '', '-5s', '5 m', '5y'].map(parseDuration)).to.deep.equal(Array(5).fill(undefined));
  });

  it('reads sizes and refuses what only looks like one', () => {
    expect(['3 MiB', '3MiB', '1kb', '12'].map(parseSize)).to.deep.equal([3_145_728, 3_145_728, 1000, 12]);
    expect(['', 'MiB', '-1', '3 TiB'].map(parseSize)).to.deep.equal(Array(4).fill(undefined));
  });
});
