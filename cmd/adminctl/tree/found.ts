import type { DashboardModel } from '../../../pkg/dashboards/model.js';
import type { Members } from '../../../pkg/system/object/is-object.js';

/**
 * Where an object lies, as its file says it: by the uid of the folder, by its number or title on the old server, or by
 * the path of folders that the file lies in. Nothing of these: at the root. With a path, a uid counts only if the tree
 * has a folder with it.
 */
export interface Place {
  readonly uid?: string;
  readonly id?: number;
  readonly title?: string;
  readonly path?: readonly string[];
}

interface Located {
  /** The file, and the place in it: `rules.json, item 2`. */
  readonly origin: string;
}

export interface FoundFolder extends Located {
  readonly what: 'folder';
  /** Empty if the file has none. */
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly parent: Place;
  readonly id?: number;
  /** The titles of the folders down to this one, if its file lies in a tree of paths. */
  readonly path?: readonly string[];
}

export interface FoundDashboard extends Located {
  readonly what: 'dashboard';
  readonly dashboard: DashboardModel;
  readonly place: Place;
}

export interface FoundElement extends Located {
  readonly what: 'element';
  readonly uid: string;
  readonly value: Members;
  readonly place: Place;
}

export interface FoundRule extends Located {
  readonly what: 'rule';
  readonly value: Members;
  readonly place: Place;
  /** What belongs to the group of the rule, if its file is one of a group. */
  readonly group?: { readonly ruleGroup: string; readonly interval?: number; readonly groupIndex: number };
}

export interface FoundTeam extends Located {
  readonly what: 'team';
  readonly uid: string;
  readonly id?: number;
  readonly title: string;
  readonly email: string;
  /** The folder of the file, which has also the members. */
  readonly directory: string;
}

export interface FoundMember extends Located {
  readonly what: 'member';
  readonly value: Members;
  readonly directory: string;
}

export interface FoundPermissions extends Located {
  readonly what: 'permissions';
  readonly on: 'folder' | 'dashboard';
  /** Of the folder or the dashboard. Empty if only the name of the file says which one it is. */
  readonly uid: string;
  /** The name of the file, which is made of the path of the folder. */
  readonly slug: string;
  readonly items: readonly unknown[];
}

/** What does not become an object, with the reason. */
export interface LeftOut extends Located {
  readonly what: 'left out';
  readonly reason: string;
}

export type Found =
  | FoundFolder
  | FoundDashboard
  | FoundElement
  | FoundRule
  | FoundTeam
  | FoundMember
  | FoundPermissions
  | LeftOut;

export function leftOut(origin: string, reason: string): LeftOut {
  return { what: 'left out', origin, reason };
}
