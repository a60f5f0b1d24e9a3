import { expect } from 'chai';
import { accepted, bodyOf, resourceOf } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { PATH, SETTINGS, setting, signOnCalls } from './settings.js';

const MASK = '*********';
const APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const VERSION = 'svc.app/secretsVersion';

eachStore('the secrets of sign-on settings', (server) => {
  const { create, replace, get, remove, values } = signOnCalls(server);
  let number = 0;
  const fresh = async (secret: string): Promise<string> => {
    const name = `gitlab-secret${++number}`;
    bodyOf(await create(name, { clientId: 'client', clientSecret: secret }), 201);
    return name;
  };

  // Promise: specification 2.9, security browsers
  it('are masked in every answer, and apply on the server', async () => {
    const name = await fresh('hidden-one');
    for (const path of [`${PATH}/${name}`, PATH]) {
      const { text } = await server().call('GET', path);
      expect(text, path).to.contain(MASK).and.not.contain('hidden-one');
    }
    const watch = await resourceOf(server, SETTINGS).watch({ fieldSelector: `metadata.name=${name}` });
    expect((await watch.next())?.object.spec).to.deep.equal({ settings: { clientId: 'client', clientSecret: MASK } });
    await watch.close();
    expect(values(name)?.clientSecret).to.equal('hidden-one');
  });

  // Promise: security browsers
  it('are not in the store as text', async () => {
    const name = await fresh('hidden-two');
    const { reader } = server().api.registry;
    for (const resource of ['ssosettings.iam.svc.app', 'sealedsecrets.internal.svc.app']) {
      const stored = reader.entry(resource, '', name);
      expect(Buffer.from(stored?.value ?? []).toString(), resource)
        .to.contain(name)
        .and.not.contain('hidden-two');
    }
  });

  it('stay when a client sends the mask back, and change and go with what it sends otherwise', async () => {
    const name = await fresh('first');
    const kept = bodyOf(await replace(name, { clientId: 'other', clientSecret: MASK }), 200);
    expect(values(name)).to.include({ clientId: 'other', clientSecret: 'first' });
    const changed = bodyOf(await replace(name, { clientId: 'other', clientSecret: 'second' }), 200);
    expect(values(name)?.clientSecret).to.equal('second');
    expect(changed.metadata.generation).to.equal((kept.metadata.generation ?? 0) + 1);
    expect(changed.metadata.annotations?.[VERSION]).to.equal('2');
    bodyOf(await replace(name, { clientId: 'other' }), 200);
    expect(values(name)?.clientSecret).to.equal('');
    bodyOf(await replace(name, { clientId: 'other', clientSecret: MASK }), 200);
    expect(values(name)?.clientSecret).to.equal('');
  });

  it('may be private keys in PEM, which stay like the others', async () => {
    const name = await fresh('with-key');
    const tlsClientKey = '-----BEGIN PRIVATE KEY-----\nhidden\n-----END PRIVATE KEY-----\n';
    bodyOf(await replace(name, { clientId: 'client', clientSecret: MASK, tlsClientKey }), 200);
    bodyOf(await replace(name, { clientId: 'client', clientSecret: MASK, tlsClientKey: MASK }), 200);
    expect(values(name)).to.include({ clientSecret: 'with-key', tlsClientKey });
  });

  it('that are the same as before change nothing', async () => {
    const name = await fresh('same');
    const before = accepted(await get(name), 200).text;
    expect(accepted(await replace(name, { clientId: 'client', clientSecret: 'same' }), 200).text).to.equal(before);
  });

  it('stay when an object is read and sent back as it is', async () => {
    const name = await fresh('round');
    const body = bodyOf(await get(name), 200);
    const again = accepted(await server().call('PUT', `${PATH}/${name}`, { body }), 200);
    expect(again.text).to.equal((await get(name)).text);
    expect(values(name)?.clientSecret).to.equal('round');
  });

  // Promise: security browsers
  it('are masked in the copy that kubectl apply keeps in an annotation', async () => {
    const name = await fresh('old');
    const copy = `${JSON.stringify(setting(name, { clientId: 'client', clientSecret: 'applied', enabled: true }))}\n`;
    const body = setting(name, { clientId: 'client', clientSecret: 'applied' }, { annotations: { [APPLIED]: copy } });
    const { metadata } = bodyOf(await server().call('PUT', `${PATH}/${name}`, { body }), 200);
    expect(metadata.annotations?.[APPLIED]).to.equal(copy.replace('"applied"', `"${MASK}"`));
    expect(values(name)?.clientSecret).to.equal('applied');
  });

  it('are deleted with the settings, and do not come back with new ones', async () => {
    const name = await fresh('gone');
    bodyOf(await remove(name), 200);
    expect(server().api.registry.reader.get('sealedsecrets.internal.svc.app', '', name)).to.equal(undefined);
    bodyOf(await create(name, { clientId: 'client', clientSecret: MASK }), 201);
    expect(values(name)?.clientSecret).to.equal('');
  });

  it('survive a restart', async () => {
    const name = await fresh('lasting');
    await server().restart();
    expect(values(name)?.clientSecret).to.equal('lasting');
  });
});
