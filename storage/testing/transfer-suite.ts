import type { Place } from './transfer/fixture.js';
import { receiverSuite } from './transfer/receiver.js';
import { snapshotSuite } from './transfer/snapshot.js';

export type { Place } from './transfer/fixture.js';

/**
 * The contracts of `Snapshot` and `Receiver` as tests, for each store that lasts longer than a process. Each test has a
 * new place.
 */
export function transferSuite(name: string, make: () => Promise<Place>, timeout: number = 60_000): void {
  describe(`transfer ${name}`, function () {
    this.timeout(timeout);
    let place: Place | undefined;
    const current = (): Place => {
      if (place === undefined) throw new Error('The place is made before each test and used inside tests only.');
      return place;
    };
    beforeEach(async () => {
      place = await make();
    });
    afterEach(async () => {
      await place?.remove();
      place = undefined;
    });
    snapshotSuite(current);
    receiverSuite(current);
  });
}
