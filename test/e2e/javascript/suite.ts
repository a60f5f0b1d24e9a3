import type { ServerWithPast } from '../expired.js';
import { informers } from './informers.js';
import { writing } from './writing.js';

export function javascript(running: () => ServerWithPast): void {
  describe('@kubernetes/client-node', () => {
    informers(running);
    writing(running);
  });
}
