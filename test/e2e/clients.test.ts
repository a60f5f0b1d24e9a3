import { type ServerWithPast, startWithPast } from './expired.js';
import { javascript } from './javascript/suite.js';
import { python } from './python.js';
import { SERVER_STORES, storeSettings } from './stores.js';

for (const store of SERVER_STORES) {
  describe(`clients in other languages (${store})`, function () {
    this.timeout(60_000);
    let started: ServerWithPast | undefined;
    const running = (): ServerWithPast => {
      if (started === undefined) throw new Error('the server did not start');
      return started;
    };

    before(async function () {
      this.timeout(120_000);
      started = await startWithPast(await storeSettings(this, store));
    });
    after(() => started?.server.stop());

    javascript(running);
    python(running);
  });
}
