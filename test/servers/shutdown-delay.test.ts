import { expect } from 'chai';
import { startServer } from '../e2e/harness.js';
import { eventually } from '../e2e/process.js';

const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';

describe('a server with server.shutdown_delay', function () {
  this.timeout(120_000);
  for (const workers of ['1', '2']) {
    const settings = { 'server.shutdown_delay': '60s', 'server.workers': workers };

    it(`goes on after SIGTERM while /readyz fails, and a second signal ends it at once (workers: ${workers})`, async () => {
      const server = await startServer({ settings });
      try {
        const ready = async () => {
          const answer = await fetch(`${server.httpUrl}/readyz`, { headers: { connection: 'close' } });
          return { status: answer.status, text: await answer.text() };
        };
        process.kill(server.pid, 'SIGTERM');
        // Each connection may go to another worker.
        let failed = 0;
        await eventually(
          async () => {
            failed = (await ready()).status === 503 ? failed + 1 : 0;
            return failed >= 6 || undefined;
          },
          () => '/readyz does not fail',
        );
        expect((await ready()).text).to.contain('[-]shutdown failed: the server is shutting down');
        const body = { metadata: { name: 'late' }, spec: { title: 'late' } };
        expect((await server.client.request('POST', FOLDERS, { body })).status).to.equal(201);
        const answer = await fetch(`${server.httpUrl}/livez`);
        expect([answer.status, answer.headers.get('connection')]).to.deep.equal([200, 'close']);
        process.kill(server.pid, 'SIGTERM');
        expect(await server.ended()).to.equal(1);
      } finally {
        await server.stop();
      }
    });
  }
});
