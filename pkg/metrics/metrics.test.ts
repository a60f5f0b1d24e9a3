import { expect } from 'chai';
import { createMetrics } from './metrics.js';

describe('createMetrics', () => {
  it('counts requests by method, route and code, and reads gauges when asked', async () => {
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
});
