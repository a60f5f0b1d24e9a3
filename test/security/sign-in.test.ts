import { expect } from 'chai';
import { type Answer, basic, oneStore } from '../authn/harness.js';

/**
 * The tests send the addresses of clients, as a trusted proxy does. The clock is stopped, because failures are
 * forgotten with time.
 */
/** Hashes are slow on a machine that is busy with other work, and no test here is about the time of a request. */
const BEHIND_PROXY = {
  argv: ['--server.trusted_proxies=127.0.0.1', '--limits.request_timeout=10m'],
  isClockStopped: true,
};
const HOME = '192.0.2.1';
const STRANGERS = ['198.51.100.1', '198.51.100.2', '198.51.100.3'];

const codesOf = (answers: readonly Answer[]): readonly number[] => answers.map(({ status }) => status);
const count = (answers: readonly Answer[], code: number): number =>
  codesOf(answers).filter((status) => status === code).length;

oneStore(
  'Guesses at passwords',
  (server) => {
    let last = 0;
    /** A new user who has signed in from home. */
    const newUser = async (): Promise<string> => {
      const name = `vic${++last}`;
      await server().user(name, {}, 'right');
      expect((await login(name, 'right')).status).to.equal(200);
      return name;
    };
    const login = (user: string, password: string, from = HOME, headers: Readonly<Record<string, string>> = {}) =>
      server().ask('/login', {
        method: 'POST',
        body: { user, password },
        headers: { 'x-forwarded-for': from, ...headers },
      });
    const guess = async (name: string, times: number, addresses = STRANGERS): Promise<readonly Answer[]> => {
      const answers = [];
      for (let i = 0; i < times; i++) answers.push(await login(name, `wrong${i}`, addresses[i % addresses.length]));
      return answers;
    };
    const wait = ({ headers }: Answer): void => server().advance(Number(headers['retry-after']) * 1_000);

    beforeEach(() => server().advance(3_600_000));

    it('at one account from three addresses are compared three times of fifteen, and told when to come back', async () => {
      const answers = await guess(await newUser(), 15);
      expect([count(answers, 401), count(answers, 429)]).to.deep.equal([3, 12]);
      expect(answers.at(-1)?.headers['retry-after']).to.equal('1');
    });

    it('at one account have to wait longer and longer', async () => {
      const name = await newUser();
      const waits = [];
      for (let i = 0; i < 12; i++) {
        const answer = await login(name, 'wrong', `198.51.100.${i}`);
        const refused = await login(name, 'wrong', '203.0.113.99');
        if (answer.status !== 401 || refused.status !== 429) continue;
        waits.push(Number(refused.headers['retry-after']));
        wait(refused);
      }
      expect(waits).to.deep.equal([1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60]);
    });

    it('do not keep a user from signing in from the usual address', async () => {
      const name = await newUser();
      await guess(name, 30);
      for (let i = 0; i < 3; i++) expect((await login(name, 'right')).status).to.equal(200);
      expect(
        (await server().ask('/whoami', { headers: { ...basic(name, 'right'), 'x-forwarded-for': HOME } })).status,
      ).to.equal(200);
    });

    it('do not keep a user from signing in from a new address, after the time that the server tells', async () => {
      const name = await newUser();
      await guess(name, 15);
      const refused = await login(name, 'right', '192.0.2.77');
      expect(refused.status).to.equal(429);
      wait(refused);
      expect((await login(name, 'right', '192.0.2.77')).status).to.equal(200);
    });

    it('at 24 accounts from one address are compared ten times, and nobody else has to wait', async () => {
      const names = [];
      for (let i = 0; i < 24; i++) names.push(await newUser());
      const answers = [];
      for (const name of names) answers.push(await login(name, 'Sommer2026', STRANGERS[0]));
      expect([count(answers, 401), count(answers, 429)]).to.deep.equal([10, 14]);
      expect((await login(names[23] ?? '', 'right', STRANGERS[1])).status).to.equal(200);
    });

    it('are not forgiven to an address that signs in to an account of its own', async () => {
      const own = await newUser();
      const answers = [];
      for (let i = 0; i < 24; i++) {
        answers.push(await login(`target${i}`, 'wrong'));
        if (i % 4 === 0) expect((await login(own, 'right')).status).to.equal(200);
      }
      expect(count(answers, 401)).to.equal(10);
    });

    it('at once are compared no more often than one after another', async () => {
      const name = await newUser();
      const passwords = Array.from({ length: 30 }, (_, i) => `wrong${i}`);
      const answers = await Promise.all(passwords.map((password, i) => login(name, password, STRANGERS[i % 3])));
      expect([count(answers, 401), count(answers, 429)]).to.deep.equal([3, 27]);
    });

    it('in the Basic scheme count like those in the form', async () => {
      const name = await newUser();
      const codes = [];
      for (let i = 0; i < 6; i++) {
        const headers = { ...basic(name, `wrong${i}`), 'x-forwarded-for': STRANGERS[0] ?? '' };
        codes.push((await server().ask('/api/whoami', { headers })).status);
      }
      expect(codes).to.deep.equal([401, 401, 401, 429, 429, 429]);
      expect((await login(name, 'wrong', STRANGERS[1])).status).to.equal(429);
    });

    it('do not tell that a login and an e-mail address belong together', async () => {
      const name = await newUser();
      await guess(name, 9, ['198.51.100.31']);
      const own = await login(`${name}@example.com`, 'wrong', '198.51.100.31');
      const other = await login('nobody@example.com', 'wrong', '198.51.100.31');
      expect([own.status, own.text]).to.deep.equal([401, other.text]);
      expect((await login(`${name}@example.com`, 'wrong', '198.51.100.32')).status).to.equal(401);
    });

    it('allow both names of an account no more than twice the guesses of one', async () => {
      const name = await newUser();
      const answers = [];
      for (let i = 0; i < 40; i++) {
        const as = i % 2 === 0 ? name : `${name}@example.com`;
        answers.push(await login(i % 3 === 0 ? as.toUpperCase() : as, 'wrong', `198.51.100.${i}`));
      }
      expect(count(answers, 401)).to.equal(6);
    });

    it('do not tell which names exist', async () => {
      const name = await newUser();
      const traits = async (login: string, address: string) =>
        (await guess(login, 5, [address])).map(({ status, text, headers }) => [status, text, headers['retry-after']]);
      const known = await traits(name, '198.51.100.21');
      expect(await traits('nobody-has-this', '198.51.100.22')).to.deep.equal(known);
      expect(await traits(`${name}@example.com`, '198.51.100.23')).to.deep.equal(known);
    });

    it('cannot choose their address: only what the proxy wrote counts', async () => {
      const name = await newUser();
      const answers = [];
      for (let i = 0; i < 12; i++) answers.push(await login(name, 'wrong', `203.0.113.${i}, 198.51.100.9`));
      expect(count(answers, 401)).to.equal(3);
      for (let i = 0; i < 20; i++) answers.push(await login(`other${i}`, 'wrong', `203.0.113.${i}, 198.51.100.9`));
      expect(count(answers, 401)).to.equal(10);
    });
  },
  BEHIND_PROXY,
);

