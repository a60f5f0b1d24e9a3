import { expect } from 'chai';
import { ANONYMOUS, type UserInfo } from '../authn/user.js';
import type { ApiRequest } from '../http/handler.js';
import { ApiError } from '../status/status.js';
import { createMetrics } from './metrics.js';

describe('createMetrics', () => {
  it('counts requests by method, route and code, and reads gauges at each scrape', async () => {
    const metrics = createMetrics();
    let value = 1;
    metrics.gauge('apiserver_test', 'A test.', () => value);
    metrics.observeRequest('GET', '/apis', 200, 0.003);
    metrics.observeRequest('GET', '/apis', 200, 0.2);
    metrics.observeRequest('BREW', '/apis', 405, 0.2);
    value = 2;
    const text = await metrics.registry.metrics();
    expect(text).to.contain('apiserver_request_duration_seconds_count{method="GET",route="/apis",code="200"} 2');
    expect(text).to.contain('le="0.005",method="GET",route="/apis",code="200"} 1');
    expect(text).to.contain('{method="OTHER",route="/apis",code="405"} 1');
    expect(text).to.contain('apiserver_test 2');
    expect(text).to.contain('nodejs_eventloop_lag_seconds');
  });

  it('refuses anonymous callers', async () => {
    const { handler } = createMetrics();
    const asked = (user: UserInfo) => handler({ user } as ApiRequest);
    expect((await asked({ name: 'ada', uid: 'ada', groups: [], extra: {} })).status).to.equal(200);
    const refused = await asked(ANONYMOUS).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(ApiError).with.property('code', 401);
  });
});
