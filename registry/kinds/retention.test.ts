import { expect } from 'chai';
import { DEFAULT_RETENTION, keptVersions } from './retention.js';

describe('the number of earlier versions that are kept', () => {
  it('is that of the setting, or a smaller one of the kind', () => {
    const kept = (history?: { readonly versions?: number }) =>
      keptVersions({ ...DEFAULT_RETENTION, versions: 7 }, history === undefined ? {} : { history });
    expect([kept({}), kept({ versions: 5 }), kept({ versions: 9 }), kept()]).to.deep.equal([7, 5, 7, 0]);
  });
});
