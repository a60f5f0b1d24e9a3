import { expect } from 'chai';
import { basic, oneStore } from './harness.js';

const FORM = 'application/x-www-form-urlencoded';

oneStore(
  'a failed sign-in is told to the log',
  (server) => {
    before(() => server().user('vic', {}, 'right'));

    it('by each way that takes passwords, with the login of the account, and without the password', async () => {
      const { ask, port, failedSignIns } = server();
      const origin = `http://127.0.0.1:${port}`;
      const form = { 'content-type': FORM, origin, 'sec-fetch-site': 'same-origin' };
      const body = Buffer.from('user=vic%40example.com&password=secret-4');
      const answers = [
        await ask('/whoami', { headers: { ...basic('vic', 'secret-1'), 'x-forwarded-for': '198.51.100.1' } }),
        await ask('/api/whoami', { headers: { ...basic('VIC', 'secret-2'), 'x-forwarded-for': '198.51.100.2' } }),
        await ask('/login', {
          ...{ method: 'POST', body: { user: 'vic', password: 'secret-3' } },
          headers: { 'x-forwarded-for': '198.51.100.3' },
        }),
      ];
      server().advance(3_600_000);
      answers.push(
        await ask('/login', { method: 'POST', body, headers: { ...form, 'x-forwarded-for': '198.51.100.4' } }),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal([401, 401, 401, 401]);
      const line = { by: 'password', login: 'vic', why: 'the password is wrong' };
      expect(failedSignIns).to.deep.equal([1, 2, 3, 4].map((n) => ({ ...line, address: `198.51.100.${n}` })));
    });

    it('without what was typed as the login of nobody, because it may be a password', async () => {
      const { ask, failedSignIns } = server();
      const before = failedSignIns.length;
      await ask('/login', { method: 'POST', body: { user: 'my secret password', password: 'x' } });
      const why = 'no account has this login and a password, and is enabled';
      expect(failedSignIns.slice(before)).to.deep.equal([{ by: 'password', address: '127.0.0.1', why }]);
    });

    it('not at all if it succeeds', async () => {
      const { ask, failedSignIns } = server();
      server().advance(3_600_000);
      const before = failedSignIns.length;
      expect((await ask('/whoami', { headers: basic('vic', 'right') })).status).to.equal(200);
      expect(failedSignIns).to.have.length(before);
    });
  },
  { argv: ['--server.trusted_proxies=127.0.0.1'] },
);
