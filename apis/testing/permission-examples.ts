import { BOTS, type Caller, isPerson } from './callers.js';
import { addFolder, addTeam, addUser, type Cast, IAM, nameOf } from './cast.js';

/** Who may use each verb of a kind, and with which objects the tests try it. */
export interface PermissionExamples {
  /**
   * A row is a kind or a subresource, and a verb, with the outcome for each caller. A word in brackets names some
   * objects of a kind: `own` belong to the caller, `private` lie in a private folder. A caller without an own object
   * uses one of another user. The outcome `none` is a list or a watch without the object, or a deletecollection that
   * deletes nothing.
   */
  readonly rows: string;
  /**
   * Who may see an object, for the model of the random requests: all members, if it does not lie in something private;
   * or only its owner. Absent: nobody but administrators and those to whom a binding gives it.
   */
  readonly seenBy?: 'members' | 'owner' | ((name: string) => 'members' | 'owner' | undefined);
  /** The objects by the first word of a row. */
  readonly objects: Readonly<Record<string, ExampleObject>>;
}

/** The name and the spec of an object. */
export interface Draft {
  readonly name: string;
  readonly spec: object;
  readonly annotations?: Readonly<Record<string, string>>;
  /** The members of kinds without spec. */
  readonly members?: object;
}

/** A caller with a verb. */
export interface Context {
  readonly cast: Cast;
  readonly caller: Caller;
  readonly verb: string;
}

/** The example objects of a subject, such as `RoleBinding(folder)`. */
export interface ExampleObject {
  /** An object that can be created. The objects that it refers to exist. */
  draft(context: Context): Promise<Draft>;
  /** The name of the object, if it exists already. */
  readonly existing?: (context: Context) => Promise<string | undefined>;
  /** The changes of an update, or the body for a subresource. */
  change(context: Context): object;
  /** The request is a dry run, so that the caller does not change. */
  readonly dryRun?: boolean;
}

/** The caller, or another user if the caller is no person. */
export const person = async ({ cast, caller }: Context): Promise<string> =>
  isPerson(caller) ? caller : nameOf(addUser(cast));

export const isBot = (caller: Caller): boolean => BOTS.includes(caller);

export const titled = (prefix: string): ExampleObject => ({
  draft: async ({ cast: { fresh } }) => ({ name: fresh(prefix), spec: { title: fresh('Title') } }),
  change: ({ cast: { fresh } }) => ({ title: fresh('Renamed') }),
});

/** Brings back the first version of an object. */
export const restored = (example: ExampleObject): ExampleObject => ({
  ...example,
  change: () => ({ spec: { version: 1 } }),
});

/** An object of a kind with a history, its versions, and those in a private folder. */
export const withHistory = (kind: string, example: ExampleObject): PermissionExamples['objects'] => ({
  [kind]: example,
  [`${kind}(private)`]: inPrivate(example),
  [`${kind}/history`]: example,
  [`${kind}/restore`]: restored(example),
});

/** The same objects in a folder that lies in a private one. */
export const inPrivate = (example: ExampleObject): ExampleObject => ({
  ...example,
  draft: async (context) => ({
    ...(await example.draft(context)),
    annotations: { 'svc.app/folder': await privateFolder(context.cast) },
  }),
});

const privateFolders = new WeakMap<Cast, Promise<string>>();

/**
 * A private folder inside a public one. `member` and `lead` may view the public one by their team, and Editors may edit
 * it by a binding of their role.
 */
export function privateFolder(cast: Cast): Promise<string> {
  const known = privateFolders.get(cast) ?? newPrivateFolder(cast);
  privateFolders.set(cast, known);
  return known;
}

async function newPrivateFolder(cast: Cast): Promise<string> {
  const { made, fresh } = cast;
  const outer = await nameOf(addFolder(cast));
  const team = await nameOf(addTeam(cast));
  for (const [kind, name, level] of [
    ['Team', team, 'View'],
    ['BasicRole', 'Editor', 'Edit'],
  ] as const) {
    const spec = { subject: { kind, name }, roleRef: { kind: 'BuiltIn', name: level }, scope: { folder: outer } };
    await made(IAM, 'RoleBinding', fresh('binding'), spec);
  }
  const annotations = { 'svc.app/folder': outer, 'svc.app/basic-roles': 'none' };
  return nameOf(made('folder.svc.app/v1beta1', 'Folder', fresh('private'), { title: 'Private' }, { annotations }));
}