oneStore(
  'Guesses at passwords without a proxy',
  (server) => {
    it('cannot choose their address', async () => {
      await server().user('vic', {}, 'right');
      const codes = [];
      for (let i = 0; i < 9; i++) {
        const headers = { 'x-forwarded-for': `203.0.113.${i}`, forwarded: `for=203.0.113.${i}` };
        const body = { user: 'vic', password: 'wrong' };
        codes.push((await server().ask('/login', { method: 'POST', body, headers })).status);
      }
      expect(codes.filter((code) => code === 401)).to.have.length(3);
    });
  },
  { isClockStopped: true },
);

oneStore(
  'A flood of logins',
  (server) => {
    const login = (user: string, password: string, from: string) =>
      server().ask('/login', { method: 'POST', body: { user, password }, headers: { 'x-forwarded-for': from } });
    /**
     * Sends 20 attempts at once. `done` has the senders in the order of their answers. Unknown logins cost as much as
     * known ones.
     */
    const flood = (addressOf: (i: number) => string) => {
      const done: string[] = [];
      const refused: string[] = [];
      const attempts = Array.from({ length: 20 }, async (_, i) => {
        const { status, text } = await login(`stranger${last++}`, 'wrong', addressOf(i));
        if (status === 401) done.push('stranger');
        else refused.push(`${status} ${text}`);
      });
      return { done, refused, all: Promise.all(attempts) };
    };
    let last = 0;
    const soon = () => new Promise((resolve) => setTimeout(resolve, 30));

    before(async () => {
      await server().user('vic', {}, 'right');
      await server().user('new', {}, 'right');
      expect((await login('vic', 'right', HOME)).status).to.equal(200);
    });

    it('from many addresses does not make a known user wait', async () => {
      const { done, all } = flood((i) => `198.51.100.${i}`);
      await soon();
      const { status } = await login('vic', 'right', HOME);
      expect(status).to.equal(200);
      expect(done.length).to.be.at.most(6);
      await all;
    });

    it('from one address does not make a user at a new address wait', async () => {
      const { done, refused, all } = flood(() => '198.51.100.99');
      await soon();
      const { status } = await login('new', 'right', '192.0.2.50');
      expect(status).to.equal(200);
      expect(done.length).to.be.at.most(6);
      await all;
      expect(done.length, refused.join('\n')).to.equal(10);
    });

    it('from the usual address does not make a known user wait', async () => {
      const { done, all } = flood(() => HOME);
      await soon();
      expect((await login('vic', 'right', HOME)).status).to.equal(200);
      expect(done.length).to.be.at.most(6);
      await all;
    });
  },
  BEHIND_PROXY,
);
