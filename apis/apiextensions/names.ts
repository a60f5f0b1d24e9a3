/** `<plural>.<group>` of the definitions of custom kinds. */
export const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';

/** Keeps a definition until its objects are gone, as in Kubernetes. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

/** The labels of a definition, without the domain, that say more about its objects than Kubernetes knows. */
export const WORDS = {
  /** `folders`: the objects lie in folders, and inherit the permissions there. */
  containment: 'containment',
  /** `true`, or the most versions that are kept of an object. */
  history: 'history',
  /** `true`: deleted objects can come back. */
  trash: 'trash',
  /** The path of the title that searches look for, such as `spec.title`. */
  search: 'search',
  /** What members of an organization with the role Viewer may: `read`. */
  viewer: 'viewer',
  /** What members with the role Editor may: `read` or `write`. */
  editor: 'editor',
} as const;

/** The label, without the domain, of the definitions that only show kinds which are compiled in. */
export const BUILT_IN = 'built-in';

export type Word = keyof typeof WORDS;

/** Whether a group, or a name that ends with it, is one of this server. Nobody else can define kinds in it. */
export function isReservedGroup(group: string, domain: string): boolean {
  return group === domain || group.endsWith(`.${domain}`);
}

/** The actions on the objects of a definition, which is named `<plural>.<group>`. */
export function customActions(name: string): Readonly<Record<'read' | 'create' | 'write' | 'delete', string>> {
  return { read: `${name}:read`, create: `${name}:create`, write: `${name}:write`, delete: `${name}:delete` };
}
