import { expect } from 'chai';
import { bodyOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { define, stored, widget, widgets } from './definitions.js';
import { byWebhook, startWebhook, type TestWebhook, V1, V2 } from './webhook-server.js';

oneStore('a webhook that cannot be asked', (server) => {
  let webhook: TestWebhook;
  before(async () => {
    webhook = await startWebhook();
  });
  after(() => webhook.close());

  const refusal = async (config: unknown, versions?: readonly string[]): Promise<string> => {
    expect((await define(server(), [stored(V1), V2], byWebhook(config, versions))).status).to.be.oneOf([200, 201]);
    const answer = await server().call('POST', widgets('v2'), { body: widget('v2', 'a', { form: { size: 'L' } }) });
    expect(answer.status).to.equal(500);
    return (answer.json() as unknown as { message: string }).message;
  };

  it('is warned of when the definition is written', async () => {
    const warningsOf = async (config: unknown): Promise<unknown> => {
      const answer = await define(server(), [stored(V1), V2], byWebhook(config));
      expect(answer.status).to.be.oneOf([200, 201]);
      return answer.headers['warning'];
    };
    const field = 'spec.conversion.webhook.clientConfig.url';
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      expect(`${await warningsOf({ ...webhook.config, url: webhook.config.url.replace('127.0.0.1', host) })}`, host)
        .to.include(`${field}: this server cannot convert objects: the address`)
        .and.to.include('not in the setting webhooks.networks. The operator of this server can allow it there');
    expect(await warningsOf({ ...webhook.config, url: 'https://hook.example.com/convert' })).to.equal(undefined);
    const service = { name: 'hook', namespace: 'tools', path: '/convert' };
    expect(`${await warningsOf({ service, url: null, caBundle: null })}`).to.include('resolves no services');
    await warningsOf({ ...webhook.config, service: null });
  });

  it('is refused if its address is internal and not listed, or if it is a service', async () => {
    expect(await refusal(webhook.config)).to.equal(
      `conversion webhook for example.com/v2, Kind=Widget failed: Post "${webhook.config.url}?timeout=30s": the address 127.0.0.1 is internal, and not in the setting webhooks.networks`,
    );
    expect(await refusal({ ...webhook.config, url: webhook.config.url.replace('127.0.0.1', 'localhost') })).to.match(
      /the address (127.0.0.1|::1)\S*( ::1| 127.0.0.1)? is internal/,
    );
    const service = { name: 'hook', namespace: 'tools', path: '/convert' };
    expect(await refusal({ service, url: null, caBundle: null })).to.match(
      /failed: Post "https:\/\/hook\.tools\.svc:443\/convert\?timeout=30s": this server resolves no services/,
    );
    expect(webhook.requests).to.have.length(0);
  });
});

oneStore(
  'a conversion by webhook whose answers may be old',
  (server) => {
    let webhook: TestWebhook;
    before(async () => {
      webhook = await startWebhook();
      expect((await define(server(), [stored(V1), V2], byWebhook(webhook.config))).status).to.equal(201);
    });
    after(() => webhook.close());

    it('is not asked again for one object of the same content, and always for a list', async () => {
      const { call } = server();
      const path = `${widgets('v2')}/kept`;
      await call('POST', widgets('v1'), { body: widget('v1', 'kept', { size: 'S' }) });
      for (const _ of [1, 2]) bodyOf(await call('GET', path), 200);
      expect(webhook.requests).to.have.length(1);
      for (const _ of [1, 2]) bodyOf(await call('GET', widgets('v2')), 200);
      expect(webhook.requests).to.have.length(3);
      webhook.answer = () => 503;
      bodyOf(await call('GET', path), 200);
      expect((await call('GET', widgets('v2'))).status).to.equal(500);
    });
  },
  { webhookNetworks: ['127.0.0.0/8'], conversionAge: 600_000 },
);
