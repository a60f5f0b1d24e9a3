import { bodyOf, FOLDERS, resourceOf } from '../harness/resource.js';
import type { Server } from '../harness/server.js';
import { iam } from '../identity/iam.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { type Person, peopleOf } from './people.js';
import { type Team, teamsOf } from './teams.js';

/** Helpers for tests of folder permissions. */
export interface GuardedFolders {
  /** Creates a user. Without a role, the user is a member of `default` that may do nothing. */
  person(role?: string): Promise<Person>;
  team(): Promise<Team>;
  /** Creates a folder, and returns its uid. */
  folder(more?: Json): Promise<string>;
  isPrivate(uid: string): Promise<boolean>;
  /** The names of the role bindings of the folder itself. */
  ownBindings(uid: string): Promise<readonly string[]>;
}

export function guardedFolders(server: () => Server): GuardedFolders {
  const { ask } = legacyOf(server);
  const { person } = peopleOf(server);
  const folders = resourceOf(server, FOLDERS);
  return {
    person: (role = 'None') => person({ role }),
    team: () => teamsOf(server).make(),
    folder: async (more = {}) =>
      (await ask(200, 'POST', '/folders', { uid: fresh('guarded'), title: 'guarded', ...more })).uid,
    isPrivate: async (uid) => {
      const { metadata } = bodyOf(await folders.get(uid), 200);
      return metadata.annotations?.['svc.app/basic-roles'] === 'none';
    },
    ownBindings: async (uid) => {
      const bindings = await iam(server).list('RoleBinding');
      return bindings.filter(({ spec }) => (spec as Json).scope?.folder === uid).map(({ metadata }) => metadata.name);
    },
  };
}
