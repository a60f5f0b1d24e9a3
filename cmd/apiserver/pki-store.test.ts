import { expect } from 'chai';
import { loadConfig } from '../../pkg/config/load.js';
import { newCa, nextGeneration, startRotation } from '../../pkg/identity/certs/authority.js';
import { sealer } from '../../pkg/identity/crypto/seal.js';
import { openMemory } from '../../storage/memory/backend.js';
import { environmentOf } from './environment.js';
import { sharedPkiStore } from './pki-store.js';
import { openResourceApi, type RunningResourceApi } from './resource-api.js';

const NOW = new Date();
const [OLD, NEW] = ['the old secret key', 'the new secret key'];

describe('sharedPkiStore', () => {
  let api: RunningResourceApi;
  before(async () => {
    const onError = (error: unknown): never => {
      throw error;
    };
    const backend = openMemory();
    const environment = environmentOf(loadConfig({ argv: [], env: {}, readFile: () => '' }).settings);
    api = await openResourceApi({ backend, environment, version: '0', history: 300_000, onError });
  });
  after(() => api.close());

  /** As a server or command with this secret key. */
  const storeWith = (key: string) => sharedPkiStore(api.registry, async () => sealer(key));
  const opens = (key: string): Promise<boolean> =>
    storeWith(key)
      .load()
      .then(() => true)
      .catch((error: unknown) => {
        expect(String(error)).to.contain('is not the key of this database');
        return false;
      });
  const loaded = async (key: string) => {
    const authority = await storeWith(key).load();
    if (authority === undefined) throw new Error('there is no authority');
    return authority;
  };
  const refusal = (work: Promise<unknown>): Promise<string> => work.then(() => 'done', String);

  it('keeps what another writer has stored in the meantime', async () => {
    const store = storeWith(OLD);
    const [one, two] = [await newCa(NOW), await newCa(NOW)];
    const first = await store.replace(undefined, { ca: one, generation: '' });
    expect(await store.replace(undefined, { ca: two, generation: '' })).to.deep.equal(first);
    const second = await store.replace(first, nextGeneration(first));
    expect(await store.replace(first, nextGeneration(first))).to.deep.equal(second);
    expect(store.trust()?.generation).to.equal(second.generation);
  });

  it('trusts both authorities during a rotation', async () => {
    const store = storeWith(OLD);
    const before = await loaded(OLD);
    const during = await startRotation(before, NOW);
    expect(await store.replace(before, during)).to.deep.equal(during);
    expect(await loaded(OLD)).to.deep.equal(during);
    expect(store.trust()?.authorities.map(String)).to.deep.equal([during.ca.certificate, before.ca.certificate]);
  });

  it('is readable with either secret key until the rotation of the secret key is finished', async () => {
    const before = await loaded(OLD);
    await storeWith(OLD).sealAgain(sealer('a new secret key that is lost'));
    await storeWith(OLD).sealAgain(sealer(NEW));
    expect([await opens(OLD), await opens(NEW), await opens('another one')]).to.deep.equal([true, true, false]);
    expect(await refusal(storeWith(NEW).sealAgain(sealer('x')))).to.contain('is not finished');
    expect(await refusal(storeWith(OLD).sealOnce())).to.contain('is not the key');
    const revoked = await storeWith(OLD).replace(before, nextGeneration(before));
    const other = { ca: await newCa(NOW), generation: '' };
    expect(await refusal(storeWith(OLD).replace(revoked, other))).to.contain('is not finished');
    await storeWith(NEW).sealOnce();
    expect([await opens(OLD), await opens(NEW)]).to.deep.equal([false, true]);
    expect(await loaded(NEW)).to.deep.equal(revoked);
    expect(await refusal(storeWith(NEW).sealOnce())).to.contain('no rotation of the secret key');
  });
});
