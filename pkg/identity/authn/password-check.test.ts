import { expect } from 'chai';
import { tooManyRequests } from '../../kube/status/errors.js';
import { ApiError } from '../../kube/status/status.js';
import { hashPassword } from './password.js';
import { type PasswordAccount, type PasswordCheckOptions, passwordCheck } from './password-check.js';
import { PasswordQueue } from './password-queue.js';

const CHEAP = { ln: 4, r: 8, p: 1 };
const HOME = '192.0.2.1';
const user = { name: 'vic', uid: 'u-vic', groups: [], extra: {} };
const count = (codes: readonly number[], wanted: number): number => codes.filter((code) => code === wanted).length;

describe('passwordCheck', () => {
  let account: PasswordAccount;
  let now = 0;
  /** The number of passwords that were compared. */
  let checked = 0;
  let retryAfter: number | undefined;

  before(async () => {
    account = { user, hash: await hashPassword('right', CHEAP), revision: '1' };
  });
  beforeEach(() => {
    [now, checked, retryAfter] = [Date.parse('2026-01-01'), 0, undefined];
  });

  /** Only `vic` and their e-mail address are accounts. */
  function make(options: Partial<PasswordCheckOptions> = {}) {
    const find = (login: string) => (/^(vic|vic@example\.com)$/i.test(login) ? account : undefined);
    const run: PasswordQueue['run'] = async (work) => {
      checked++;
      await new Promise((resolve) => setImmediate(resolve));
      return work();
    };
    const check = passwordCheck({ find, queue: { run }, unknown: account.hash, now: () => now, ...options });
    return (password: string, address = HOME, login = 'vic'): Promise<number> =>
      check(login, password, address).then(
        () => 200,
        (error: unknown) => {
          if (!(error instanceof ApiError)) return Number.NaN;
          retryAfter = error.details?.retryAfterSeconds;
          return error.code;
        },
      );
  }

  // Promise: security tools
  it('tells of failures with the login of the account, but not with what was typed: it may be a password', async () => {
    const failures: unknown[] = [];
    const ask = make({ onFailed: (failure) => void failures.push(failure) });
    const codes = [await ask('wrong', HOME, 'vic@example.com'), await ask('x', HOME, 'hunter2'), await ask('right')];
    expect(codes).to.deep.equal([401, 401, 200]);
    for (let i = 0; i < 15; i++) await ask('wrong', '198.51.100.1');
    const [wrong, unknown, ...others] = failures;
    const by = 'password';
    expect(wrong).to.deep.equal({ by, login: user.name, address: HOME, why: 'the password is wrong' });
    const why = 'no account has this login and a password, and is enabled';
    expect(unknown).to.deep.equal({ by, login: undefined, address: HOME, why });
    expect(JSON.stringify(others)).to.contain('oo many');
  });

  describe('while a stranger guesses at one account', () => {
    const strangers = ['198.51.100.1', '198.51.100.2', '198.51.100.3'];
    const guess = async (ask: ReturnType<typeof make>, times: number): Promise<readonly number[]> => {
      const codes = [];
      for (let i = 0; i < times; i++) codes.push(await ask(`wrong${i}`, strangers[i % strangers.length]));
      return codes;
    };

    it('compares three of fifteen guesses from three addresses', async () => {
      const codes = await guess(make(), 15);
      expect([count(codes, 401), count(codes, 429), checked]).to.deep.equal([3, 12, 3]);
    });

    it('compares about one guess a minute in the long run, and tells when to come back', async () => {
      const ask = make();
      let compared = 0;
      for (let second = 0; second < 3_600; second += 5) {
        for (const address of strangers) if ((await ask('wrong', address)) === 401) compared++;
        now += 5_000;
      }
      expect(compared).to.be.within(20, 70);
      await ask('wrong', '198.51.100.9');
      await ask('wrong', '198.51.100.9');
      expect(retryAfter).to.be.within(1, 60);
    });

    it('goes on to accept the right password from the usual address', async () => {
      const ask = make();
      expect(await ask('right')).to.equal(200);
      await guess(ask, 30);
      for (let i = 0; i < 5; i++) expect(await ask('right')).to.equal(200);
    });

    it('accepts the right password from another address after the wait that it was told', async () => {
      const ask = make();
      await guess(ask, 15);
      expect(await ask('right')).to.equal(429);
      now += (retryAfter ?? 0) * 1_000;
      expect(await ask('right')).to.equal(200);
      expect(retryAfter).to.equal(1);
    });

    it('knows the usual address from a session, as after a restart', async () => {
      const ask = make({ hasSessionFrom: ({ uid }, key) => uid === 'u-vic' && key === HOME });
      await guess(ask, 15);
      expect(await ask('right')).to.equal(200);
      expect(await ask('right', '192.0.2.9')).to.equal(429);
    });

    it('does not take an address for usual after the password was changed elsewhere', async () => {
      const ask = make();
      await ask('right');
      account = { ...account, revision: '2' };
      await guess(ask, 15);
      expect(await ask('wrong')).to.equal(429);
    });
  });

  it('delays an address that fails at many accounts for all of them, but not for those who sign in there', async () => {
    const ask = make();
    expect(await ask('right')).to.equal(200);
    const codes = [];
    for (let i = 0; i < 24; i++) codes.push(await ask('Sommer2026', HOME, `account${i}`));
    expect([count(codes, 401), count(codes, 429)]).to.deep.equal([10, 14]);
    expect([await ask('right'), await ask('wrong', '192.0.2.2', 'account1')]).to.deep.equal([200, 401]);
  });

  it('counts the addresses of an IPv6 network as one', async () => {
    const ask = make();
    const codes = [];
    for (let i = 0; i < 24; i++) codes.push(await ask('wrong', `2001:db8::${i}`, `account${i}`));
    expect(count(codes, 401)).to.equal(10);
  });

  it('limits guesses from the usual address, too, and forgives them after the right password', async () => {
    const ask = make();
    await ask('right');
    for (let i = 0; i < 4; i++) expect(await ask('wrong')).to.equal(401);
    expect(await ask('right')).to.equal(200);
    const codes = [];
    for (let i = 0; i < 8; i++) codes.push(await ask('wrong'));
    expect([count(codes, 401), count(codes, 429)]).to.deep.equal([5, 3]);
    now += 1_000;
    expect(await ask('right')).to.equal(200);
  });

  it('does not forgive an address because of an account of its own', async () => {
    const ask = make();
    const codes = [];
    for (let i = 0; i < 24; i++) {
      codes.push(await ask('wrong', HOME, `account${i}`));
      if (i % 5 === 0) expect(await ask('right')).to.equal(200);
    }
    expect(count(codes, 401)).to.equal(10);
  });

  it('treats names that nobody has as all others', async () => {
    const ask = make();
    const codesOf = async (login: string): Promise<readonly (number | undefined)[]> => {
      const codes = [];
      for (let i = 0; i < 6; i++) codes.push(await ask('wrong', `198.51.100.${i}`, login), retryAfter);
      return codes;
    };
    expect(await codesOf('vic')).to.deep.equal(await codesOf('nobody'));
  });

  it('counts all spellings of a name as one, and login and e-mail address apart', async () => {
    const ask = make();
    const codes = [];
    for (const name of ['vic', 'VIC', 'Vic', 'vIc']) codes.push(await ask('wrong', HOME, name));
    expect(codes).to.deep.equal([401, 401, 401, 429]);
    expect(await ask('wrong', '192.0.2.2', 'vic@example.com')).to.equal(401);
  });

  describe('for attempts at the same time', () => {
    const together = (ask: ReturnType<typeof make>, passwords: readonly string[]) =>
      Promise.all(passwords.map((password) => ask(password)));

    it('accepts any number of right passwords', async () => {
      expect(count(await together(make(), Array(30).fill('right')), 200)).to.equal(30);
    });

    it('accepts right passwords beside wrong ones within the limit', async () => {
      const passwords = Array.from({ length: 24 }, (_, index) => (index % 12 === 1 ? 'wrong' : 'right'));
      const codes = await together(make(), passwords);
      expect([count(codes, 200), count(codes, 401)]).to.deep.equal([22, 2]);
    });

    it('compares no more wrong passwords than the limit', async () => {
      const ask = make();
      const codes = await together(
        ask,
        Array.from({ length: 60 }, (_, index) => `wrong${index}`),
      );
      expect([count(codes, 401), count(codes, 429), checked]).to.deep.equal([3, 57, 3]);
    });

    it('lets a bounded number wait for those being checked', async () => {
      const ask = make();
      const codes = await together(ask, Array(100).fill('right'));
      expect(count(codes, 200)).to.be.within(3, 3 + 32);
      expect(count(codes, 200) + count(codes, 429)).to.equal(100);
      expect(await ask('right')).to.equal(200);
    });
  });

  it('does not count attempts that were never compared', async () => {
    let isFull = true;
    const queue = new PasswordQueue();
    const run: PasswordQueue['run'] = (work, turn) =>
      isFull ? Promise.reject(tooManyRequests()) : queue.run(work, turn);
    const ask = make({ queue: { run } });
    for (let i = 0; i < 9; i++) expect(await ask('right')).to.equal(429);
    isFull = false;
    expect(await ask('right')).to.equal(200);
  });
});
