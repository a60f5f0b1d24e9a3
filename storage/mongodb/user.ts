import { createHash } from 'node:crypto';
import { Binary, type Document } from 'mongodb';

/** The user of MongoDB as whom a server is connected. */
export interface DatabaseUser {
  /** How MongoDB marks the sessions of the user. */
  readonly digest: Binary;
  /** Whether the user may end the sessions of others. */
  readonly endsOthers: boolean;
}

/** Any user may ask this. Without authentication, all sessions belong to the same user, the one without a name. */
export async function findUser(admin: (command: Document) => Promise<Document>): Promise<DatabaseUser> {
  const { authInfo } = await admin({ connectionStatus: 1, showPrivileges: true });
  const [found] = authInfo?.authenticatedUsers ?? [];
  const name = found === undefined ? '' : `${found.user}@${found.db}`;
  const privileges: readonly Document[] = authInfo?.authenticatedUserPrivileges ?? [];
  return {
    digest: new Binary(createHash('sha256').update(name).digest()),
    endsOthers: found === undefined || privileges.some(endsSessions),
  };
}

function endsSessions({ resource, actions }: Document): boolean {
  const isOfCluster = resource?.cluster === true || resource?.anyResource === true;
  return isOfCluster && (actions.includes('killAnySession') || actions.includes('anyAction'));
}

/** What to tell the operator of servers whose sessions this server cannot end. */
export const DIFFERENT_USERS =
  'Another server uses this database as another user of MongoDB. If it is killed during a commit, all writes may wait for a minute, until MongoDB ends its ' +
  'transaction. Let all servers use one user, or grant each user the action killAnySession on the cluster (docs/operating.md).';
