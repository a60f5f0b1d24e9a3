/** The annotations and labels that only the server sets. A client can neither change nor remove them. */
export interface OwnedKeys {
  readonly createdBy: string;
  readonly updatedBy: string;
  readonly updatedTimestamp: string;
  readonly internalId: string;
  readonly annotations: readonly string[];
  readonly labels: readonly string[];
}

/** The keys below the prefix of the domain: `svc.app/createdBy`. */
export function ownedKeys(domain: string): OwnedKeys {
  const createdBy = `${domain}/createdBy`;
  const updatedBy = `${domain}/updatedBy`;
  const updatedTimestamp = `${domain}/updatedTimestamp`;
  const internalId = `${domain}/deprecatedInternalID`;
  const annotations = [createdBy, updatedBy, updatedTimestamp];
  return { createdBy, updatedBy, updatedTimestamp, internalId, annotations, labels: [internalId] };
}
