import { expect } from 'chai';
import { passwordProblem } from './password-policy.js';

describe('passwordProblem', () => {
  const RULES = { minLength: 4, refusesCommon: true };
  const problem = (password: string, rules = RULES) => passwordProblem(password, rules, ['vic', 'Vic@Example.com']);

  it('refuses passwords that are too short or too long', async () => {
    expect(await problem('x7Q')).to.equal('short');
    expect(await problem('')).to.equal('short');
    expect(await problem('x7Qp')).to.equal(undefined);
    expect(await problem('x7Qpx7Qp', { ...RULES, minLength: 9 })).to.equal('short');
    expect(await problem('x7'.repeat(500))).to.equal(undefined);
    expect(await problem('x7'.repeat(501))).to.equal('long');
  });

  it('refuses common passwords, in any case, and the names of the user', async () => {
    for (const common of ['1234', 'admin', 'Admin', 'password', 'PASSWORD1', 'letmein', 'vic@example.com']) {
      expect(await problem(common), common).to.equal('common');
    }
    expect(await passwordProblem('Günther', RULES, ['GU\u0308NTHER'])).to.equal('common');
    for (const good of ['open sesame', 'admin of dashboards', '__proto__', 'constructor']) {
      expect(await problem(good), good).to.equal(undefined);
    }
  });

  it('takes common passwords if it is told to', async () => {
    expect(await problem('admin', { ...RULES, refusesCommon: false })).to.equal(undefined);
  });
});
