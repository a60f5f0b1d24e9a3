/** The annotations and labels that only the server sets. A client can neither change nor remove them. */
export interface OwnedKeys {
  readonly createdBy: string;
  readonly updatedBy: string;
  readonly updatedTimestamp: string;
  readonly internalId: string;
  /** The uid under which the history of a restored object began. */
  readonly originUid: string;
  /** What a write changed and why, in the words of its author. Clients set it. */
  readonly message: string;
  readonly annotations: readonly string[];
  readonly labels: readonly string[];
}

/** The keys below the prefix of the domain: `svc.app/createdBy`. */
export function ownedKeys(domain: string): OwnedKeys {
  const createdBy = `${domain}/createdBy`;
  const updatedBy = `${domain}/updatedBy`;
  const updatedTimestamp = `${domain}/updatedTimestamp`;
  const internalId = `${domain}/deprecatedInternalID`;
  const originUid = `${domain}/originUID`;
  const message = `${domain}/message`;
  const annotations = [createdBy, updatedBy, updatedTimestamp, originUid];
  const labels = [internalId];
  return { createdBy, updatedBy, updatedTimestamp, internalId, originUid, message, annotations, labels };
}
