import type { History, Operation } from './history.js';
import type { Complain } from './timeline.js';

/** The only message that a 500 may have: the store did not say whether it has written the change. */
const UNKNOWN_OUTCOME = 'it is unknown whether the store has written the change';

/** A 500 is allowed only if the outcome of a write is unknown. Any other 500 is a defect, whatever was injected. */
export function checkFailures({ operations, streams }: History, complain: Complain): void {
  for (const operation of operations) {
    if (operation.status !== 500 || isUnknownOutcome(operation)) continue;
    const { id, verb, resource, name, server, message } = operation;
    complain('failures have a cause', `${verb} ${id} of ${resource} ${name} on server ${server}: ${message}`);
  }
  for (const { id, resource, server, ended } of streams) {
    if (ended === 500) complain('failures have a cause', `watch ${id} of ${resource} on server ${server} got 500`);
  }
}

function isUnknownOutcome({ verb, message = '' }: Operation): boolean {
  return verb !== 'get' && verb !== 'list' && message.includes(UNKNOWN_OUTCOME);
}
