import { expect } from 'chai';
import { routeOperation } from '../operation.js';
import { createMetrics } from './metrics.js';

describe('createMetrics', () => {
  it('counts and measures requests by operation, and reads gauges at each scrape', async () => {
    const metrics = createMetrics();
    let value = 1;
    metrics.gauge('apiserver_test', 'A test.', () => value);
    const list = {
      verb: 'LIST',
      group: 'a',
      version: 'v1',
      resource: 'as',
      subresource: '',
      scope: 'cluster',
      route: '',
    } as const;
    metrics.requests.observe(list, 200, 0.003);
    metrics.requests.observe(list, 500, 0.2);
    metrics.requests.observe(routeOperation('BREW', '/api'), 405, undefined);
    value = 2;
    const text = await metrics.registry.metrics();
    const labels = 'verb="LIST",group="a",version="v1",resource="as",subresource="",scope="cluster",route=""';
    expect(text).to.contain(`apiserver_request_total{${labels},code="200"} 1`);
    expect(text).to.contain(`apiserver_request_total{${labels},code="500"} 1`);
    expect(text).to.contain(`apiserver_request_duration_seconds_bucket{${labels},le="0.0025"} 0`);
    expect(text).to.contain(`apiserver_request_duration_seconds_bucket{${labels},le="0.005"} 1`);
    expect(text).to.contain(`apiserver_request_duration_seconds_bucket{${labels},le="+Inf"} 2`);
    expect(text).to.contain(`apiserver_request_duration_seconds_count{${labels}} 2`);
    expect(text).to.contain(
      'verb="OTHER",group="",version="",resource="",subresource="",scope="",route="/api",code="405"} 1',
    );
    expect(text).not.to.match(/duration_seconds_count.*OTHER/);
    expect(text).to.contain('apiserver_event_loop_longest_stall_seconds');
    expect(text).to.contain('apiserver_test 2');
    expect(text).to.contain('nodejs_eventloop_lag_seconds');
  });
});
