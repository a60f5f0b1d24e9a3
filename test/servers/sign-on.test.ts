import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { signOnProviders } from '../../apis/iam/ssosetting/providers.js';
import { freshDatabase, sharedMongodb } from '../../hack/mongod/shared.js';
import { openMongodb } from '../../storage/mongodb/open.js';
import { accepted } from '../harness/resource.js';
import { ENVIRONMENT, openServer, type Server } from '../harness/server.js';
import { STORES } from '../harness/stores.js';
import { signOnCalls } from '../signon/settings.js';

/** Milliseconds in which another server has new settings. */
const SOON = 1_000;

if (STORES.includes('mongodb')) {
  describe('sign-on settings on two servers of one database', () => {
    let a: Server;
    let b: Server;

    before(async function open() {
      this.timeout(120_000);
      const database = freshDatabase();
      const uri = await sharedMongodb(this);
      const start = async () => openServer(await openMongodb({ uri, database, domain: ENVIRONMENT.domain }));
      a = await start();
      b = await start();
    });
    after(() => Promise.all([a?.close(), b?.close()]));

    const { put, end } = signOnCalls(() => a);

    /** The secret that the other server uses. Nobody sends it requests, so it only follows the store. */
    const secretOnB = () => signOnProviders(b.api.registry.reader, ENVIRONMENT).get('github')?.values.clientSecret;
    const becomes = async (secret: string): Promise<void> => {
      const begun = Date.now();
      while (secretOnB() !== secret && Date.now() - begun < SOON) await sleep(5);
      expect(secretOnB()).to.equal(secret);
    };

    // Promise: specification 3, specification 8
    it('apply on the other server within a second, also when only the secret changes, and when they are deleted', async () => {
      for (const secret of ['first', 'second', '']) {
        accepted(await put('github', { clientId: 'a', clientSecret: secret }), 204);
        await becomes(secret);
      }
      accepted(await put('github', { clientId: 'a', clientSecret: 'third' }), 204);
      await becomes('third');
      accepted(await end('github'), 204);
      await becomes('');
    });

    it('can be written by both, each keeping the secrets of the other', async () => {
      accepted(await put('github', { clientId: 'a', clientSecret: 'of-a' }), 204);
      accepted(await signOnCalls(() => b).put('github', { clientId: 'b', clientSecret: '*********' }), 204);
      await becomes('of-a');
      accepted(await signOnCalls(() => b).put('okta', OKTA), 204);
      expect(signOnCalls(() => a).values('github')).to.include({ clientId: 'b', clientSecret: 'of-a' });
      accepted(await put('okta', { ...OKTA, clientSecret: '*********' }), 204);
      expect(signOnCalls(() => b).values('okta')?.clientSecret).to.equal('of-b');
    });
  });
}

const OKTA = {
  clientId: 'a',
  clientSecret: 'of-b',
  authUrl: 'https://okta.example.com/a',
  tokenUrl: 'https://okta.example.com/t',
  apiUrl: 'https://okta.example.com/u',
};
