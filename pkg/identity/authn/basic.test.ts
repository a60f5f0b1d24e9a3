import { expect } from 'chai';
import fc from 'fast-check';
import { ApiError } from '../../kube/status/status.js';
import { isLoopback } from '../../system/net/address.js';
import { firstPassword } from './admin-password.js';
import { basicAuthenticator, parseBasic } from './basic.js';
import { hashPassword, verifyPassword } from './password.js';
import { type PasswordAccount, passwordCheck } from './password-check.js';
import { PasswordQueue } from './password-queue.js';

/** Not 0, which means "no time" to lru-cache. */
const START = Date.UTC(2026, 0, 1);
const CHEAP = { ln: 4, r: 8, p: 1 };
const request = new AbortController();
const header = (login: string, password: string) => `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;

describe('passwords', () => {
  it('match the hash of the same password only', async () => {
    const hash = await hashPassword('p:ä', CHEAP);
    expect(hash).to.match(/^\$scrypt\$ln=4,r=8,p=1\$/);
    expect(await verifyPassword('p:ä', hash)).to.equal(true);
    expect(await verifyPassword('p:a', hash)).to.equal(false);
    expect(await verifyPassword('', hash)).to.equal(false);
  });

  it('match no damaged hash and no hash that is too expensive', async () => {
    const hash = await hashPassword('x', CHEAP);
    for (const bad of ['', 'x', hash.slice(0, 30), hash.replace('ln=4', 'ln=30'), hash.replace('r=8', 'r=0')]) {
      expect(await verifyPassword('x', bad), bad).to.equal(false);
    }
  });
});

describe('parseBasic', () => {
  it('reads back what was written, including colons in the password', () => {
    const login = fc.string({ minLength: 1, unit: 'binary' }).filter((text) => !text.includes(':'));
    fc.assert(
      fc.property(login, fc.string({ unit: 'binary' }), (name, password) => {
        expect(parseBasic(header(name, password))).to.deep.equal({ login: name, password });
      }),
    );
  });

  it('refuses malformed headers', () => {
    for (const bad of ['Basic', 'Basic !!!', header('', 'x'), 'Basic YWJj', `Basic ${'A'.repeat(5000)}`]) {
      expect(parseBasic(bad), bad).to.equal(undefined);
    }
  });
});

describe('basicAuthenticator', () => {
  let account: PasswordAccount;
  let now = START;
  let checks = 0;
  const queue = new PasswordQueue();
  const counting: Pick<PasswordQueue, 'run'> = {
    run: (work, turn) => {
      checks++;
      return queue.run(work, turn);
    },
  };

  beforeEach(async () => {
    const user = { name: 'admin', uid: '', groups: [], extra: {} };
    account = { user, hash: await hashPassword('right', CHEAP), revision: '1' };
    [now, checks] = [START, 0];
  });

  function make() {
    const find = (login: string) => (login === 'admin' ? account : undefined);
    const check = passwordCheck({ find, queue: counting, now: () => now });
    const basic = basicAuthenticator({ find, check, now: () => now });
    return async (login: string, password: string, remoteAddress = '10.0.0.1'): Promise<string | number> => {
      const credentials = { authorization: header(login, password), cookie: undefined, certificate: undefined };
      try {
        return (await basic.authenticate({ ...credentials, remoteAddress }, request))?.name ?? 'nobody';
      } catch (error) {
        return error instanceof ApiError ? error.code : Number.NaN;
      }
    };
  }

  it('accepts the right password, and answers 401 to a wrong password or unknown login and 400 to a malformed header', async () => {
    const ask = make();
    expect(await ask('admin', 'right')).to.equal('admin');
    expect(await ask('admin', 'wrong')).to.equal(401);
    expect(await ask('nobody', 'right')).to.equal(401);
    const malformed = { authorization: 'Basic %%%', cookie: undefined, certificate: undefined, remoteAddress: '' };
    const find = () => undefined;
    const basic = basicAuthenticator({ find, check: passwordCheck({ find, queue }) });
    const error = await Promise.resolve(basic.authenticate(malformed, request)).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(ApiError).with.property('code', 400);
  });

  it('ignores other schemes', () => {
    const find = () => account;
    const basic = basicAuthenticator({ find, check: passwordCheck({ find, queue }) });
    const other = { cookie: undefined, certificate: undefined, remoteAddress: '' };
    expect(basic.authenticate({ ...other, authorization: 'Bearer x' }, request)).to.equal(undefined);
    expect(basic.authenticate({ ...other, authorization: undefined }, request)).to.equal(undefined);
  });

  it('checks a right credential once, even if it comes many times at once', async () => {
    const ask = make();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('admin', 'right')));
    expect(new Set(answers)).to.deep.equal(new Set(['admin']));
    expect(await ask('admin', 'right')).to.equal('admin');
    expect(checks).to.equal(1);
  });

  it('checks again when the account has changed, and after some time', async () => {
    const ask = make();
    await ask('admin', 'right');
    account = { ...account, revision: '2' };
    expect(await ask('admin', 'right')).to.equal('admin');
    expect(checks).to.equal(2);
    now += 11 * 60_000;
    await ask('admin', 'right');
    expect(checks).to.equal(3);
    account = { ...account, revision: '3', hash: await hashPassword('other', CHEAP) };
    expect(await ask('admin', 'right')).to.equal(401);
  });

  it('tells during a watch whether the credential is still valid', async () => {
    const find = () => account;
    const basic = basicAuthenticator({ find, check: passwordCheck({ find, queue }) });
    const credentials = { authorization: header('admin', 'right'), cookie: undefined, certificate: undefined };
    const user = await basic.authenticate({ ...credentials, remoteAddress: '' }, request);
    expect(user?.stillValid?.()).to.equal(true);
    account = { ...account, revision: '2' };
    expect(user?.stillValid?.()).to.equal(false);
  });

  it('refuses an account that is disabled while its password is being checked', async () => {
    let known: PasswordAccount | undefined = account;
    const run: PasswordQueue['run'] = async (work) => {
      const result = await work();
      known = undefined;
      return result;
    };
    const check = passwordCheck({ find: () => known, queue: { run } });
    const answer = check('admin', 'right', '').catch((reason: unknown) => reason);
    expect(await answer)
      .to.be.instanceOf(ApiError)
      .with.property('code', 401);
  });

  it('refuses the old password if it is changed while it is being checked', async () => {
    let known = account;
    const run: PasswordQueue['run'] = async (work) => {
      const result = await work();
      known = { ...account, revision: '2' };
      return result;
    };
    const answer = passwordCheck({ find: () => known, queue: { run } })('admin', 'right', '').catch((reason) => reason);
    expect(await answer)
      .to.be.instanceOf(ApiError)
      .with.property('code', 401);
  });

  it('accepts a cached credential while others guess from the same address', async () => {
    const ask = make();
    await ask('admin', 'right');
    for (let i = 0; i < 9; i++) await ask('admin', `wrong${i}`);
    expect(await ask('admin', 'wrong')).to.equal(429);
    expect(await ask('admin', 'right')).to.equal('admin');
  });

  it('counts concurrent guesses', async () => {
    const ask = make();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => ask('admin', `wrong${index}`)));
    expect(answers.filter((code) => code === 401)).to.have.length(3);
    expect(answers.filter((code) => code === 429)).to.have.length(17);
  });
});

describe('firstPassword', () => {
  it('is the configured password', () => {
    expect(firstPassword({ password: 'given', loopbackOnly: false })).to.deep.equal({
      password: 'given',
      isRandom: false,
    });
  });

  it('is "admin" while only this machine can reach the server', () => {
    expect(firstPassword({ password: undefined, loopbackOnly: true })).to.deep.equal({
      password: 'admin',
      isRandom: false,
    });
  });

  it('is otherwise random, and different each time', () => {
    const [first, second] = [1, 2].map(() => firstPassword({ password: undefined, loopbackOnly: false }));
    expect(first?.isRandom).to.equal(true);
    expect(first?.password).to.have.length.greaterThan(20).and.not.equal(second?.password);
  });

  it('recognizes loopback addresses', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1', 'localhost'].map(isLoopback)).to.deep.equal(Array(4).fill(true));
    expect(['0.0.0.0', '::', '10.0.0.1', '', 'localhost.example'].map(isLoopback)).to.deep.equal(Array(5).fill(false));
  });
});
