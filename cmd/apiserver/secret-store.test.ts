import { expect } from 'chai';
import { SYSTEM_USER } from '../../apis/authentication/bootstrap.js';
import { signOnProviders } from '../../apis/iam/ssosetting/providers.js';
import { MASKED } from '../../apis/iam/ssosetting/schema.js';
import { DATA_KEY, type DataKeySpec } from '../../apis/internal/datakey/schema.js';
import { loadConfig } from '../../pkg/config/load.js';
import { sealer } from '../../pkg/identity/crypto/seal.js';
import { Client } from '../../registry/client/client.js';
import { keyOf } from '../../storage/key.js';
import { openMemory } from '../../storage/memory/backend.js';
import { environmentOf } from './environment.js';
import { openResourceApi, type RunningResourceApi } from './resource-api.js';
import { secretStore } from './secret-store.js';

const [OLD, NEW, OTHER] = ['the old secret key', 'the new secret key', 'some other secret key'];

const SECRET = keyOf('secrets', 'default', 'one');
const rethrow = (error: unknown): never => {
  throw error;
};
const expectRefusal = async (work: Promise<unknown>): Promise<void> => {
  expect(await work.then(() => 'done', String)).to.contain('cannot be read or written');
};

describe('secretStore', () => {
  let api: RunningResourceApi;
  let key = OLD;
  const environment = {
    ...environmentOf(loadConfig({ argv: [], env: {}, readFile: () => '' }).settings),
    signOn: { configured: {}, secretKey: () => key },
  };

  beforeEach(async () => {
    key = OLD;
    const onError = (error: unknown): never => {
      throw error;
    };
    api = await openResourceApi({ backend: openMemory(), environment, version: '0', history: 300_000, onError });
    await set('github', { clientId: 'a', clientSecret: 'one' });
    await set('okta-west', { ...ADDRESSES, clientSecret: 'two' });
  });
  afterEach(() => api.close());

  const set = (name: string, settings: object) => {
    const client = new Client(api.registry, { user: SYSTEM_USER });
    return client.transact((transaction) =>
      transaction.objects(api.registry.compiled.get('iam/SSOSetting')).put(name, () => ({ settings })),
    );
  };
  /** The secrets that a server with this secret key reads. */
  const secretsWith = (secret: string): readonly string[] => {
    key = secret;
    const providers = signOnProviders(api.registry.reader, environment);
    return ['github', 'okta-west'].map((name) => providers.get(name)?.values.clientSecret ?? '');
  };
  const storeWith = (secret: string) => secretStore(api.registry, async () => sealer(secret));
  const refusal = (work: Promise<unknown>): Promise<string> => work.then(() => 'done', String);
  const sealedSecrets = () =>
    JSON.stringify(
      [...api.registry.reader.inNamespace('sealedsecrets.internal.svc.app', '')].map(({ value }) => `${value}`),
    );

  it('is read with either secret key during a rotation, and then with the new one only', async () => {
    expect([secretsWith(OLD), secretsWith(NEW)]).to.deep.equal([BOTH, NONE]);
    await storeWith(OLD).sealAgain(sealer(NEW));
    expect([secretsWith(OLD), secretsWith(NEW), secretsWith(OTHER)]).to.deep.equal([BOTH, BOTH, NONE]);
    await storeWith(NEW).sealOnce();
    expect([secretsWith(OLD), secretsWith(NEW)]).to.deep.equal([NONE, BOTH]);
  });

  it('is written with either secret key during a rotation', async () => {
    await storeWith(OLD).sealAgain(sealer(NEW));
    for (const secret of [OLD, NEW]) {
      key = secret;
      await set('github', { clientId: 'a', clientSecret: secret });
      for (const reading of [OLD, NEW]) expect(secretsWith(reading)).to.deep.equal([secret, 'two']);
    }
  });

  it('covers Secrets: they can be read with the new key only, also what is in the log from before', async () => {
    const backend = openMemory();
    const opened = async (secret: string): Promise<RunningResourceApi> => {
      key = secret;
      return openResourceApi({ backend, environment, version: '0', history: 300_000, onError: rethrow });
    };
    const put = (to: RunningResourceApi, password: string) => {
      const client = new Client(to.registry, { user: SYSTEM_USER });
      const made = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one' }, data: { password } };
      const secrets = to.registry.compiled.get('core/Secret');
      const isThere = to.registry.reader.get('secrets', 'default', 'one') !== undefined;
      if (!isThere) return client.create(secrets, 'default', made as never);
      return client.update(secrets, 'default', 'one', (old) => ({ ...old, ...made, metadata: old.metadata }));
    };
    const read = (from: RunningResourceApi): unknown =>
      (from.registry.reader.get('secrets', 'default', 'one') as unknown as { data?: object })?.data;
    const first = await opened(OLD);
    await put(first, 'Zmlyc3Q=');
    const before = (await backend.get([SECRET])).get(SECRET)?.value;
    await secretStore(first.registry, async () => sealer(OLD)).sealAgain(sealer(NEW));
    expect((await backend.get([SECRET])).get(SECRET)?.value, 'encrypted under another key').to.not.deep.equal(before);
    expect(read(first)).to.deep.equal({ password: 'Zmlyc3Q=' });
    key = NEW;
    await secretStore(first.registry, async () => sealer(NEW)).sealOnce();
    await put(first, 'c2Vjb25k');
    await first.close();
    const second = await opened(NEW);
    expect(read(second)).to.deep.equal({ password: 'c2Vjb25k' });
    await second.registry.cacher.past.recall(1);
    const changes = [];
    for await (const { events } of second.registry.cacher.past.commits('secrets', 0, AbortSignal.timeout(1000))) {
      changes.push(...events.map(({ current }) => current && Buffer.from(current.value).toString()));
      if (changes.length === 3) break;
    }
    expect(changes[0], 'what the log has from before').to.contain('Zmlyc3Q=');
    await second.close();
    const third = await opened(OLD);
    expect(third.registry.compiled.get('core/Secret').outage?.(third.registry.reader)).to.contain(
      'security.secret_key',
    );
    await expectRefusal(put(third, 'bmV3'));
    await third.close();
  });

  it('has new texts and a new data key after a rotation', async () => {
    const dataKey = () => api.registry.reader.get<DataKeySpec>('datakeys.internal.svc.app', '', DATA_KEY)?.spec?.sealed;
    const before = [sealedSecrets(), dataKey()];
    await storeWith(OLD).sealAgain(sealer(NEW));
    expect([sealedSecrets(), dataKey()].filter((text) => before.includes(text))).to.deep.equal([]);
  });

  it('can be rotated again with the old key if the new one is lost, but not with the new one', async () => {
    await storeWith(OLD).sealAgain(sealer(NEW));
    expect(await refusal(storeWith(NEW).sealAgain(sealer(OTHER)))).to.contain('is not finished');
    expect(await refusal(storeWith(OTHER).sealAgain(sealer(NEW)))).to.contain('is not the key');
    expect(await refusal(storeWith(OLD).sealOnce())).to.contain('is not the key');
    await storeWith(OLD).sealAgain(sealer(OTHER));
    await storeWith(OTHER).sealOnce();
    expect([secretsWith(NEW), secretsWith(OTHER)]).to.deep.equal([NONE, BOTH]);
  });

  it('keeps masked values when they are unreadable, and takes no new ones while others would be lost', async () => {
    key = OTHER;
    await set('github', { clientId: 'b', clientSecret: MASKED });
    expect(await refusal(set('github', { clientId: 'b', clientSecret: 'three' }))).to.contain('cannot be stored');
    expect(secretsWith(OLD)).to.deep.equal(BOTH);
  });

  it('begins again with another secret key when no secrets are left to lose', async () => {
    key = OTHER;
    await set('okta-west', ADDRESSES);
    await set('github', { clientId: 'b', clientSecret: 'three' });
    expect(secretsWith(OTHER)).to.deep.equal(['three', '']);
  });
});

const BOTH = ['one', 'two'];
const NONE = ['', ''];
const ADDRESSES = {
  clientId: 'b',
  authUrl: 'https://okta.example.com/a',
  tokenUrl: 'https://okta.example.com/t',
  apiUrl: 'https://okta.example.com/u',
};
