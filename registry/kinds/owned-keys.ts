/** The annotations and labels that only the server sets. A client can neither change nor remove them. */
export interface OwnedKeys {
  readonly createdBy: string;
  readonly updatedBy: string;
  readonly updatedTimestamp: string;
  readonly internalId: string;
  /** The uid under which the history of a restored object began. */
  readonly originUid: string;
  /** In the trash: the id of the deletion, which is the same for all that went with one request. */
  readonly deletionId: string;
  /** In the trash: what the caller has named, to tell which deletions belong together. */
  readonly operationId: string;
  /** In the trash: until when the object can come back. */
  readonly keptUntil: string;
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
  const deletionId = `${domain}/deletionID`;
  const operationId = `${domain}/operationID`;
  const keptUntil = `${domain}/keptUntil`;
  const message = `${domain}/message`;
  const authors = { createdBy, updatedBy, updatedTimestamp };
  const annotations = [...Object.values(authors), originUid, deletionId, operationId, keptUntil];
  const labels = [internalId];
  return { ...authors, internalId, originUid, deletionId, operationId, keptUntil, message, annotations, labels };
}
