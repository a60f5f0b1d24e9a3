import { expect } from 'chai';
import { LAST_APPLIED } from '../../../pkg/kube/fieldmanager/last-applied.js';
import { withoutAppliedSecrets } from './last-applied.js';
import { MASKED } from './schema.js';

const masked = (copy: string) => withoutAppliedSecrets({ mine: 'x', [LAST_APPLIED]: copy });
const copyOf = (settings: object): string => `${JSON.stringify({ kind: 'SSOSetting', spec: { settings } })}\n`;

describe("kubectl's copy of sign-on settings", () => {
  it('has its secrets masked, and everything else as it was', () => {
    const copy = copyOf({ clientId: 'client', clientSecret: 'hidden', other: { a: 1 } });
    const expected = copyOf({ clientId: 'client', clientSecret: MASKED, other: { a: 1 } });
    expect(masked(copy)).to.deep.equal({ mine: 'x', [LAST_APPLIED]: expected });
    expect(masked(copyOf({ clientSecret: '' }))[LAST_APPLIED]).to.equal(copyOf({ clientSecret: '' }));
    expect(masked('{"spec":{}}')[LAST_APPLIED]).to.equal('{"spec":{}}');
    expect(withoutAppliedSecrets({ mine: 'x' })).to.deep.equal({ mine: 'x' });
  });

  it('is left out if it cannot be read, or is deeper than a body may be', () => {
    const deep = (levels: number) => `{"spec":{"settings":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}}`;
    expect(masked(deep(97))).to.have.all.keys('mine', LAST_APPLIED);
    for (const copy of ['', '{', '1', '[]', deep(98), deep(50_000)]) expect(masked(copy)).to.deep.equal({ mine: 'x' });
  });
});
