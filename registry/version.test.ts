import { expect } from 'chai';
import { jsonOf, requestFor, send } from '../pkg/negotiation/testing.js';
import { versionInfo, versionRoutes } from './version.js';

describe('/version', () => {
  it('is a semantic version that agrees with major and minor', async () => {
    const body = jsonOf(await send(versionRoutes(), requestFor('/version?timeout=32s'))) as Record<string, string>;
    const match = /^v(\d+)\.(\d+)\.(\d+)\+[0-9A-Za-z.-]+$/.exec(body['gitVersion'] ?? '');
    expect(match?.slice(1, 3)).to.deep.equal([body['major'], body['minor']]);
  });

  it('has every field that clients read, as strings', () => {
    const info = versionInfo({ commit: 'abc', date: '2026-01-02T03:04:05Z' });
    expect(Object.keys(info)).to.have.members([
      'major',
      'minor',
      'gitVersion',
      'gitCommit',
      'gitTreeState',
      'buildDate',
      'goVersion',
      'compiler',
      'platform',
    ]);
    expect(info).to.deep.include({ gitCommit: 'abc', gitTreeState: 'clean', buildDate: '2026-01-02T03:04:05Z' });
    expect(Object.values(info).every((value) => typeof value === 'string')).to.equal(true);
  });
});
