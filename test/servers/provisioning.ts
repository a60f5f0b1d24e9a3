import { expect } from 'chai';
import type { TestServer } from '../e2e/harness.js';
import { GROUP, type Json, PATCH, USER } from '../scim/scim.js';

const BASE = '/apis/scim.svc.app/v0alpha1/namespaces/default';
const RACERS = 16;
const PASSWORD = 'A good long password';

/** What a SCIM client does at one of two servers, and reads at the other. */
export function provisioning(servers: () => readonly [TestServer, TestServer]): void {
  describe('provision by SCIM', () => {
    const of = (i: number): TestServer => servers()[i % 2 === 0 ? 0 : 1];
    const send = async (i: number, method: string, path: string, body?: object, headers = {}) => {
      const sent = body === undefined ? {} : { body };
      const answer = await of(i).client.request(method, `${BASE}${path}`, { ...sent, headers });
      return { ...answer, body: answer.text === '' ? {} : answer.json<Json>() };
    };
    const ask = async (status: number, ...request: Parameters<typeof send>): Promise<Json> => {
      const { body, ...answer } = await send(...request);
      expect(answer.status, `${request.slice(0, 3).join(' ')}: ${answer.text}`).to.equal(status);
      return body;
    };
    const patch = (...Operations: readonly object[]) => ({ schemas: [PATCH], Operations });
    const user = (userName: string, more = {}) => ({ schemas: [USER], userName, ...more });
    const filtered = async (i: number, type: string, filter: string): Promise<readonly string[]> =>
      (await ask(200, i, 'GET', `/${type}?filter=${encodeURIComponent(filter)}`)).Resources.map(({ id }: Json) => id);

    it('so that the other server gets, lists and finds each user and group at once', async () => {
      for (let i = 0; i < 4; i++) {
        const userName = `two${i}@example.com`;
        const { id } = await ask(201, i, 'POST', '/Users', user(userName, { externalId: `two${i}` }));
        expect((await ask(200, i + 1, 'GET', `/Users/${id}`)).userName).to.equal(userName);
        expect((await ask(200, i + 1, 'GET', '/Users')).Resources.map((one: Json) => one.id)).to.include(id);
        expect(await filtered(i + 1, 'Users', `externalId eq "two${i}"`)).to.deep.equal([id]);
        const made = { schemas: [GROUP], displayName: `Two ${i}`, members: [{ value: id }] };
        const group = await ask(201, i, 'POST', '/Groups', made);
        expect((await ask(200, i + 1, 'GET', `/Users/${id}`)).groups[0].value).to.equal(group.id);
        expect(await filtered(i + 1, 'Groups', `members.value eq "${id}"`)).to.deep.equal([group.id]);
        await ask(204, i, 'PATCH', `/Groups/${group.id}`, patch({ op: 'remove', path: 'members' }));
        expect(await filtered(i + 1, 'Groups', `members.value eq "${id}"`)).to.deep.equal([]);
        await ask(204, i, 'DELETE', `/Users/${id}`);
        await ask(404, i + 1, 'GET', `/Users/${id}`);
        expect(await filtered(i + 1, 'Users', `userName eq "${userName}"`)).to.deep.equal([]);
      }
    });

    it('and keep all members that clients add to one group at both', async () => {
      const each = Array.from({ length: RACERS }, (_, i) => i);
      const made = await Promise.all(each.map((i) => ask(201, i, 'POST', '/Users', user(`member${i}@example.com`))));
      const group = await ask(201, 0, 'POST', '/Groups', { schemas: [GROUP], displayName: 'Both' });
      const path = `/Groups/${group.id}`;
      const add = (id: string) => patch({ op: 'add', path: 'members', value: [{ value: id }] });
      await Promise.all(made.map(({ id }, i) => ask(204, i, 'PATCH', path, add(id))));
      const membersAt = async (i: number): Promise<readonly string[]> =>
        ((await ask(200, i, 'GET', path)).members ?? []).map(({ value }: Json) => value).sort();
      const ids = made.map(({ id }) => id).sort();
      expect([await membersAt(0), await membersAt(1)]).to.deep.equal([ids, ids]);
      const remove = (id: string) => patch({ op: 'remove', path: `members[value eq "${id}"]` });
      await Promise.all(made.map(({ id }, i) => ask(204, i + 1, 'PATCH', path, remove(id))));
      expect([await membersAt(0), await membersAt(1)]).to.deep.equal([[], []]);
    });

    it('and make one user if clients at both ask for the same userName', async () => {
      const racers = Array.from({ length: RACERS }, (_, i) => send(i, 'POST', '/Users', user('One@example.com')));
      const answers = await Promise.all(racers);
      const said = answers.map(({ status, body }) => `${status} ${body.scimType ?? ''}`).sort();
      expect(said).to.deep.equal(['201 ', ...Array.from({ length: RACERS - 1 }, () => '409 uniqueness')]);
      expect(await filtered(1, 'Users', 'userName eq "one@example.com"')).to.have.length(1);
    });

    it('and do one of two changes that expect the same entity tag', async () => {
      const { id, meta } = await ask(201, 0, 'POST', '/Users', user('tag@example.com'));
      const named = (i: number, tag: string, displayName = `Name ${i}`) =>
        send(i, 'PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'displayName', value: displayName }), {
          'if-match': tag,
        });
      const statuses = (await Promise.all([0, 1].map((i) => named(i, meta.version)))).map(({ status }) => status);
      expect(statuses.sort()).to.deep.equal([200, 412]);
      const now = await ask(200, 1, 'GET', `/Users/${id}`);
      expect((await named(1, now.meta.version, 'Next')).status).to.equal(200);
      expect((await named(0, now.meta.version)).status).to.equal(412);
    });

    // Promise: security browsers
    it('and end the sessions and the password of whom one disables at the other', async () => {
      const sent = user('gone', { password: PASSWORD, emails: [{ value: 'gone@example.com' }] });
      const { id } = await ask(201, 0, 'POST', '/Users', sent);
      const login = (i: number) =>
        fetch(`${of(i).httpUrl}/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ user: 'gone', password: PASSWORD }),
        });
      const signedIn = await login(1);
      expect(signedIn.status).to.equal(200);
      const cookie = signedIn.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ');
      const authorization = `Basic ${Buffer.from(`gone:${PASSWORD}`).toString('base64')}`;
      const statuses = () =>
        Promise.all(
          (
            [
              [0, { cookie }],
              [1, { cookie }],
              [1, { authorization }],
            ] as const
          ).map(async ([i, headers]) => (await fetch(`${of(i).httpUrl}/api/user`, { headers })).status),
        );
      expect(await statuses()).to.deep.equal([200, 200, 200]);
      const active = (value: boolean) => patch({ op: 'replace', path: 'active', value });
      await ask(200, 0, 'PATCH', `/Users/${id}`, active(false));
      expect(await statuses()).to.deep.equal([401, 401, 401]);
      await ask(200, 1, 'PATCH', `/Users/${id}`, active(true));
      expect(await statuses()).to.deep.equal([401, 401, 200]);
    });
  });
}
