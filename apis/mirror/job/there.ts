import { type Access, accessIn, NOBODY, rolesOf, USUAL, union, withoutRoles } from './access.js';
import type { Memory, Sent } from './memory.js';
import { keyOf } from './resources.js';

/** Who has what there, as far as it was sent. */
export class There {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** The list of a folder. One that has none of its own has what it lies in. */
  folderList({ access, folder }: Sent): Access {
    return access === undefined ? this.rolesIn(folder) : accessIn(access);
  }

  /** The list of a dashboard. In a folder, it has only what is given beside the folder. */
  dashboardList({ access, folder }: Sent): Access {
    if (access !== undefined) return accessIn(access);
    return folder === '' ? USUAL : NOBODY;
  }

  /** What the basic roles have on what lies in a folder. */
  rolesIn(folder: string): Access {
    if (folder === '') return USUAL;
    const sent = this.#memory.get(keyOf('folder', folder));
    return sent === undefined ? NOBODY : rolesOf(this.folderList(sent));
  }

  /** Who can see what lies in a folder, by it and by the folders above. */
  accessIn(folder: string): Access {
    let all = this.rolesIn(folder);
    for (let at = folder; at !== ''; ) {
      const sent = this.#memory.get(keyOf('folder', at));
      if (sent === undefined) return all;
      all = union(all, withoutRoles(this.folderList(sent)));
      at = sent.folder;
    }
    return all;
  }
}
