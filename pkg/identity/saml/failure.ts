import { SignOnFailure } from '../signon/failure.js';

/** The signature is of none of the keys that the provider had when its metadata were read. */
export class UnknownSignature extends SignOnFailure {}
