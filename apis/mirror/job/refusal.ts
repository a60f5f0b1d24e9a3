import { LegacyFailure, Unreachable } from '../../../pkg/legacyclient/failure.js';
import { ForbiddenAddress } from '../../../pkg/system/net/address-guard.js';

/** The other server cannot be asked now. It is not about one object. */
export class Outage extends Error {}

/** The object cannot be sent. The message is for people. */
export class Refused extends Error {}

/** The other server lets roles see a folder that they may not see here, so nothing may lie in it. */
export class CannotClose extends Refused {
  constructor() {
    super('the other server cannot close it to roles, because what they have on the folder above holds in it, too');
  }
}

/** There is one already, and it is kept. */
export class Kept extends Error {}

/** Somebody has changed it there, and that is only reported. */
export class Drifted extends Error {}

/** Statuses that are not about the object of the request. */
const ABOUT_ALL: ReadonlySet<number> = new Set([401, 407, 429]);

export function isOutage(error: unknown): boolean {
  if (error instanceof Refused || error instanceof Kept || error instanceof Drifted) return false;
  return !(error instanceof LegacyFailure) || ABOUT_ALL.has(error.status);
}

export function hasStatus(error: unknown, status: number): error is LegacyFailure {
  return error instanceof LegacyFailure && error.status === status;
}

/** Whether something else there has the title. */
export function isNameTaken({ body }: LegacyFailure): boolean {
  return typeof body === 'object' && body !== null && 'status' in body && body.status === 'name-exists';
}

/** Whether an error tells of a fault here, which belongs into the log, and not of the other server. */
export function isOurs(error: unknown): boolean {
  return ![Outage, LegacyFailure, Unreachable, ForbiddenAddress].some((type) => error instanceof type);
}
