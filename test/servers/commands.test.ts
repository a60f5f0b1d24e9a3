import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { type CommandStartedEvent, MongoClient } from 'mongodb';
import { freshDatabase, sharedMongodb } from '../../hack/mongod/shared.js';
import { openMongodb } from '../../storage/mongodb/open.js';
import { AS_ADMIN, type Ask, type AuthnServer, basic, bearer, openAuthnServer } from '../authn/harness.js';
import { claimsAt, type Issuer, openIssuer, signed } from '../authn/issuer.js';
import { STORES } from '../harness/stores.js';

const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
/** The purge and the election also send commands, so some tries may have more commands than those of the request. */
const TRIES = 5;
const LATEST = 'find changes';
/** A commit is one command. The objects follow later. */
const COMMIT = ['update changes'];

/** The commands of a request of each verb, for all callers. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  create: COMMIT,
  get: [LATEST],
  'get, resourceVersion=0': [],
  list: [LATEST],
  'list, resourceVersion=0': [],
  update: COMMIT,
  patch: COMMIT,
  delete: COMMIT,
};

/** The request of each verb. Each credential has its own folder. */
function requestOf(verb: string, name: string): readonly [path: string, request: Ask] {
  const [what = '', query = ''] = verb.split(', ');
  const path = `${what === 'create' || what === 'list' ? FOLDERS : `${FOLDERS}/${name}`}?${query}`;
  const metadata = { name };
  switch (what) {
    case 'create':
      return [path, { method: 'POST', body: { metadata, spec: { title: name } } }];
    case 'update':
      return [path, { method: 'PUT', body: { metadata, spec: { title: `${name}, updated` } } }];
    case 'patch': {
      const headers = { 'content-type': 'application/merge-patch+json' };
      return [path, { method: 'PATCH', headers, body: { spec: { title: `${name}, patched` } } }];
    }
    case 'delete':
      return [path, { method: 'DELETE' }];
    default:
      return [path, {}];
  }
}

/** Undefined for commands that the server sends without requests. */
function nameOf({ command, commandName }: CommandStartedEvent): string | undefined {
  if (['aggregate', 'getMore', 'killCursors', 'endSessions'].includes(commandName)) return undefined;
  if (commandName === 'update' && command['update'] === 'servers') return undefined;
  if (commandName === 'find' && command['filter']?._id?.$in !== undefined) return undefined;
  // The objects follow by transactions.
  return command['autocommit'] === false ? undefined : `${commandName} ${command[commandName]}`;
}

if (STORES.includes('mongodb')) {
  describe('the commands that MongoDB gets for a request', function () {
    this.timeout(60_000);
    let sent: string[] = [];
    let server: AuthnServer;
    let issuer: Issuer;
    let uri: string;
    const database = freshDatabase();

    before(async function () {
      uri = await sharedMongodb(this);
      issuer = await openIssuer();
      const onCommand = (event: CommandStartedEvent): void => void sent.push(...[nameOf(event) ?? []].flat());
      const backend = await openMongodb({ uri, database, domain: 'svc.app', onCommand });
      server = await openAuthnServer(backend, { argv: issuer.argv });
      await server.user('alice', { grafanaAdmin: true }, 'right');
      // The first folder creates its collection.
      await server.create(
        'iam/serviceaccounts',
        'robot',
        { title: 'Robot', role: 'Editor', disabled: false },
        'default',
      );
      for (const method of ['POST', 'DELETE']) {
        const [path, request] = requestOf(method === 'POST' ? 'create' : 'delete', 'first');
        await server.ask(path, { ...request, headers: AS_ADMIN });
      }
      await silence(100);
    });
    after(async () => {
      await server.close();
      await issuer.close();
      const client = new MongoClient(uri);
      await client.db(database).dropDatabase();
      await client.close();
    });

    /** Waits until no commands come for a while. The start and the jobs after a commit also send commands. */
    const silence = async (pause: number): Promise<void> => {
      do {
        sent = [];
        await sleep(pause);
      } while (sent.length > 0);
    };
    const tokenOf = async (): Promise<string> => {
      const issued = await server.tokens.issue(
        { namespace: 'default', account: 'robot', title: `token ${Math.random()}` },
        { user: { name: 'system:admin', uid: '', groups: ['system:masters'], extra: {} } },
      );
      return issued.text;
    };
    const CREDENTIALS: Readonly<Record<string, () => Promise<Ask>>> = {
      'the token of the operator': async () => ({ headers: AS_ADMIN }),
      'a client certificate': async () => ({ asAdmin: true }),
      'a token': async () => ({ headers: bearer(await tokenOf()) }),
      'a token as password': async () => ({ headers: basic('api_key', await tokenOf()) }),
      'a password': async () => ({ headers: basic('alice', 'right') }),
      'a session': async () => {
        const { cookies } = await server.ask('/login', { method: 'POST', body: { user: 'alice', password: 'right' } });
        return { headers: { cookie: `grafana_session=${cookies['grafana_session']}` } };
      },
      'a JSON Web Token': async () => ({
        headers: bearer(await signed(claimsAt(server.services.now(), { sub: 'alice' }), issuer.key)),
      }),
    };

    /**
     * The commands of a request right after a consistent read, so that the server has caught up less than a second ago.
     */
    const commandsOf = async (path: string, request: Ask, by: Ask): Promise<readonly string[]> => {
      for (;;) {
        const began = performance.now();
        expect((await server.ask(FOLDERS, by)).status).to.equal(200);
        await server.identity.settled();
        await silence(20);
        const { status, text } = await server.ask(path, {
          ...request,
          ...by,
          headers: { ...request.headers, ...by.headers },
        });
        const commands = [...sent];
        expect(status, text).to.be.below(300);
        if (performance.now() - began < 1000 || request.method !== undefined) return commands;
      }
    };

    for (const [credential, open] of Object.entries(CREDENTIALS)) {
      it(`are the same with ${credential} as with all others`, async () => {
        const by = await open();
        const name = credential.toLowerCase().replaceAll(' ', '-');
        let found: Record<string, readonly string[]> = {};
        for (let tries = 0; tries < TRIES && !isDeepStrictEqual(found, COMMANDS); tries++) {
          found = {};
          for (const verb of Object.keys(COMMANDS)) found[verb] = await commandsOf(...requestOf(verb, name), by);
        }
        expect(found).to.deep.equal(COMMANDS);
      });
    }
  });
}
