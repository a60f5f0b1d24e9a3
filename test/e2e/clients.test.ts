import { type ServerWithPast, startWithPast } from './expired.js';
import { javascript } from './javascript/suite.js';
import { installPython, python } from './python.js';
import { ONE_SERVER_STORE, storeSettings } from './stores.js';

// These clients are slow to install and to start, and no store can break them, so they share one server.
for (const store of ONE_SERVER_STORE) {
  describe(`clients in other languages (${store})`, function () {
    this.timeout(60_000);
    let started: ServerWithPast | undefined;
    const running = (): ServerWithPast => {
      if (started === undefined) throw new Error('the server did not start');
      return started;
    };

    before(async function () {
      this.timeout(180_000);
      installPython();
      started = await startWithPast(await storeSettings(this, store));
    });
    after(() => started?.server.stop());

    javascript(running);
    python(running);
  });
}
